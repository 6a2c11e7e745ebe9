// SPDX-License-Identifier: Apache-2.0
// Stages 4 and 5 of the SPs: the alignment shift and the wide adder.
#pragma once
#include "hw/exec/arithmetic.h"
#include "hw/exec/lane_vector.h"
#include "hw/exec/sp_words.h"

namespace g80::sp_stage {

/// Shift right with the last bit that left as carry; overflow: a shift by one changed the sign.
inline void align_shift(const SpControl& c, const SpProduct& __restrict in, SpAligned& __restrict out) {
  SpWords shifted_out;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const arithmetic::Shifted shifted = c.from.is_signed ? arithmetic::shift_right_signed(in.x[l], in.count[l])
                                                         : arithmetic::shift_right(in.x[l], in.count[l]);
    out.x[l] = shifted.kept;
    shifted_out[l] = shifted.out;
  }
  if (!c.writes_flags) return;
  const unsigned bits = c.half ? 16 : 32;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    out.carry[l] = shifted_out[l] >> 31 & (in.count[l] != bits ? 1u : 0);
    out.overflow[l] = (in.x[l] ^ out.x[l]) >> (bits - 1) & (in.count[l] == 1 ? 1u : 0);
  }
}

/// Conversions: what is below the binary point leaves the word. Where a rounding follows, its first bit and whether
/// others are set stay as two bits; a denormal f16 keeps all, sticky, for the last stage to round.
inline void align_converted(const SpControl& c, const SpProduct& __restrict in, SpAligned& __restrict out) {
  const bool rounds = c.path == SpPath::kToInteger || c.integral;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const arithmetic::Shifted shifted = arithmetic::shift_right(in.x[l], in.count[l]);
    const std::uint32_t guard = shifted.out >> 31, sticky = shifted.out << 1 != 0 ? 1u : 0;
    out.x[l] = shifted.kept | (rounds ? 0 : guard | sticky);
    out.y[l] = rounds ? guard << 1 | sticky : 0;
  }
}

/// A word shifted right by 0 to 63; bit 0 of the result is set if any one of the next 32 bits is.
inline LaneVector shift_right_sticky(const LaneVector& x, const LaneVector& count) {
  const LaneVector far = where_above(count, 31), moved = x >> (count & 31u), kept = moved & ~far;
  const LaneVector out = select_lanes(far, moved, x ^ (kept << (count & 31u)));
  return kept | (~where_zero(out) & 1u);
}

/// The chip converts large integers to f16 wrongly: it drops the top bits. It drops two, and one more for each leading
/// zero of the low half word, up to seven; it counts them before the complement of a negative number gets its 1.
inline void mask_for_half(const SpProduct& __restrict in, SpAligned& __restrict out) {
  constexpr std::uint32_t kStop = 1u << 26;  // ends the count at five
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    out.y[l] = ~0u >> (2 + arithmetic::leading_zeros((in.x[l] << 16) | kStop));
  }
}

