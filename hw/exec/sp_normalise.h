// SPDX-License-Identifier: Apache-2.0
// Stages 6 and 7 of the SPs: the leading-zero count and the normalising shift.
#pragma once
#include "hw/exec/arithmetic.h"
#include "hw/exec/lane_vector.h"
#include "hw/exec/sp_words.h"

namespace g80::sp_stage {

using arithmetic::all_if;

/// Saturation of a signed sum; a 16-bit one leaves the upper half of the adder.
inline void finish_sum(const SpControl& c, const SpSum& __restrict in, SpCounted& __restrict out) {
  const unsigned shift = c.half ? 16 : 0;
  if (c.saturate) {
    for (unsigned l = 0; l < kNumSpLanes; ++l) {
      const std::uint32_t limit = 0x7fffffffu + in.sign[l];
      out.word[l] = (in.overflow[l] != 0 ? limit : in.word[l]) >> shift;
    }
  } else {
    for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = in.word[l] >> shift;
  }
  hand_on_flags(c, in, out);
}

/// A mask that says whether the relation holds, or one of the operands.
inline void choose(const SpControl& c, const SpSum& __restrict in, SpCounted& __restrict out) {
  if (c.choice == SpChoice::kRelation) {
    const std::uint32_t less = all_if((c.relations & 1u) != 0), equal = all_if((c.relations & 2u) != 0);
    const std::uint32_t greater = all_if((c.relations & 4u) != 0), unordered = all_if((c.relations & 8u) != 0);
    const std::uint32_t floats = all_if(c.from.is_float);
    for (unsigned l = 0; l < kNumSpLanes; ++l) {
      const std::uint32_t same = in.word[l] == 0 ? equal : greater, not_less = 0u - in.carry[l];
      const std::uint32_t ordered = (same & not_less) | (less & ~not_less);
      const std::uint32_t nan = (in.special[l] & floats) != 0 ? ~0u : 0;
      out.word[l] = (ordered & ~nan) | (unordered & nan);
    }
    return;
  }
  const std::uint32_t larger = all_if(c.choice == SpChoice::kLarger), sign = 0x80000000u;
  const std::uint32_t flip = c.from.is_float || c.from.is_signed ? sign : 0, invert = all_if(c.from.is_float) & ~sign;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t second = larger ^ (0u - in.carry[l]);
    const std::uint32_t chosen = (in.y[l] & second) | (in.x[l] & ~second);
    out.word[l] = chosen ^ flip ^ (((chosen >> 31) - 1) & invert);
  }
}

/// The largest magnitude of the type that the sign allows, where the number lies beyond it.
inline void clamp(const SpFormat& to, const SpSum& __restrict in, SpCounted& __restrict out) {
  const unsigned magnitude_bits = to.bits() - (to.is_signed ? 1u : 0u);
  const std::uint32_t positive = ~0u >> (32 - magnitude_bits), negative = to.is_signed ? positive + 1 : 0;
  const std::uint32_t keeps_sign = all_if(to.is_signed);
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t sign = 0u - in.sign[l], infinite = 0u - (in.special[l] & 1u & ~(in.special[l] >> 1));
    const std::uint32_t large = (in.word[l] & ~positive) != 0 ? ~0u : 0;
    const std::uint32_t beyond = large | infinite | (sign & ~keeps_sign);
    const std::uint32_t limit = (positive & ~sign) | (negative & sign);
    out.word[l] = (in.word[l] & ~beyond) | (limit & beyond);
  }
}

/// What arrives at the leading-zero counter when an integer becomes f16: see mask_for_half. A run of ones that rounding
/// can carry through is lost altogether.
inline std::uint32_t masked_for_half(isa::Round round, const SpSum& __restrict in, unsigned l) {
  constexpr std::uint32_t kRun = 0x3fffffe0;
  const isa::Round away = in.sign[l] != 0 ? isa::Round::kRm : isa::Round::kRp;
  const bool lost = (in.word[l] & kRun) == kRun && (round == isa::Round::kRn || round == away);
  return lost ? 0 : in.word[l] & in.y[l];
}

