// SPDX-License-Identifier: Apache-2.0
// Stages 2 and 3 of the SPs: the second half of the product, and the product added.
#pragma once
#include "hw/exec/arithmetic.h"
#include "hw/exec/lane_vector.h"
#include "hw/exec/sp_words.h"

namespace g80::sp_stage {

using arithmetic::all_if;

inline constexpr unsigned kGuardBits = 3;      // below the 24 bits of a significand in the adder
inline constexpr unsigned kMaxAlignment = 32;  // all bits are out of the word, but none beyond those kept as sticky
inline constexpr std::uint32_t kTopBit = 31;   // where the normaliser brings the leading one
inline constexpr unsigned kF32FractionBits = 23, kF16FractionBits = 10;

/// The shift that a float to convert needs, and the exponent that bit 31 has after it: to bit 0 for an integer or an
/// integral value, to the place of denormals for an f16 too small for its exponent.
inline void plan_conversion(const SpControl& c, const SpUnpacked& __restrict in, SpMultiplied& __restrict out) {
  const bool half = c.to.bits() == 16;
  const bool whole = c.path == SpPath::kToInteger || c.integral;
  const std::uint32_t bias = c.path == SpPath::kToInteger ? 0u : half ? 15u : 127u;
  const std::uint32_t zero = kSpExponentOffset + bias;  // exponent field of 1.0
  // From here on a value is integral as it is, or too large for every integer.
  const std::uint32_t large = zero + (c.path == SpPath::kToInteger ? 32u : half ? kF16FractionBits : kF32FractionBits);
  const std::uint32_t least = kSpExponentOffset + 1;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    std::uint32_t count = 0, exponent = in.exponent[l], special = in.special[l];
    if (whole) {
      const bool shifts = exponent < large;
      count = shifts ? zero + kTopBit - exponent : 0;
      if (c.path == SpPath::kToInteger) {
        special |= shifts ? 0u : 1u;
      } else if (shifts) {
        exponent = zero + kTopBit;
      }
    } else if (half) {
      count = exponent < least ? least - exponent : 0;
      exponent = exponent < least ? least : exponent;
    }
    out.count[l] = count < kMaxSpShift ? count : kMaxSpShift;
    out.exponent[l] = exponent;
    out.special[l] = special;
  }
}

template <class Multiplier>
inline void multiply_high_half(const SpUnpacked& __restrict in, SpMultiplied& __restrict out) {
  if constexpr (!Multiplier::kInHalves) return multiply_words(in.x, in.y, out.sum, out.product_carry);
  LaneVector64 sum = load_lanes(in.sum), carry = load_lanes(in.product_carry);
  add_booth_rows(in.x, in.y, kSpDigits / 2, kSpDigits, sum, carry);
  store_lanes(sum, out.sum);
  store_lanes(carry, out.product_carry);
}

template <class Multiplier>
inline void multiply(const SpControl& c, const SpUnpacked& __restrict in, SpMultiplied& __restrict out) {
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove: copy_words(in.x, out.x); break;
    case SpPath::kLogic:
      switch (c.logic) {
        case SpLogic::kAnd:
          for (unsigned l = 0; l < kNumSpLanes; ++l) out.x[l] = in.x[l] & in.y[l];
          break;
        case SpLogic::kOr:
          for (unsigned l = 0; l < kNumSpLanes; ++l) out.x[l] = in.x[l] | in.y[l];
          break;
        case SpLogic::kXor:
          for (unsigned l = 0; l < kNumSpLanes; ++l) out.x[l] = in.x[l] ^ in.y[l];
          break;
        case SpLogic::kSecond: copy_words(in.y, out.x); break;
      }
      break;
    case SpPath::kAdd:
      copy_words(in.x, out.x);
      copy_words(in.y, out.y);
      copy_words(in.carry, out.carry);
      break;
    case SpPath::kCompare:
      copy_words(in.x, out.x);
      copy_words(in.y, out.y);
      copy_words(in.special, out.special);
      break;
    case SpPath::kDistance:
      copy_words(in.x, out.x);
      copy_words(in.y, out.y);
      copy_words(in.z, out.z);
      break;
    case SpPath::kShiftLeft:
    case SpPath::kShiftRight: {
      const std::uint32_t bits = c.half ? 16 : 32;  // a larger count shifts everything out
      copy_words(in.x, out.x);
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.count[l] = in.y[l] < bits ? in.y[l] : bits;
      break;
    }
    case SpPath::kMultiply:
    case SpPath::kMultiplyAdd:
      multiply_high_half<Multiplier>(in, out);
      if (c.path == SpPath::kMultiply) break;
      copy_words(in.z, out.z);
      copy_words(in.carry, out.carry);
      break;
    case SpPath::kFloat:
      multiply_high_half<Multiplier>(in, out);
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint32_t difference = in.exponent[l] - in.exponent_z[l], behind = difference >> 31;
        out.count[l] = (difference ^ (0u - behind)) + behind;
        out.exponent[l] = behind != 0 ? in.exponent_z[l] : in.exponent[l];
        out.ahead[l] = behind ^ 1u;
      }
      copy_words(in.z, out.z);
      copy_words(in.sign, out.sign);
      copy_words(in.sign_z, out.sign_z);
      copy_words(in.special, out.special);
      break;
    case SpPath::kToInteger:
    case SpPath::kToFloat:
      copy_words(in.x, out.x);
      copy_words(in.carry, out.carry);
      copy_words(in.sign, out.sign);
      if (c.from.is_float) {
        plan_conversion(c, in, out);
      } else {
        for (unsigned l = 0; l < kNumSpLanes; ++l) out.count[l] = 0;
        copy_words(in.exponent, out.exponent);
        copy_words(in.special, out.special);
      }
      break;
  }
}