inline void align(const SpControl& c, const SpProduct& __restrict in, SpAligned& __restrict out) {
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
    case SpPath::kLogic:
    case SpPath::kMultiply: copy_words(in.x, out.x); break;
    case SpPath::kAdd:
    case SpPath::kMultiplyAdd:
      copy_words(in.x, out.x);
      copy_words(in.y, out.y);
      copy_words(in.carry, out.carry);
      break;
    case SpPath::kCompare:  // the adder subtracts
      copy_words(in.x, out.x);
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.y[l] = ~in.y[l];
      copy_words(in.special, out.special);
      break;
    case SpPath::kDistance:
      // A negative difference becomes positive: complement here, carry in the adder. The sign of the result is wanted
      // for the overflow of the sum.
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint32_t negative = 0u - in.sign[l], lower_zero = (in.x[l] & 0x7fffffffu) == 0 ? 1u : 0;
        out.x[l] = in.x[l] ^ negative;
        out.sign[l] = out.x[l] >> 31 | (lower_zero & in.sign[l]);
        out.carry[l] = in.sign[l];
      }
      copy_words(in.y, out.y);
      break;
    case SpPath::kShiftLeft:
      copy_words(in.x, out.x);
      copy_words(in.count, out.count);
      break;
    case SpPath::kShiftRight: align_shift(c, in, out); break;
    case SpPath::kFloat:
      store_lanes(shift_right_sticky(load_lanes(in.y), load_lanes(in.count)) ^ (0u - load_lanes(in.carry)), out.y);
      copy_words(in.x, out.x);
      copy_words(in.carry, out.carry);
      copy_words(in.exponent, out.exponent);
      copy_words(in.sign, out.sign);
      copy_words(in.zero_sign, out.zero_sign);
      copy_words(in.limited, out.limited);
      copy_words(in.special, out.special);
      break;
    case SpPath::kToInteger:
    case SpPath::kToFloat:
      if (c.from.is_float) {
        align_converted(c, in, out);
      } else {
        copy_words(in.x, out.x);
        if (c.path == SpPath::kToFloat && c.to.bits() == 16) mask_for_half(in, out);
      }
      copy_words(in.exponent, out.exponent);
      copy_words(in.sign, out.sign);
      copy_words(in.special, out.special);
      copy_words(in.carry, out.carry);
      break;
  }
}

inline void add(const SpControl& c, const SpAligned& __restrict in, SpSum& __restrict out) {
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
    case SpPath::kLogic:
    case SpPath::kMultiply: copy_words(in.x, out.word); break;
    case SpPath::kShiftRight:
      copy_words(in.x, out.word);
      hand_on_flags(c, in, out);
      break;
    case SpPath::kShiftLeft:
      copy_words(in.x, out.word);
      copy_words(in.count, out.count);
      break;
    case SpPath::kAdd:
    case SpPath::kMultiplyAdd:
    case SpPath::kDistance:
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = in.x[l] + in.y[l] + in.carry[l];
      if (!c.writes_flags && !c.saturate) break;
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint32_t x = in.x[l], y = in.y[l], sum = x + y + in.carry[l];
        const std::uint32_t top = c.path == SpPath::kDistance ? in.sign[l] : x >> 31;
        out.carry[l] = ((x & y) | ((x | y) & ~sum)) >> 31;
        out.overflow[l] = (top ^ sum >> 31) & (top ^ y >> 31 ^ 1u);
        out.sign[l] = top;
      }
      break;
    case SpPath::kCompare:
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint32_t x = in.x[l], y = in.y[l], sum = x + y + 1u;
        out.word[l] = sum;
        out.carry[l] = ((x & y) | ((x | y) & ~sum)) >> 31;
        out.x[l] = x;
        out.y[l] = ~y;
      }
      copy_words(in.special, out.special);
      break;
    case SpPath::kFloat:
      // End-around carry: a negative sum is complemented, so that no second operation negates it.
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint32_t sum = in.x[l] + in.y[l] + in.carry[l], negative = sum >> 31;
        out.word[l] = (sum ^ (0u - negative)) + negative;
        out.sign[l] = in.sign[l] ^ negative;
      }
      copy_words(in.exponent, out.exponent);
      copy_words(in.zero_sign, out.zero_sign);
      copy_words(in.limited, out.limited);
      copy_words(in.special, out.special);
      break;
    case SpPath::kToInteger:
    case SpPath::kToFloat:
      if (c.from.is_float && (c.path == SpPath::kToInteger || c.integral)) {
        const arithmetic::RoundingMode mode(c.round);
        for (unsigned l = 0; l < kNumSpLanes; ++l) {
          out.word[l] = in.x[l] + mode.up(in.sign[l], in.x[l] & 1u, in.y[l] >> 1, in.y[l] & 1u);
        }
      } else {
        for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = in.x[l] + in.carry[l];
        if (c.path == SpPath::kToFloat && c.to.bits() == 16) copy_words(in.y, out.y);
      }
      copy_words(in.exponent, out.exponent);
      copy_words(in.sign, out.sign);
      copy_words(in.special, out.special);
      break;
  }
}

}  // namespace g80::sp_stage
