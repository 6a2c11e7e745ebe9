// SPDX-License-Identifier: Apache-2.0
// Stage 1 of the SPs: operands are taken apart, and the low half of the multiplier is multiplied.
#include <cstring>

#include "hw/exec/arithmetic.h"
#include "hw/exec/sp_datapath.h"

namespace g80 {

using arithmetic::all_if;

namespace {

constexpr std::uint32_t kSignBit = 0x80000000u, kMagnitude = 0x7fffffffu, kFraction = 0x7fffffu, kHidden = 0x800000u;
constexpr std::uint32_t kInfinity = 0x7f800000u, kNan = 0x7fffffffu, kOne = 0x3f800000u;

void move_words(const SpWords& from, SpWords& to) { std::memcpy(to, from, sizeof to); }

void extend(const SpWords& from, const SpFormat& format, SpWords& to) {
  const unsigned unused = 32u - format.bits;
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
void unpack_sum(const SpControl& c, const SpOperands& in, SpUnpacked& out) {
  const unsigned shift = c.half ? 16 : 0;
  const std::uint32_t fill = c.half ? 0xffffu : 0, keep = ~fill;
  const std::uint32_t invert_x = all_if(c.invert_x) & keep, invert_y = all_if(c.invert_y) & keep;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    out.x[l] = (in.a[l] << shift) ^ invert_x;
    out.y[l] = ((in.b[l] << shift) ^ invert_y) | fill;
  }
}

void set_carry(const SpControl& c, const SpOperands& in, SpUnpacked& out) {
  if (c.carry == SpCarry::kFlags) {
    for (unsigned l = 0; l < kNumSpLanes; ++l) out.carry[l] = in.flags[l] >> 2 & 1u;
  } else {
    for (unsigned l = 0; l < kNumSpLanes; ++l) out.carry[l] = c.carry == SpCarry::kOne ? 1u : 0u;
  }
}

/// Two's complement to unsigned order: signed numbers lose the sign bit's negative weight.
void order_integers(const SpControl& c, const SpOperands& in, SpUnpacked& out) {
  const std::uint32_t flip = c.from.is_signed ? kSignBit : 0;
  extend(in.a, c.from, out.x);
  extend(in.b, c.from, out.y);
  for (unsigned l = 0; l < kNumSpLanes; ++l) out.x[l] ^= flip, out.y[l] ^= flip;
}

/// Sign and magnitude to unsigned order: -0 lies just below +0.
std::uint32_t ordered(std::uint32_t x) { return x ^ ((x & kSignBit) != 0 ? ~0u : kSignBit); }
std::uint32_t flush(std::uint32_t x) { return (x & kInfinity) != 0 ? x : x & kSignBit; }
bool is_nan(std::uint32_t x) {
  return static_cast<std::int32_t>(x & kMagnitude) > static_cast<std::int32_t>(kInfinity);
}

void order_floats(const SpControl& c, const SpOperands& in, SpUnpacked& out) {
  const std::uint32_t keep_a = ~(all_if(c.absolute_a) & kSignBit), keep_b = ~(all_if(c.absolute_b) & kSignBit);
  const std::uint32_t flip_a = all_if(c.negate_a) & kSignBit, flip_b = all_if(c.negate_b) & kSignBit;
  const std::uint32_t zero = c.choice == SpChoice::kRelation ? 0 : kSignBit;  // for set, -0 equals +0
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    std::uint32_t a = flush((in.a[l] & keep_a) ^ flip_a), b = flush((in.b[l] & keep_b) ^ flip_b);
    const std::uint32_t nan_a = is_nan(a) ? ~0u : 0, nan_b = is_nan(b) ? ~0u : 0;
    a &= (a & kMagnitude) != 0 ? ~0u : zero;
    b &= (b & kMagnitude) != 0 ? ~0u : zero;
    // The smaller and the larger of a number and a NaN is the number, of two NaNs the NaN.
    const std::uint32_t number_a = nan_a & nan_b ? kNan : a, number_b = nan_a & nan_b ? kNan : b;
    out.x[l] = ordered(nan_a ? number_b : number_a);
    out.y[l] = ordered(nan_b ? number_a : number_b);
    out.special[l] = (nan_a | nan_b) & 2u;
  }
}

void unpack_product(const SpControl& c, const SpOperands& in, SpUnpacked& out) {
  SpWords multiplier;
  extend(in.a, c.from, out.x);
  extend(in.b, c.second_from, multiplier);
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    out.low[l] = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(out.x[l])) *
                                            static_cast<std::int64_t>(multiplier[l] & 0xfffu));
    out.y[l] = static_cast<std::uint32_t>(static_cast<std::int32_t>(multiplier[l]) >> 12);
  }
  const std::uint32_t invert = all_if(c.invert_y);
  for (unsigned l = 0; l < kNumSpLanes; ++l) out.z[l] = in.c[l] ^ invert;
}

/// The operands of quadop: the first one comes from one lane of the four.
void route_quad(const SpQuad& quad, const SpOperands& in, SpWords& a, SpWords& b) {
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const SpQuadOp op = quad.op[l % 4];
    const std::uint32_t first = in.a[(l & ~3u) + quad.lane] ^ (op == SpQuadOp::kSubtractFirst ? kSignBit : 0);
    const std::uint32_t second = in.b[l] ^ (op == SpQuadOp::kSubtractSecond ? kSignBit : 0);
    a[l] = quad.zero || op == SpQuadOp::kSecond ? 0 : first;
    b[l] = quad.zero ? 0 : second;
  }
}

