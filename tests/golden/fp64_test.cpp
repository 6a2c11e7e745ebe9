// SPDX-License-Identifier: Apache-2.0
// Double precision against the host's IEEE arithmetic in all four rounding modes, on random operands.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <random>

#include "hw/isa/float_bits.h"
#include "tb/golden/semantics.h"

namespace g80::golden {

using namespace isa;

namespace {

constexpr unsigned kFp64Seed = 13;
constexpr int kFp64Warps = 3000;
constexpr int kHostMode[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};  // in the order of Round

class Fp64Operands {
 public:
  /// Never NaN: the chip's payload rules are its own and have vectors.
  std::uint64_t next(std::uint64_t near) {
    std::uint64_t x = random_();
    switch (random_() % 8) {
      case 0: x = near ^ (random_() & 0x80000000000000ffu); break;                  // cancellation
      case 1: x = (x & 0x800fffffffffffffu) | (near & 0x7ff0000000000000u); break;  // same exponent
      case 2: x &= 0x800fffffffffffffu; break;                                      // denormal
      case 3: x = (x & 0x800fffffffffffffu) | (random_() % 64 + 992) << 52; break;  // near one
      case 4:
        x = (x & 0x8000000000000000u) | (random_() % 3 == 0 ? 0x7ff0000000000000u : 0);
        break;  // infinity or zero
      default: break;
    }
    return std::isnan(isa::double_of(x)) ? isa::bits_of(1.5) : x;
  }
  std::uint64_t product_partner(std::uint64_t a) {  // product around the smallest normal
    const std::uint64_t e = a >> 52 & 0x7ffu;
    const std::uint64_t partner = e < 1020 ? 1023 - e + random_() % 4 : 2046 - e / 2;
    return (random_() & 0x800fffffffffffffu) | (partner & 0x7ffu) % 0x7ff << 52;
  }
  std::mt19937_64 random_{kFp64Seed};
};

double on_host(Op op, double a, double b, double c) {
  volatile double x = a, y = b, z = c;
  if (op == Op::kDadd) return x + y;
  if (op == Op::kDmul) return x * y;
  return std::fma(x, y, z);
}

TEST(Fp64, SumsProductsAndFusedOperationsAreTheHosts) {
  RecordProperty("seed", static_cast<int>(kFp64Seed));
  Fp64Operands operands;
  AluInput in;
  AluOutput out;
  for (int i = 0; i < kFp64Warps; ++i) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const std::uint64_t a = operands.next(isa::bits_of(1.0));
      const std::uint64_t b = operands.random_() % 4 == 0 ? operands.product_partner(a) : operands.next(a);
      const std::uint64_t c = operands.next(isa::bits_of(isa::double_of(a) * isa::double_of(b)));
      const std::uint64_t values[3] = {a, b, c};
      for (unsigned k = 0; k < 3; ++k) {
        in.s[k][l] = static_cast<std::uint32_t>(values[k]);
        in.hi[k][l] = static_cast<std::uint32_t>(values[k] >> 32);
      }
    }
    for (const Op op : {Op::kDadd, Op::kDmul, Op::kDfma}) {
      for (unsigned mode = 0; mode < 4; ++mode) {
        Instruction insn;
        insn.op = op;
        insn.round = static_cast<Round>(mode);
        for (auto& s : insn.src) s.kind = OperandKind::kPair;
        execute(insn, in, out);
        for (unsigned l = 0; l < kWarpSize; ++l) {
          const auto operand = [&](unsigned k) {
            return isa::double_of(std::uint64_t{in.hi[k][l]} << 32 | in.s[k][l]);
          };
          std::fesetround(kHostMode[mode]);
          const double host = on_host(op, operand(0), operand(1), operand(2));
          std::fesetround(FE_TONEAREST);
          const std::uint64_t seen = std::uint64_t{out.hi[l]} << 32 | out.lo[l];
          const std::uint64_t expected = std::isnan(host) ? 0xfff8000000000000u : isa::bits_of(host);
          ASSERT_EQ(seen, expected) << std::hex << "op " << static_cast<int>(op) << " mode " << mode << " of "
                                    << isa::bits_of(operand(0)) << ' ' << isa::bits_of(operand(1)) << ' '
                                    << isa::bits_of(operand(2)) << " seed " << std::dec << kFp64Seed;
        }
      }
    }
  }
}

}  // namespace
}  // namespace g80::golden