inline void add_product(const SpControl& c, const SpMultiplied& __restrict in, SpProduct& __restrict out) {
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
    case SpPath::kLogic: copy_words(in.x, out.x); break;
    case SpPath::kAdd:
      copy_words(in.x, out.x);
      copy_words(in.y, out.y);
      copy_words(in.carry, out.carry);
      break;
    case SpPath::kCompare:
      copy_words(in.x, out.x);
      copy_words(in.y, out.y);
      copy_words(in.special, out.special);
      break;
    case SpPath::kDistance:
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        out.x[l] = in.x[l] - in.y[l];
        out.sign[l] = in.x[l] < in.y[l] ? 1u : 0u;
      }
      copy_words(in.z, out.y);
      break;
    case SpPath::kShiftLeft:
    case SpPath::kShiftRight:
      copy_words(in.x, out.x);
      copy_words(in.count, out.count);
      break;
    case SpPath::kMultiply:
    case SpPath::kMultiplyAdd: {
      const unsigned from = c.high ? 16 : 0;
      const std::uint32_t invert = all_if(c.invert_x);
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        out.x[l] = static_cast<std::uint32_t>((in.sum[l] + in.product_carry[l]) >> from) ^ invert;
      }
      if (c.path == SpPath::kMultiply) break;
      copy_words(in.z, out.y);
      copy_words(in.carry, out.carry);
      break;
    }
    case SpPath::kFloat: {
      // The product has 47 or 48 bits. It goes on with its leading one in bit 26: 24 bits and, where no addend follows,
      // three more with the rest of it or-ed into the last.
      constexpr std::uint32_t kBelow = (1u << 21) - 1;
      SpWords product, rest, carry;
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint64_t sum = (in.sum[l] + in.product_carry[l]) & kSpProductMask, wide = sum >> 47;
        const std::uint64_t top = sum + (sum & (wide - 1));
        carry[l] = static_cast<std::uint32_t>(wide);
        product[l] = static_cast<std::uint32_t>(top >> 21);
        rest[l] = static_cast<std::uint32_t>(top);
      }
      const LaneVector z = load_lanes(in.z), wide = load_lanes(carry);
      const LaneVector sign = load_lanes(in.sign), sign_z = load_lanes(in.sign_z);
      const LaneVector ahead = 0u - load_lanes(in.ahead), alone = where_zero(z);
      const LaneVector sticky = ~where_zero(load_lanes(rest) & kBelow) & 1u;
      const LaneVector kept = (load_lanes(product) | sticky) & (alone | ~7u), addend = z << kGuardBits;
      store_lanes(select_lanes(ahead, kept, addend), out.x);
      store_lanes(select_lanes(ahead, addend, kept), out.y);
      const LaneVector count = load_lanes(in.count) + (wide & ahead) - (wide & ~ahead);
      store_lanes(select_lanes(where_above(count, kMaxAlignment), LaneVector{} + kMaxAlignment, count), out.count);
      store_lanes(load_lanes(in.exponent) + (wide & ahead), out.exponent);
      store_lanes(select_lanes(ahead, sign, sign_z), out.sign);
      store_lanes(sign & sign_z, out.zero_sign);
      store_lanes(~alone & 1u, out.limited);
      store_lanes(sign ^ sign_z, out.carry);
      copy_words(in.special, out.special);
      break;
    }
    case SpPath::kToInteger:
    case SpPath::kToFloat:
      copy_words(in.x, out.x);
      copy_words(in.count, out.count);
      copy_words(in.exponent, out.exponent);
      copy_words(in.sign, out.sign);
      copy_words(in.special, out.special);
      copy_words(in.carry, out.carry);
      break;
  }
}

}  // namespace g80::sp_stage
