// SPDX-License-Identifier: Apache-2.0
// Integer add family, compare, min/max, shifts, multiply, multiply-add, sad, logic and the moves.
#include <algorithm>

#include "hw/common/lane_function.h"
#include "tb/golden/semantics_parts.h"

namespace g80::golden::detail {

using namespace isa;
namespace {

/// The adder: inputs after the inversions that make subtraction an addition.
struct AdderMode {
  bool invert_a = false, invert_b = false;
  bool carry_one = false;         // subtraction adds 1
  bool carry_from_flags = false;  // addc adds C
};
AdderMode adder_mode(Op op) {
  switch (op) {
    case Op::kSub: return {false, true, true, false};
    case Op::kSubr: return {true, false, true, false};
    case Op::kAddc: return {false, false, false, true};
    default: return {};
  }
}

/// r = a + b + carry on `kBits` bits with carry-out, signed overflow and optional saturation.
template <unsigned kBits>
void add_lanes(const AdderMode mode, const LaneWords& a_in, const LaneWords& b_in, const LaneFlags& flags_in,
               bool saturate, bool want_flags, AluOutput& out) {
  constexpr std::uint32_t kMask = kBits == 32 ? ~0u : 0xffffu;
  const std::uint32_t flip_a = mode.invert_a ? kMask : 0, flip_b = mode.invert_b ? kMask : 0;
  LaneWords carry;
  if (mode.carry_from_flags) {
    for (unsigned l = 0; l < kWarpSize; ++l) carry[l] = flags_in[l] >> 2 & 1u;
  } else {
    for (unsigned l = 0; l < kWarpSize; ++l) carry[l] = mode.carry_one;
  }
  if (!saturate && !want_flags) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      out.lo[l] = ((a_in[l] ^ flip_a) + (b_in[l] ^ flip_b) + carry[l]) & kMask;
    }
    return;
  }
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t a = (a_in[l] & kMask) ^ flip_a, b = (b_in[l] & kMask) ^ flip_b;
    const std::uint32_t sum = (a + b + carry[l]) & kMask;
    const std::uint32_t carry_out = ((a & b) | ((a | b) & ~sum)) >> (kBits - 1) & 1u;
    const std::uint32_t overflow = (~(a ^ b) & (a ^ sum)) >> (kBits - 1) & 1u;
    const std::uint32_t limit = (kMask >> 1) + (a >> (kBits - 1) & 1u);  // most positive, or most negative if a is
    const std::uint32_t r = saturate && overflow ? limit : sum;
    out.lo[l] = r;
    out.flags[l] = static_cast<std::uint8_t>((r == 0 ? kFlagZ : 0) | (r >> (kBits - 1) & 1u) << 1 | carry_out << 2 |
                                             overflow << 3);
  }
}

G80_LANE_FUNCTION void add(const Instruction& insn, const AluInput& in, AluOutput& out) {
  const LaneWords& b = in.s[second_slot(insn)];
  if (is_16_bit(insn.dst_type)) {
    add_lanes<16>(adder_mode(insn.op), in.s[0], b, in.flags, insn.saturate, insn.writes_flags, out);
  } else {
    add_lanes<32>(adder_mode(insn.op), in.s[0], b, in.flags, insn.saturate, insn.writes_flags, out);
  }
}

std::int32_t sign_extend_16(std::uint32_t x) { return static_cast<std::int16_t>(x); }
std::int32_t sign_extend_24(std::uint32_t x) { return static_cast<std::int32_t>(x << 8) >> 8; }

void extend_16(const LaneWords& in, bool is_signed, LaneWords& out) {
  if (is_signed) {
    for (unsigned l = 0; l < kWarpSize; ++l) out[l] = static_cast<std::uint32_t>(sign_extend_16(in[l]));
  } else {
    for (unsigned l = 0; l < kWarpSize; ++l) out[l] = in[l] & 0xffffu;
  }
}

/// 16x16 -> 32: the low 32 bits of the product of the extended sources are exact.
void product_16(const AluInput& in, bool signed_a, bool signed_b, LaneWords& product) {
  LaneWords a, b;
  extend_16(in.s[0], signed_a, a);
  extend_16(in.s[1], signed_b, b);
  for (unsigned l = 0; l < kWarpSize; ++l) product[l] = a[l] * b[l];
}

