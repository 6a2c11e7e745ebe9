// SPDX-License-Identifier: Apache-2.0
// Stages 2 to 7 of the SPs: from the second half of the product to the normalising shift.
#include "hw/exec/sp_datapath.h"

#include <cstring>

#include "hw/exec/arithmetic.h"
#include "hw/exec/lane_quad.h"

namespace g80 {

using arithmetic::all_if;

namespace {

constexpr unsigned kGuardBits = 3;     // below the 24 bits of a significand in the adder
constexpr std::uint32_t kTopBit = 31;  // where the normaliser brings the leading one
constexpr unsigned kMaxShift = 63;
constexpr unsigned kMaxAlignment =
    32;  // all bits are out of the word, but none beyond the ones that are kept as sticky
constexpr unsigned kF32Fraction = 23, kF16Fraction = 10;

void copy_words(const SpWords& from, SpWords& to) { std::memcpy(to, from, sizeof to); }

/// What every stage hands on.
template <class From, class To>
void hand_on(const From& in, To& out) {
  out.control = in.control;
  out.verdict = in.verdict;
  if (in.control.increments) copy_words(in.addr, out.addr);
}

/// The shift that a float to convert needs, and the exponent that bit 31 has after it: to bit 0 for an integer or an
/// integral value, to the place of denormals for an f16 too small for its exponent.
void plan_conversion(const SpUnpacked& __restrict in, SpMultiplied& __restrict out) {
  const SpControl& c = in.control;
  const bool half = c.to.bits() == 16;
  const bool whole = c.path == SpPath::kToInteger || c.integral;
  const std::uint32_t bias = c.path == SpPath::kToInteger ? 0u : half ? 15u : 127u;
  const std::uint32_t zero = kSpExponentOffset + bias;  // exponent field of 1.0
  // From here on a value is integral as it is, or too large for every integer.
  const std::uint32_t large = zero + (c.path == SpPath::kToInteger ? 32u : half ? kF16Fraction : kF32Fraction);
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
    out.count[l] = count < kMaxShift ? count : kMaxShift;
    out.exponent[l] = exponent;
    out.special[l] = special;
  }
}

}  // namespace

void sp_multiply(const SpUnpacked& __restrict in, SpMultiplied& __restrict out) {
  hand_on(in, out);
  const SpControl& c = in.control;
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
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        out.low[l] = in.low[l];
        out.high[l] = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(in.x[l])} *
                                                 std::int64_t{static_cast<std::int32_t>(in.y[l])});
      }
      if (c.path == SpPath::kMultiply) break;
      copy_words(in.z, out.z);
      copy_words(in.carry, out.carry);
      break;
    case SpPath::kFloat:
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        out.low[l] = in.low[l];
        out.high[l] = std::uint64_t{in.x[l]} * in.y[l];
      }
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
        plan_conversion(in, out);
      } else {
        for (unsigned l = 0; l < kNumSpLanes; ++l) out.count[l] = 0;
        copy_words(in.exponent, out.exponent);
        copy_words(in.special, out.special);
      }
      break;
  }
  if (c.increments) {  // an adder of 16 bits beside the multiplier
    for (unsigned l = 0; l < kNumSpLanes; ++l) out.addr[l] = (in.addr[l] + c.increment) & 0xffffu;
  }
}

void sp_add_product(const SpMultiplied& __restrict in, SpProduct& __restrict out) {
  hand_on(in, out);
  const SpControl& c = in.control;
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
        out.x[l] = static_cast<std::uint32_t>((in.low[l] + (in.high[l] << 12)) >> from) ^ invert;
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
        const std::uint64_t sum = in.low[l] + (in.high[l] << 12), wide = sum >> 47;
        const std::uint64_t top = sum + (sum & (wide - 1));
        carry[l] = static_cast<std::uint32_t>(wide);
        product[l] = static_cast<std::uint32_t>(top >> 21);
        rest[l] = static_cast<std::uint32_t>(top);
      }
      for (unsigned l = 0; l < kNumSpLanes; l += kLanesPerQuad) {
        const LaneQuad z = load_quad(in.z, l), wide = load_quad(carry, l);
        const LaneQuad sign = load_quad(in.sign, l), sign_z = load_quad(in.sign_z, l);
        const LaneQuad ahead = 0u - load_quad(in.ahead, l), alone = where_zero(z);
        const LaneQuad sticky = ~where_zero(load_quad(rest, l) & kBelow) & 1u;
        const LaneQuad kept = (load_quad(product, l) | sticky) & (alone | ~7u), addend = z << kGuardBits;
        store_quad(select_quad(ahead, kept, addend), out.x, l);
        store_quad(select_quad(ahead, addend, kept), out.y, l);
        const LaneQuad count = load_quad(in.count, l) + (wide & ahead) - (wide & ~ahead);
        store_quad(select_quad(where_above(count, kMaxAlignment), LaneQuad{} + kMaxAlignment, count), out.count, l);
        store_quad(load_quad(in.exponent, l) + (wide & ahead), out.exponent, l);
        store_quad(select_quad(ahead, sign, sign_z), out.sign, l);
        store_quad(sign & sign_z, out.zero_sign, l);
        store_quad(~alone & 1u, out.limited, l);
        store_quad(sign ^ sign_z, out.carry, l);
      }
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