/// a * b + c. A zero has no hidden one and the lowest exponent, so that the other operand is the larger.
void unpack_float(const SpControl& c, const SpOperands& in, SpUnpacked& out) {
  SpWords a, b, z;
  if (c.quad.enabled) {
    route_quad(c.quad, in, a, z);
  } else {
    const std::uint32_t flip = all_if(c.negate_a != (c.negate_b && !c.adds)) & kSignBit;
    const std::uint32_t flip_z = all_if(c.adds ? c.negate_b : c.negate_c) & kSignBit;
    const std::uint32_t keep = all_if(!c.multiplies);
    const SpWords& addend = c.adds ? in.b : in.c;
    for (unsigned l = 0; l < kNumSpLanes; ++l) {
      a[l] = in.a[l] ^ flip;
      z[l] = (addend[l] ^ flip_z) & keep;
    }
  }
  const std::uint32_t keep_b = all_if(!c.adds), fill_b = c.adds ? kOne : 0;
  const std::uint32_t product_signs = all_if(c.multiplies);
  for (unsigned l = 0; l < kNumSpLanes; ++l) b[l] = (in.b[l] & keep_b) | fill_b;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t field_a = a[l] >> 23 & 0xffu, field_b = b[l] >> 23 & 0xffu, field_z = z[l] >> 23 & 0xffu;
    const std::uint32_t live_a = field_a != 0 ? ~0u : 0, live_b = field_b != 0 ? ~0u : 0;
    const std::uint32_t live_z = field_z != 0 ? ~0u : 0;
    const std::uint32_t multiplier = ((b[l] & kFraction) | kHidden) & live_b;
    out.x[l] = ((a[l] & kFraction) | kHidden) & live_a;
    out.y[l] = multiplier >> 12;
    b[l] = (b[l] & kSignBit) | multiplier;
    out.z[l] = ((z[l] & kFraction) | kHidden) & live_z;
    out.exponent[l] = (field_a + field_b + (kSpExponentOffset - 127u)) & live_a & live_b;
    out.exponent_z[l] = (field_z + kSpExponentOffset) & live_z;
    const std::uint32_t sign = (a[l] ^ b[l]) >> 31, sign_z = (sign & product_signs) | (z[l] >> 31 & ~product_signs);
    out.sign[l] = sign;
    out.sign_z[l] = sign_z;
    const std::uint32_t top_a = field_a == 0xffu ? ~0u : 0, top_b = field_b == 0xffu ? ~0u : 0;
    const std::uint32_t top_z = field_z == 0xffu ? ~0u : 0;
    const std::uint32_t whole_a = (a[l] & kFraction) == 0 ? ~0u : 0, whole_b = (multiplier & kFraction) == 0 ? ~0u : 0;
    const std::uint32_t whole_z = (z[l] & kFraction) == 0 ? ~0u : 0;
    const std::uint32_t nan = (top_a & ~whole_a) | (top_b & ~whole_b) | (top_z & ~whole_z);
    const std::uint32_t infinite = top_a | top_b, opposed = sign != sign_z ? ~0u : 0;
    const std::uint32_t invalid = infinite & (~live_a | ~live_b | (top_z & opposed));
    const std::uint32_t of_product = (1u | sign << 2) & infinite, of_addend = (1u | sign_z << 2) & top_z & ~infinite;
    out.special[l] = (nan | invalid) & 2u ? 2u : of_product | of_addend;
  }
  for (unsigned l = 0; l < kNumSpLanes; ++l) out.low[l] = std::uint64_t{out.x[l]} * (b[l] & 0xfffu);
}

/// slct: a where c is not negative; a zero of either sign is not, a NaN is.
void select(const SpControl& c, const SpOperands& in, SpUnpacked& out) {
  const std::uint32_t flip = all_if(c.negate_c) & kSignBit;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t test = flush(in.c[l] ^ flip);
    const std::uint32_t negative = (test & kSignBit) != 0 && (test & kMagnitude) != 0 ? ~0u : 0;
    const std::uint32_t second = negative | (is_nan(test) ? ~0u : 0);
    out.x[l] = (in.a[l] & ~second) | (in.b[l] & second);
  }
}

/// An integer to convert: its complement if it is negative, and the sign after abs and neg.
void unpack_integer(const SpControl& c, const SpOperands& in, SpUnpacked& out) {
  extend(in.a, c.from, out.x);
  const std::uint32_t is_signed = all_if(c.from.is_signed), keep = c.absolute_a ? 0 : 1, flip = c.negate_a ? 1 : 0;
  const std::uint32_t exponent = 31 + (c.to.bits == 16 ? 15u : 127u) + kSpExponentOffset;
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
void unpack_converted(const SpControl& c, const SpOperands& in, SpUnpacked& out) {
  constexpr std::uint32_t kVanishes = 0x5d;
  const bool wide = c.from.bits == 32;
  const bool to_half = c.path == SpPath::kToFloat && c.to.bits == 16;
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

}  // namespace

void sp_unpack(const SpControl& control, const SpOperands& in, SpUnpacked& out) {
  out.control = control;
  out.verdict = in.verdict;
  if (control.increments) move_words(in.addr, out.addr);
  switch (control.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
      if (control.selects) {
        select(control, in, out);
      } else if (control.takes_flags) {
        for (unsigned l = 0; l < kNumSpLanes; ++l) out.x[l] = in.flags[l] & 15u;
      } else {
        move_words(control.takes_second ? in.b : in.a, out.x);
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
    case SpPath::kMultiply: unpack_product(control, in, out); break;
    case SpPath::kDistance:
      order_integers(control, in, out);
      move_words(in.c, out.z);
      break;
    case SpPath::kFloat: unpack_float(control, in, out); break;
    case SpPath::kToInteger:
    case SpPath::kToFloat:
      control.from.is_float ? unpack_converted(control, in, out) : unpack_integer(control, in, out);
      break;
  }
}

}  // namespace g80
