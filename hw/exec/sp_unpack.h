// SPDX-License-Identifier: Apache-2.0
// Stage 1 of the SPs: operands are taken apart, and the low half of the multiplier is multiplied.
#pragma once
#include "hw/exec/arithmetic.h"
#include "hw/exec/lane_vector.h"
#include "hw/exec/sp_words.h"

namespace g80::sp_stage {

using arithmetic::all_if;
using arithmetic::kF32Fraction;
using arithmetic::kF32HiddenBit;
using arithmetic::kF32Infinity;
using arithmetic::kF32Nan;
using arithmetic::kF32One;
using arithmetic::kF32Sign;

inline constexpr std::uint32_t kMagnitude = 0x7fffffffu;

inline void extend(const SpWords& from, const SpFormat& format, SpWords& to) {
  const unsigned unused = 32u - format.bits();
  if (format.is_signed) {
    for (unsigned l = 0; l < kNumSpLanes; ++l) {
      to[l] = static_cast<std::uint32_t>(static_cast<std::int32_t>(from[l] << unused) >> unused);
    }
  } else {
    for (unsigned l = 0; l < kNumSpLanes; ++l) to[l] = from[l] << unused >> unused;
  }
}

/// 16-bit sums use the upper half of the adder, so that carry and overflow leave it at the same place. The lower half
/// of y is all ones: it hands the carry on.
inline void unpack_sum(const SpControl& c, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  const unsigned shift = c.half ? 16 : 0;
  const std::uint32_t fill = c.half ? 0xffffu : 0, keep = ~fill;
  const std::uint32_t invert_x = all_if(c.invert_x) & keep, invert_y = all_if(c.invert_y) & keep;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    out.x[l] = (in.a[l] << shift) ^ invert_x;
    out.y[l] = ((in.b[l] << shift) ^ invert_y) | fill;
  }
}

inline void set_carry(const SpControl& c, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  if (c.carry == SpCarry::kFlags) {
    for (unsigned l = 0; l < kNumSpLanes; ++l) out.carry[l] = in.flags[l] >> 2 & 1u;
  } else {
    for (unsigned l = 0; l < kNumSpLanes; ++l) out.carry[l] = c.carry == SpCarry::kOne ? 1u : 0u;
  }
}

/// Two's complement to unsigned order: signed numbers lose the sign bit's negative weight.
inline void order_integers(const SpControl& c, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  const std::uint32_t flip = c.from.is_signed ? kF32Sign : 0;
  extend(in.a, c.from, out.x);
  extend(in.b, c.from, out.y);
  for (unsigned l = 0; l < kNumSpLanes; ++l) out.x[l] ^= flip, out.y[l] ^= flip;
}

/// Sign and magnitude to unsigned order: -0 lies just below +0.
inline LaneVector ordered(const LaneVector& x) { return x ^ kF32Sign ^ ((0u - (x >> 31)) & kMagnitude); }

inline void order_floats(const SpControl& c, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  const std::uint32_t keep_a = ~(all_if(c.absolute_a) & kF32Sign), keep_b = ~(all_if(c.absolute_b) & kF32Sign);
  const std::uint32_t flip_a = all_if(c.negate_a) & kF32Sign, flip_b = all_if(c.negate_b) & kF32Sign;
  const std::uint32_t zero = c.choice == SpChoice::kRelation ? 0 : kF32Sign;  // for set, -0 equals +0
  LaneVector a = (load_lanes(in.a) & keep_a) ^ flip_a, b = (load_lanes(in.b) & keep_b) ^ flip_b;
  a &= ~where_zero(a & kF32Infinity) | zero;  // denormals, too, are zero
  b &= ~where_zero(b & kF32Infinity) | zero;
  const LaneVector nan_a = where_above(a & kMagnitude, kF32Infinity), nan_b = where_above(b & kMagnitude, kF32Infinity);
  // The smaller and the larger of a number and a NaN is the number, of two NaNs the NaN.
  const LaneVector both = nan_a & nan_b, nan = both & kF32Nan;
  store_lanes(ordered((select_lanes(nan_a, b, a) & ~both) | nan), out.x);
  store_lanes(ordered((select_lanes(nan_b, a, b) & ~both) | nan), out.y);
  store_lanes((nan_a | nan_b) & 2u, out.special);
}

template <class Multiplier>
inline void multiply_low_half(SpUnpacked& out) {
  if constexpr (!Multiplier::kInHalves) return;
  LaneVector64 sum = {}, carry = {};
  add_booth_rows(out.x, out.y, 0, kSpDigits / 2, sum, carry);
  store_lanes(sum, out.sum);
  store_lanes(carry, out.product_carry);
}