void sp_align(const SpProduct& __restrict in, SpAligned& __restrict out) {
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

void sp_add(const SpAligned& __restrict in, SpSum& __restrict out) {
  hand_on(in, out);
  const SpControl& c = in.control;
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
    case SpPath::kLogic:
    case SpPath::kMultiply: copy_words(in.x, out.word); break;
    case SpPath::kShiftRight:
      copy_words(in.x, out.word);
      if (!c.writes_flags) break;
      copy_words(in.carry, out.carry);
      copy_words(in.overflow, out.overflow);
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

namespace {

/// Saturation of a signed sum; a 16-bit one leaves the upper half of the adder.
void finish_sum(const SpSum& __restrict in, SpCounted& __restrict out) {
  const SpControl& c = in.control;
  const unsigned shift = c.half ? 16 : 0;
  if (c.saturate) {
    for (unsigned l = 0; l < kNumSpLanes; ++l) {
      const std::uint32_t limit = 0x7fffffffu + in.sign[l];
      out.word[l] = (in.overflow[l] != 0 ? limit : in.word[l]) >> shift;
    }
  } else {
    for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = in.word[l] >> shift;
  }
  if (!c.writes_flags) return;
  copy_words(in.carry, out.carry);
  copy_words(in.overflow, out.overflow);
}

/// A mask that says whether the relation holds, or one of the operands.
void choose(const SpSum& __restrict in, SpCounted& __restrict out) {
  const SpControl& c = in.control;
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
void clamp(const SpSum& __restrict in, SpCounted& __restrict out) {
  const SpFormat& to = in.control.to;
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
std::uint32_t masked_for_half(const SpSum& __restrict in, unsigned l) {
  constexpr std::uint32_t kRun = 0x3fffffe0;
  const isa::Round round = in.control.round, away = in.sign[l] != 0 ? isa::Round::kRm : isa::Round::kRp;
  const bool lost = (in.word[l] & kRun) == kRun && (round == isa::Round::kRn || round == away);
  return lost ? 0 : in.word[l] & in.y[l];
}

}  // namespace

void sp_count_zeros(const SpSum& __restrict in, SpCounted& __restrict out) {
  hand_on(in, out);
  const SpControl& c = in.control;
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
    case SpPath::kLogic:
    case SpPath::kMultiply: copy_words(in.word, out.word); break;
    case SpPath::kShiftRight:
      copy_words(in.word, out.word);
      if (!c.writes_flags) break;
      copy_words(in.carry, out.carry);
      copy_words(in.overflow, out.overflow);
      break;
    case SpPath::kShiftLeft:
      copy_words(in.word, out.word);
      copy_words(in.count, out.count);
      break;
    case SpPath::kAdd:
    case SpPath::kMultiplyAdd:
    case SpPath::kDistance: finish_sum(in, out); break;
    case SpPath::kCompare: choose(in, out); break;
    case SpPath::kFloat: {
      // The leading one of the larger operand is in bit 26. Bit 31 has the exponent `base`, less the zeros before it.
      constexpr std::uint32_t kBase = 31 - 26;
      SpWords zeros;
      for (unsigned l = 0; l < kNumSpLanes; ++l) zeros[l] = arithmetic::leading_zeros(in.word[l] | 1u);
      for (unsigned l = 0; l < kNumSpLanes; l += kLanesPerQuad) {
        const LaneQuad word = load_quad(in.word, l), limited = load_quad(in.limited, l), before = load_quad(zeros, l);
        const LaneQuad exponent = load_quad(in.exponent, l) + (kBase - kSpExponentOffset) - before;
        // Exponent 0 is just below the smallest normal: rounding decides. A sum is rounded at the place of the smallest
        // normal, so it is shifted by one less. Below that all is zero.
        const LaneQuad just_below = where_zero(exponent) & limited, lost = 0u - (exponent >> 31);
        const LaneQuad own = ~where_zero(word) & (0u - limited);
        store_quad(word & ~lost, out.word, l);
        store_quad(before - just_below, out.count, l);
        store_quad((exponent + just_below) & ~lost, out.exponent, l);
        store_quad(select_quad(own, load_quad(in.sign, l), load_quad(in.zero_sign, l)), out.zero_sign, l);
      }
      copy_words(in.sign, out.sign);
      copy_words(in.special, out.special);
      break;
    }
    case SpPath::kToInteger:
      clamp(in, out);
      copy_words(in.sign, out.sign);
      break;
    case SpPath::kToFloat: {
      const bool from_integer = !c.from.is_float, half = c.to.bits() == 16;
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint32_t word = from_integer && half ? masked_for_half(in, l) : in.word[l];
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

void sp_normalise(const SpCounted& __restrict in, SpNormalised& __restrict out) {
  hand_on(in, out);
  const SpControl& c = in.control;
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kMove:
    case SpPath::kLogic:
    case SpPath::kMultiply:
    case SpPath::kCompare: copy_words(in.word, out.word); break;
    case SpPath::kShiftRight:
      copy_words(in.word, out.word);
      if (!c.writes_flags) break;
      copy_words(in.carry, out.carry);
      copy_words(in.overflow, out.overflow);
      break;
    case SpPath::kAdd:
    case SpPath::kMultiplyAdd:
    case SpPath::kDistance:
      copy_words(in.word, out.word);
      if (!c.writes_flags) break;
      copy_words(in.carry, out.carry);
      copy_words(in.overflow, out.overflow);
      break;
    case SpPath::kShiftLeft: {
      const unsigned bits = c.half ? 16 : 32;
      SpWords beyond;
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const std::uint64_t shifted = std::uint64_t{in.word[l]} << (in.count[l] & kMaxShift);
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
      for (unsigned l = 0; l < kNumSpLanes; l += kLanesPerQuad) {
        const LaneQuad exponent = load_quad(in.exponent, l);
        store_quad((exponent | where_above(exponent, 254)) & 0xffu, out.exponent, l);
      }
      copy_words(in.sign, out.sign);
      copy_words(in.zero_sign, out.zero_sign);
      copy_words(in.special, out.special);
      break;
  }
}

}  // namespace g80