inline void count_zeros(const SpControl& c, const SpSum& __restrict in, SpCounted& __restrict out) {
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
    case SpPath::kLogic:
    case SpPath::kMultiply: copy_words(in.word, out.word); break;
    case SpPath::kShiftRight:
      copy_words(in.word, out.word);
      hand_on_flags(c, in, out);
      break;
    case SpPath::kShiftLeft:
      copy_words(in.word, out.word);
      copy_words(in.count, out.count);
      break;
    case SpPath::kAdd:
    case SpPath::kMultiplyAdd:
    case SpPath::kDistance: finish_sum(c, in, out); break;
    case SpPath::kCompare: choose(c, in, out); break;
    case SpPath::kFloat: {
      // The leading one of the larger operand is in bit 26. Bit 31 has the exponent `base`, less the zeros before it.
      constexpr std::uint32_t kBase = 31 - 26;
      const LaneVector word = load_lanes(in.word), limited = load_lanes(in.limited), before = leading_zeros(word | 1u);
      const LaneVector exponent = load_lanes(in.exponent) + (kBase - kSpExponentOffset) - before;
      // Exponent 0 is just below the smallest normal: rounding decides. A sum is rounded at the place of the smallest
      // normal, so it is shifted by one less. Below that all is zero.
      const LaneVector just_below = where_zero(exponent) & limited, lost = 0u - (exponent >> 31);
      const LaneVector own = ~where_zero(word) & (0u - limited);
      store_lanes(word & ~lost, out.word);
      store_lanes(before - just_below, out.count);
      store_lanes((exponent + just_below) & ~lost, out.exponent);
      store_lanes(select_lanes(own, load_lanes(in.sign), load_lanes(in.zero_sign)), out.zero_sign);
      copy_words(in.sign, out.sign);
      copy_words(in.special, out.special);
      break;
    }
    case SpPath::kToInteger:
      clamp(c.to, in, out);
      copy_words(in.sign, out.sign);
      break;
    case SpPath::kToFloat: {
      const bool from_integer = !c.from.is_float, half = c.to.bits() == 16;
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint32_t word = from_integer && half ? masked_for_half(c.round, in, l) : in.word[l];
        // An f16 that did not become an integer stands where it must be rounded.
        const std::uint32_t zeros = from_integer || c.integral || !half ? arithmetic::leading_zeros(word) : 0;
        out.word[l] = word;
        out.count[l] = zeros & 31u;
        out.exponent[l] = in.exponent[l] - kSpExponentOffset - (zeros & 31u);
      }
      copy_words(in.sign, out.sign);
      copy_words(in.special, out.special);
      break;
    }
  }
}

inline void normalise(const SpControl& c, const SpCounted& __restrict in, SpNormalised& __restrict out) {
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
    case SpPath::kLogic:
    case SpPath::kMultiply:
    case SpPath::kCompare: copy_words(in.word, out.word); break;
    case SpPath::kShiftRight:
    case SpPath::kAdd:
    case SpPath::kMultiplyAdd:
    case SpPath::kDistance:
      copy_words(in.word, out.word);
      hand_on_flags(c, in, out);
      break;
    case SpPath::kShiftLeft: {
      const unsigned bits = c.half ? 16 : 32;
      SpWords beyond;
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint64_t shifted = std::uint64_t{in.word[l]} << (in.count[l] & kMaxSpShift);
        out.word[l] = static_cast<std::uint32_t>(shifted);
        beyond[l] = static_cast<std::uint32_t>(shifted >> 32);
      }
      if (c.writes_flags) {
        for (unsigned l = 0; l < kNumSpLanes; ++l) {
          out.carry[l] = beyond[l] & (in.count[l] != bits ? 1u : 0);
          out.overflow[l] = (in.word[l] ^ out.word[l]) >> 31 & (in.count[l] == 1 ? 1u : 0);
        }
      }
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] >>= 32 - bits;
      break;
    }
    case SpPath::kToInteger:
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = in.word[l] ^ (0u - in.sign[l]);
      copy_words(in.sign, out.sign);
      break;
    case SpPath::kFloat:
    case SpPath::kToFloat:
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = in.word[l] << (in.count[l] & 31u);
      // Exponents above all formats count as one: infinity's.
      const LaneVector exponent = load_lanes(in.exponent);
      store_lanes((exponent | where_above(exponent, 254)) & 0xffu, out.exponent);
      copy_words(in.sign, out.sign);
      copy_words(in.zero_sign, out.zero_sign);
      copy_words(in.special, out.special);
      break;
  }
}

}  // namespace g80::sp_stage