template <class Multiplier>
inline void unpack_product(const SpControl& c, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  extend(in.a, c.from, out.x);
  extend(in.b, c.second_from, out.y);
  multiply_low_half<Multiplier>(out);
  const std::uint32_t invert = all_if(c.invert_y);
  for (unsigned l = 0; l < kNumSpLanes; ++l) out.z[l] = in.c[l] ^ invert;
}

/// The operands of quadop: the first one comes from one lane of the four.
inline void route_quad(const SpQuad& quad, const SpLaneOperands& __restrict in, SpWords& a, SpWords& b) {
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const SpQuadOp op = quad.op[l % 4];
    const std::uint32_t first = in.a[(l & ~3u) + quad.lane] ^ (op == SpQuadOp::kSubtractFirst ? kF32Sign : 0);
    const std::uint32_t second = in.b[l] ^ (op == SpQuadOp::kSubtractSecond ? kF32Sign : 0);
    a[l] = quad.zero || op == SpQuadOp::kSecond ? 0 : first;
    b[l] = quad.zero ? 0 : second;
  }
}

/// Infinities and NaNs among the operands: what the result is, whatever the numbers give.
inline LaneVector specials(const LaneVector& a, const LaneVector& b, const LaneVector& z, const LaneVector& sign,
                           const LaneVector& sign_z) {
  const LaneVector size_a = a & kMagnitude, size_b = b & kMagnitude, size_z = z & kMagnitude;
  const LaneVector zero = ~where_above(size_a, kF32HiddenBit - 1) | ~where_above(size_b, kF32HiddenBit - 1);
  const LaneVector infinite = where_equal(size_a, kF32Infinity) | where_equal(size_b, kF32Infinity);
  const LaneVector infinite_z = where_equal(size_z, kF32Infinity), opposed = infinite_z & (0u - (sign ^ sign_z));
  const LaneVector nan = where_above(size_a, kF32Infinity) | where_above(size_b, kF32Infinity) |
                         where_above(size_z, kF32Infinity) | (infinite & (zero | opposed));
  const LaneVector infinity = (select_lanes(infinite, sign, sign_z) << 2 | 1u) & (infinite | infinite_z);
  return select_lanes(nan, LaneVector{} + 2u, infinity);
}

/// a * b + c. A zero has no hidden one and the lowest exponent, so that the other operand is the larger.
template <class Multiplier>
inline void unpack_float(const SpControl& c, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  LaneVector a, z;
  if (c.quad.enabled) {
    SpWords first, second;
    route_quad(c.quad, in, first, second);
    a = load_lanes(first), z = load_lanes(second);
  } else {
    const std::uint32_t flip = all_if(c.negate_a != (c.negate_b && !c.adds)) & kF32Sign;
    const std::uint32_t flip_z = all_if(c.adds ? c.negate_b : c.negate_c) & kF32Sign;
    a = load_lanes(in.a) ^ flip;
    z = (load_lanes(c.adds ? in.b : in.c) ^ flip_z) & all_if(!c.multiplies);
  }
  const LaneVector b = (load_lanes(in.b) & all_if(!c.adds)) | (c.adds ? kF32One : 0);
  const LaneVector field_a = a & kF32Infinity, field_b = b & kF32Infinity, field_z = z & kF32Infinity;
  const LaneVector dead_a = where_zero(field_a), dead_b = where_zero(field_b), dead_z = where_zero(field_z);
  store_lanes(((a & kF32Fraction) | kF32HiddenBit) & ~dead_a, out.x);
  store_lanes(((b & kF32Fraction) | kF32HiddenBit) & ~dead_b, out.y);
  store_lanes(((z & kF32Fraction) | kF32HiddenBit) & ~dead_z, out.z);
  const LaneVector sum = (field_a >> 23) + (field_b >> 23) + (kSpExponentOffset - 127u);
  store_lanes(sum & ~(dead_a | dead_b), out.exponent);
  store_lanes(((field_z >> 23) + kSpExponentOffset) & ~dead_z, out.exponent_z);
  const LaneVector sign = (a ^ b) >> 31, sign_z = z >> 31;
  store_lanes(sign, out.sign);
  store_lanes(c.multiplies ? sign : sign_z, out.sign_z);  // a product adds a zero that changes no sign
  store_lanes(specials(a, b, z, sign, sign_z), out.special);
  multiply_low_half<Multiplier>(out);
}

/// slct: a where c is not negative; a zero of either sign is not, a NaN is.
inline void select(const SpControl& c, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  const std::uint32_t flip = all_if(c.negate_c) & kF32Sign;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t test = in.c[l] ^ flip, magnitude = test & kMagnitude;
    const bool second = (test & kF32Sign) != 0 ? magnitude >= kF32HiddenBit : magnitude > kF32Infinity;
    out.x[l] = second ? in.b[l] : in.a[l];
  }
}

