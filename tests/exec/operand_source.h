// SPDX-License-Identifier: Apache-2.0
// Random operands for the execution units, and the comparison of their results with the instruction set's definition.
#pragma once
#include <fmt/format.h>

#include <iterator>
#include <random>
#include <string>

#include "tb/golden/semantics.h"
#include "tests/conformance/vector_file.h"

namespace g80::test {

/// Operands among which the difficult cases are frequent: zeros, denormals, infinities, NaNs, numbers of almost equal
/// size, sums half way between two floats, small integers, shift counts.
class OperandSource {
 public:
  explicit OperandSource(unsigned seed) : random_(seed) {}
  std::uint32_t next() { return static_cast<std::uint32_t>(random_()); }
  std::uint64_t next64() { return random_(); }
  unsigned below(unsigned n) { return next() % n; }

  std::uint32_t word() {
    static constexpr std::uint32_t kSpecial[] = {
        0,          1,          2,          0x7f,       0x80,       0xff,       0x7fff,     0x8000,     0xffff,
        0x10000,    0x7fffff,   0x800000,   0x800001,   0xffffff,   0x1000000,  0x3f800000, 0x3f800001, 0x3f7fffff,
        0x3f000000, 0x40000000, 0x4b000000, 0x4b7fffff, 0x4f000000, 0x4effffff, 0x477fe000, 0x477fefff, 0x477ff000,
        0x33000000, 0x33800000, 0x2f000000, 0x2effffff, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff, 0x3fffffe0,
        0x7c00,     0x7c01,     0x3c00,     0x3ff,      0x7bff};
    switch (below(8)) {
      case 0: return kSpecial[below(std::size(kSpecial))] ^ (below(2) << 31);
      case 1: return 0u - below(40);
      case 2: return below(40);
      case 3: return (next() & 0x807fffffu) | (127 - 12 + below(48)) << 23;  // floats of moderate size
      case 4: return ~0u >> below(32);
      default: return next();
    }
  }
  /// A float whose exponent is near that of `like`, often with few significant bits.
  std::uint32_t float_near(std::uint32_t like) {
    const std::uint32_t field = (like >> 23 & 0xffu) + below(61) - 30;
    const std::uint32_t keep = below(2) != 0 ? ~0u : ~0u << below(24);
    return (next() & 0x80000000u) | (field & 0xffu) << 23 | (next() & 0x7fffffu & keep);
  }
  /// Close to minus the value, or to half a unit in its last place.
  std::uint32_t float_against(std::uint32_t value) {
    switch (below(4)) {
      case 0: return (value ^ 0x80000000u) + below(3) - 1;
      case 1: return value ^ 0x80000000u;
      default: {
        const std::uint32_t field = (value >> 23 & 0xffu) - 24 + below(3) - 1;
        return (next() & 0x80000000u) | (field & 0xffu) << 23 | (below(3) == 0 ? below(3) : 0);
      }
    }
  }
  void fill(golden::AluInput& in) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      in.s[0][l] = word();
      in.s[1][l] = below(4) == 0 ? float_near(in.s[0][l]) : below(16) == 0 ? in.s[0][l] : word();
      in.s[2][l] = word();
      switch (below(8)) {
        case 0: in.s[1][l] = float_against(in.s[0][l]); break;
        case 1:  // against a product with 1, and against a product whose result lies near the smallest normal
          in.s[1][l] = 0x3f800000u;
          in.s[2][l] = float_against(in.s[0][l]);
          break;
        case 2: in.s[2][l] = float_near(((in.s[0][l] >> 23) + (in.s[1][l] >> 23) - 127) << 23); break;
        case 3:
          in.s[1][l] = ((254 - (in.s[0][l] >> 23 & 0xffu) - 126 + below(4)) & 0xffu) << 23 | (next() & 0x7fffffu);
          if (below(2) != 0) in.s[2][l] = 0x00800000u + below(3) + (below(2) << 31);
          break;
        case 4: in.s[2][l] = in.s[0][l] & 0x80000000u; break;
        case 5: {  // the smallest normal less a product of about half a unit in its last place
          const std::uint32_t field_a = 20 + below(60), field_b = 127 + 127 - 150 - field_a + below(4) - 1;
          const std::uint32_t keep = below(2) != 0 ? 0 : 0x7fffffu;
          in.s[0][l] = (next() & 0x80000000u) | field_a << 23 | (next() & keep);
          in.s[1][l] = (next() & 0x80000000u) | (field_b & 0xffu) << 23 | (next() & keep);
          in.s[2][l] = (next() & 0x80000000u) | (0x00800000u + below(2));
          break;
        }
        default: break;
      }
      in.flags[l] = static_cast<std::uint8_t>(below(16));
    }
  }

 private:
  std::mt19937_64 random_;
};

/// Lanes whose result differs from the definition.
inline unsigned wrong_lanes(const isa::Instruction& insn, const golden::AluInput& in, const golden::AluOutput& seen,
                            std::string& first) {
  golden::AluOutput expected{};
  golden::execute(insn, in, expected);
  const bool has_word = insn.dst.kind != isa::OperandKind::kDiscard && insn.dst.kind != isa::OperandKind::kFlags &&
                        insn.op != isa::Op::kMovToFlags;
  const bool has_pair = insn.dst.kind == isa::OperandKind::kPair;
  unsigned wrong = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const bool good = (!has_word || seen.lo[l] == expected.lo[l]) && (!has_pair || seen.hi[l] == expected.hi[l]) &&
                      (!insn.writes_flags || seen.flags[l] == expected.flags[l]);
    if (good) continue;
    if (wrong++ == 0) {
      const auto pair = [&](const LaneWords& high, const LaneWords& low) {
        return has_pair ? fmt::format("{:08x} {:08x}", high[l], low[l]) : fmt::format("{:08x}", low[l]);
      };
      first = fmt::format("lane {}: a {} b {} c {} flags {:x}: {} {:x}, not {} {:x}", l, pair(in.hi[0], in.s[0]),
                          pair(in.hi[1], in.s[1]), pair(in.hi[2], in.s[2]), in.flags[l], pair(seen.hi, seen.lo),
                          seen.flags[l], pair(expected.hi, expected.lo), expected.flags[l]);
    }
  }
  return wrong;
}

/// What a row of the vectors says of an operand: $r4 is in column 4.
inline std::uint32_t row_operand(const isa::Instruction& insn, const isa::Operand& operand,
                                 const conformance::Row& row) {
  switch (operand.kind) {
    case isa::OperandKind::kReg: return conformance::hex32(row[operand.index]);
    case isa::OperandKind::kHalf:
      return conformance::hex32(row[operand.index / 2u]) >> (16 * (operand.index % 2)) & 0xffffu;
    case isa::OperandKind::kImm: return insn.immediate;
    default: return 0;
  }
}

}  // namespace g80::test