/// 24x24 -> 48, bits 31:0 or 47:16.
void product_24(const AluInput& in, bool is_signed, bool high, LaneWords& product) {
  if (!high && is_signed) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      product[l] = static_cast<std::uint32_t>(sign_extend_24(in.s[0][l])) *
                   static_cast<std::uint32_t>(sign_extend_24(in.s[1][l]));
    }
  } else if (!high) {
    for (unsigned l = 0; l < kWarpSize; ++l) product[l] = (in.s[0][l] & 0xffffffu) * (in.s[1][l] & 0xffffffu);
  } else if (is_signed) {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const std::int64_t p = std::int64_t{sign_extend_24(in.s[0][l])} * sign_extend_24(in.s[1][l]);
      product[l] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(p) >> 16);
    }
  } else {
    for (unsigned l = 0; l < kWarpSize; ++l) {
      product[l] = static_cast<std::uint32_t>(std::uint64_t{in.s[0][l] & 0xffffffu} * (in.s[1][l] & 0xffffffu) >> 16);
    }
  }
}

G80_LANE_FUNCTION void multiply(const Instruction& insn, const AluInput& in, LaneWords& product) {
  if (insn.op == Op::kMul16) {
    product_16(in, is_signed(insn.src_type), is_signed(insn.src2_type), product);
  } else if (insn.op == Op::kMad16) {
    product_16(in, is_signed(insn.src_type), is_signed(insn.src_type), product);
  } else {
    product_24(in, is_signed(insn.src_type), insn.high, product);
  }
}

/// Brings a 16-bit compare or min/max operand to 32 bits so that one 32-bit signed comparison serves all types.
void comparable(const LaneWords& in, NumType type, LaneWords& out) {
  switch (type) {
    case NumType::kU16:
    case NumType::kB16: extend_16(in, false, out); break;
    case NumType::kS16: extend_16(in, true, out); break;
    case NumType::kS32: out = in; break;
    default:
      for (unsigned l = 0; l < kWarpSize; ++l) out[l] = in[l] ^ 0x80000000u;
  }
}

G80_LANE_FUNCTION void compare(const Instruction& insn, const AluInput& in, AluOutput& out) {
  LaneWords a, b;
  comparable(in.s[0], insn.src_type, a);
  comparable(in.s[1], insn.src_type, b);
  const std::uint32_t less = insn.compare & 1u ? ~0u : 0, equal = insn.compare & 2u ? ~0u : 0,
                      greater = insn.compare & 4u ? ~0u : 0;
  const std::uint32_t mask = is_16_bit(insn.src_type) ? 0xffffu : ~0u;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::int32_t x = static_cast<std::int32_t>(a[l]), y = static_cast<std::int32_t>(b[l]);
    const std::uint32_t relation = x < y ? less : x == y ? equal : greater;
    out.lo[l] = relation & mask;
  }
  for (unsigned l = 0; l < kWarpSize; ++l) out.flags[l] = out.lo[l] != 0 ? kFlagS : kFlagZ;
}

G80_LANE_FUNCTION void min_max_int(const Instruction& insn, const AluInput& in, AluOutput& out) {
  LaneWords a, b;
  comparable(in.s[0], insn.src_type, a);
  comparable(in.s[1], insn.src_type, b);
  const bool want_max = insn.op == Op::kMax;
  const std::uint32_t mask = is_16_bit(insn.src_type) ? 0xffffu : ~0u;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const bool a_less = static_cast<std::int32_t>(a[l]) < static_cast<std::int32_t>(b[l]);
    out.lo[l] = (a_less == want_max ? in.s[1][l] : in.s[0][l]) & mask;
  }
}

/// Shifts. A count of kBits or more shifts all bits out.
template <unsigned kBits>
void shift(const Instruction& insn, const AluInput& in, AluOutput& out) {
  constexpr std::uint32_t kMask = kBits == 32 ? ~0u : 0xffffu;
  const bool arithmetic = insn.op == Op::kShr && is_signed(insn.src_type);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t a = in.s[0][l] & kMask;
    const std::uint32_t count = std::min(in.s[1][l] & kMask, kBits);
    const std::uint64_t wide = arithmetic && (a >> (kBits - 1)) ? a | ~std::uint64_t{kMask} : a;
    std::uint32_t r, carry;
    if (insn.op == Op::kShl) {
      const std::uint64_t shifted = std::uint64_t{a} << count;
      r = static_cast<std::uint32_t>(shifted) & kMask;
      carry = static_cast<std::uint32_t>(shifted >> kBits) & 1u;
    } else {
      r = static_cast<std::uint32_t>(wide >> count) & kMask;
      carry = count == 0 ? 0 : static_cast<std::uint32_t>(a >> (count - 1)) & 1u;
    }
    if (count == kBits) carry = 0;
    const std::uint32_t overflow = count == 1 ? (a ^ r) >> (kBits - 1) & 1u : 0;
    out.lo[l] = r;
    out.flags[l] =
        static_cast<std::uint8_t>((r == 0 ? kFlagZ : 0) | (r >> (kBits - 1) & 1u) << 1 | carry << 2 | overflow << 3);
  }
}