/// An integer to convert: its complement if it is negative, and the sign after abs and neg.
inline void unpack_integer(const SpControl& c, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  extend(in.a, c.from, out.x);
  const std::uint32_t is_signed = all_if(c.from.is_signed), keep = c.absolute_a ? 0 : 1, flip = c.negate_a ? 1 : 0;
  const std::uint32_t exponent = 31 + (c.to.bits() == 16 ? 15u : 127u) + kSpExponentOffset;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t negative = out.x[l] >> 31 & is_signed;
    out.x[l] ^= 0u - negative;
    out.carry[l] = negative;
    out.sign[l] = (negative & keep) ^ flip;
    out.exponent[l] = exponent;
    out.special[l] = 0;
  }
}

/// A float to convert: its significand from bit 31 down, and the exponent that bit 31 has. f32 denormals are zero, and
/// f32 up to an exponent field of 0x5d when the result is f16.
inline void unpack_converted(const SpControl& c, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  constexpr std::uint32_t kVanishes = 0x5d;
  const bool wide = c.from.bits() == 32;
  const bool to_half = c.path == SpPath::kToFloat && c.to.bits() == 16;
  const unsigned fraction_bits = wide ? 23 : 10;
  const std::uint32_t hidden = 1u << fraction_bits, top = wide ? 0xffu : 0x1fu, bias = wide ? 127 : 15;
  const std::uint32_t result_bias = c.path == SpPath::kToInteger ? 0u : to_half ? 15u : 127u;
  const std::uint32_t least = !wide ? 0u : to_half ? kVanishes + 1 : 1u;  // fields below count as zero
  const std::uint32_t keep = c.absolute_a ? 0 : 1, flip = c.negate_a ? 1 : 0;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t word = in.a[l], field = word >> fraction_bits & top, fraction = word & (hidden - 1);
    const std::uint32_t significand = (fraction | (field != 0 ? hidden : 0)) & (field >= least ? ~0u : 0);
    const std::uint32_t infinite = field == top && fraction == 0 ? 1u : 0, nan = field == top && fraction != 0 ? 1u : 0;
    out.sign[l] = ((word >> (wide ? 31 : 15) & 1u & keep) ^ flip) & (nan ^ 1u);
    out.x[l] = (significand << (31 - fraction_bits)) & (0u - (infinite ^ 1u)) & (0u - (nan ^ 1u));
    out.exponent[l] = (field != 0 ? field : 1u) - bias + result_bias + kSpExponentOffset;
    out.special[l] = infinite | nan << 1 | (out.sign[l] & infinite) << 2;
    out.carry[l] = 0;
  }
}

template <class Multiplier>
inline void unpack(const SpControl& control, const SpLaneOperands& __restrict in, SpUnpacked& __restrict out) {
  switch (control.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
      if (control.selects) {
        select(control, in, out);
      } else if (control.takes_flags) {
        for (unsigned l = 0; l < kNumSpLanes; ++l) out.x[l] = in.flags[l] & 15u;
      } else {
        copy_words(control.takes_second ? in.b : in.a, out.x);
      }
      break;
    case SpPath::kLogic: {
      const std::uint32_t flip_a = all_if(control.negate_a), flip_b = all_if(control.negate_b);
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.x[l] = in.a[l] ^ flip_a, out.y[l] = in.b[l] ^ flip_b;
      break;
    }
    case SpPath::kAdd:
      unpack_sum(control, in, out);
      set_carry(control, in, out);
      break;
    case SpPath::kCompare:
      control.from.is_float ? order_floats(control, in, out) : order_integers(control, in, out);
      break;
    case SpPath::kShiftLeft:
    case SpPath::kShiftRight: {
      const unsigned to_top = control.half && control.path == SpPath::kShiftLeft ? 16 : 0;
      const std::uint32_t keep = control.half ? 0xffffu : ~0u;
      if (control.path == SpPath::kShiftRight) {
        extend(in.a, control.from, out.x);
      } else {
        for (unsigned l = 0; l < kNumSpLanes; ++l) out.x[l] = in.a[l] << to_top;
      }
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.y[l] = in.b[l] & keep;
      break;
    }
    case SpPath::kMultiplyAdd: set_carry(control, in, out); [[fallthrough]];
    case SpPath::kMultiply: unpack_product<Multiplier>(control, in, out); break;
    case SpPath::kDistance:
      order_integers(control, in, out);
      copy_words(in.c, out.z);
      break;
    case SpPath::kFloat: unpack_float<Multiplier>(control, in, out); break;
    case SpPath::kToInteger:
    case SpPath::kToFloat:
      control.from.is_float ? unpack_converted(control, in, out) : unpack_integer(control, in, out);
      break;
  }
}

}  // namespace g80::sp_stage
