// SPDX-License-Identifier: Apache-2.0
// Stages 4 and 5 of the SPs: the alignment shift and the wide adder.
#include "hw/exec/arithmetic.h"
#include "hw/exec/lane_vector.h"
#include "hw/exec/sp_words.h"

namespace g80 {

namespace {

/// Shift right with the last bit that left as carry; overflow: a shift by one changed the sign.
void align_shift(const SpProduct& __restrict in, SpAligned& __restrict out) {
  const SpControl& c = in.control;
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
void align_converted(const SpProduct& __restrict in, SpAligned& __restrict out) {
  const bool rounds = in.control.path == SpPath::kToInteger || in.control.integral;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const arithmetic::Shifted shifted = arithmetic::shift_right(in.x[l], in.count[l]);
    const std::uint32_t guard = shifted.out >> 31, sticky = shifted.out << 1 != 0 ? 1u : 0;
    out.x[l] = shifted.kept | (rounds ? 0 : guard | sticky);
    out.y[l] = rounds ? guard << 1 | sticky : 0;
  }
}

/// The chip converts large integers to f16 wrongly: it drops the top bits. It drops two, and one more for each leading
/// zero of the low half word, up to seven; it counts them before the complement of a negative number gets its 1.
void mask_for_half(const SpProduct& __restrict in, SpAligned& __restrict out) {
  constexpr std::uint32_t kStop = 1u << 26;  // ends the count at five
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    out.y[l] = ~0u >> (2 + arithmetic::leading_zeros((in.x[l] << 16) | kStop));
  }
}

}  // namespace

G80_LANE_FUNCTION void sp_align(const SpProduct& __restrict in, SpAligned& __restrict out) {
  hand_on(in, out);
  const SpControl& c = in.control;
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
    case SpPath::kShiftRight: align_shift(in, out); break;
    case SpPath::kFloat:
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const arithmetic::Shifted shifted = arithmetic::shift_right(in.y[l], in.count[l]);
        out.y[l] = shifted.kept | (shifted.out != 0 ? 1u : 0);
      }
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.y[l] ^= 0u - in.carry[l];
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
        align_converted(in, out);
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

G80_LANE_FUNCTION void sp_add(const SpAligned& __restrict in, SpSum& __restrict out) {
  hand_on(in, out);
  const SpControl& c = in.control;
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
    case SpPath::kLogic:
    case SpPath::kMultiply: copy_words(in.x, out.word); break;
    case SpPath::kShiftRight:
      copy_words(in.x, out.word);
      hand_on_flags(in, out);
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

}  // namespace g80