G80_LANE_FUNCTION void sad(const Instruction& insn, const AluInput& in, AluOutput& out) {
  LaneWords a, b, distance;
  comparable(in.s[0], insn.src_type, a);
  comparable(in.s[1], insn.src_type, b);
  const std::uint32_t mask = is_16_bit(insn.src_type) ? 0xffffu : ~0u;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const bool a_less = static_cast<std::int32_t>(a[l]) < static_cast<std::int32_t>(b[l]);
    distance[l] = (a_less ? b[l] - a[l] : a[l] - b[l]) & mask;
  }
  add_lanes<32>({}, distance, in.s[2], in.flags, false, insn.writes_flags, out);
}

G80_LANE_FUNCTION void logic(const Instruction& insn, const AluInput& in, AluOutput& out) {
  const std::uint32_t flip_a = insn.src[0].neg ? ~0u : 0, flip_b = insn.src[1].neg ? ~0u : 0;
  const std::uint32_t mask = is_16_bit(insn.dst_type) ? 0xffffu : ~0u;
  const auto each = [&](auto&& op) {
    for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = op(in.s[0][l] ^ flip_a, in.s[1][l] ^ flip_b) & mask;
  };
  switch (insn.op) {
    case Op::kAnd: each([](std::uint32_t a, std::uint32_t b) { return a & b; }); break;
    case Op::kOr: each([](std::uint32_t a, std::uint32_t b) { return a | b; }); break;
    case Op::kXor: each([](std::uint32_t a, std::uint32_t b) { return a ^ b; }); break;
    default: each([](std::uint32_t, std::uint32_t b) { return b; }); break;
  }
}

void flags_of_result(const Instruction& insn, bool half, AluOutput& out) {
  if (!insn.writes_flags) return;
  if (half) {
    integer_flags<15>(out.lo, out.flags);
  } else {
    integer_flags<31>(out.lo, out.flags);
  }
}

}  // namespace

void execute_integer(const Instruction& insn, const AluInput& in, AluOutput& out) {
  switch (insn.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kSubr:
    case Op::kAddc: return add(insn, in, out);
    case Op::kSet: return compare(insn, in, out);
    case Op::kMax:
    case Op::kMin: min_max_int(insn, in, out); return flags_of_result(insn, is_16_bit(insn.src_type), out);
    case Op::kShl:
    case Op::kShr: return is_16_bit(insn.dst_type) ? shift<16>(insn, in, out) : shift<32>(insn, in, out);
    case Op::kMul16:
    case Op::kMul24: multiply(insn, in, out.lo); return flags_of_result(insn, false, out);
    case Op::kMad16:
    case Op::kMad24: {
      LaneWords product;
      multiply(insn, in, product);
      return add_lanes<32>(adder_mode(insn.mad_op), product, in.s[2], in.flags, insn.saturate, insn.writes_flags, out);
    }
    case Op::kSad: return sad(insn, in, out);
    default: logic(insn, in, out); return flags_of_result(insn, is_16_bit(insn.dst_type), out);
  }
}

void execute_move(const Instruction& insn, const AluInput& in, AluOutput& out) {
  switch (insn.op) {
    case Op::kMovFromFlags:
      for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = in.flags[l] & 15u;
      return;
    case Op::kMovToFlags:
      for (unsigned l = 0; l < kWarpSize; ++l) out.flags[l] = static_cast<std::uint8_t>(in.s[0][l] & 15u);
      return;
    case Op::kShlAddr:
      for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = in.s[0][l] << (in.s[1][l] & 15u) & 0xffffu;
      return;
    case Op::kAddAddr:
      for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = (in.s[0][l] + in.s[1][l]) & 0xffffu;
      return;
    default: {  // mov from a register, $a or special register: source 1; mov of an immediate: source 2
      const LaneWords& source = in.s[insn.src[0].kind != OperandKind::kNone ? 0 : 1];
      const std::uint32_t mask = is_16_bit(insn.dst_type) ? 0xffffu : ~0u;
      for (unsigned l = 0; l < kWarpSize; ++l) out.lo[l] = source[l] & mask;
    }
  }
}

}  // namespace g80::golden::detail
