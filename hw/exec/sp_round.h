// SPDX-License-Identifier: Apache-2.0
// Stage 8 of the SPs: rounding, packing, flags.

#pragma once
#include "hw/exec/arithmetic.h"
#include "hw/exec/lane_vector.h"
#include "hw/exec/sp_datapath.h"

namespace g80::sp_stage {

using arithmetic::all_if;

inline constexpr std::uint8_t kZero = 1, kNegative = 2, kVerdictTrue = kNegative, kVerdictFalse = kZero;

/// Rounds the word to the format and packs it. The hidden one adds 1 to the exponent field, and so does a carry out of
/// the rounding: an exponent that starts one lower is right in every case.
template <unsigned kFraction, unsigned kExponent>
inline void pack_floats(const SpControl& c, const SpNormalised& __restrict in, SpWords& __restrict out) {
  constexpr unsigned kDropped = 31 - kFraction;
  constexpr std::uint32_t kTop = (1u << kExponent) - 1, kInfinity = kTop << kFraction;
  constexpr std::uint32_t kNan = kInfinity | ((1u << kFraction) - 1);
  constexpr unsigned kSignPlace = kFraction + kExponent;
  const bool is_whole = c.path == SpPath::kToFloat && c.integral;  // rounded before
  const arithmetic::RoundingMode mode(is_whole ? isa::Round::kRz : c.round);
  const std::uint32_t flush = all_if(c.path == SpPath::kFloat);
  const LaneVector word = load_lanes(in.word), sign = load_lanes(in.sign);
  const LaneVector kept = word >> kDropped, guard = word >> (kDropped - 1) & 1u;
  const LaneVector sticky = ~where_zero(word << (33 - kDropped)) & 1u;
  const LaneVector bits = ((load_lanes(in.exponent) - 1u) << kFraction) + kept + mode.up(sign, kept, guard, sticky);
  const LaneVector field = bits >> kFraction;
  const LaneVector zero = where_zero(word) | (where_zero(field) & flush), over = where_above(field, kTop - 1);
  const LaneVector largest = (mode.away(sign) | mode.nearest) + (kInfinity - 1);
  const LaneVector finite = select_lanes(over, largest, bits) & ~zero;
  const LaneVector final_sign = select_lanes(zero & flush, load_lanes(in.zero_sign), sign);
  const LaneVector special = load_lanes(in.special), infinite = 0u - (special & 1u), nan = 0u - (special >> 1 & 1u);
  const LaneVector infinity = (special >> 2) << kSignPlace | kInfinity;
  store_lanes(
      select_lanes(nan, LaneVector{} + kNan, select_lanes(infinite, infinity, finite | final_sign << kSignPlace)), out);
  if (!c.saturate) return;
  constexpr std::uint32_t kOne = (kTop >> 1) << kFraction;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t value = out[l], negative = value >> kSignPlace & 1u;
    const std::uint32_t clamped = negative != 0 ? 0 : value > kOne ? kOne : value;
    out[l] = value == kNan ? value : clamped;
  }
}

inline void narrow(const SpWords& from, std::uint8_t (&to)[kNumSpLanes]) {
  for (unsigned l = 0; l < kNumSpLanes; ++l) to[l] = static_cast<std::uint8_t>(from[l]);
}

template <unsigned kFraction, unsigned kExponent>
inline void float_flags(const SpWords& words, std::uint8_t (&flags)[kNumSpLanes]) {
  constexpr std::uint32_t kMagnitude = (1u << (kFraction + kExponent)) - 1;
  constexpr std::uint32_t kInfinity = ((1u << kExponent) - 1) << kFraction;
  SpWords both;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t magnitude = words[l] & kMagnitude, negative = words[l] >> (kFraction + kExponent) & 1u;
    const std::uint32_t zero = magnitude == 0 ? 1u : 0;
    const std::uint32_t nan = static_cast<std::int32_t>(magnitude) > static_cast<std::int32_t>(kInfinity) ? 1u : 0;
    both[l] = zero | nan | ((negative & (zero ^ 1u)) | nan) << 1;
  }
  narrow(both, flags);
}

/// C and O come from the adder or a shifter; other paths clear them.
inline void integer_flags(const SpControl& c, const SpNormalised& __restrict in, const SpWords& words,
                          std::uint8_t (&flags)[kNumSpLanes]) {
  const SpPath path = c.path;
  const bool carries = path == SpPath::kAdd || path == SpPath::kMultiplyAdd || path == SpPath::kDistance ||
                       path == SpPath::kShiftLeft || path == SpPath::kShiftRight;
  const std::uint32_t keep = all_if(carries);
  const unsigned top = c.half ? 15 : 31;
  SpWords both;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t from_adder = (in.carry[l] << 2 | in.overflow[l] << 3) & keep;
    both[l] = (words[l] == 0 ? 1u : 0) | (words[l] >> top & 1u) << 1 | from_adder;
  }
  narrow(both, flags);
}

inline void set_flags(const SpControl& c, const SpNormalised& __restrict in, SpResult& __restrict out) {
  switch (c.flags) {
    case SpFlags::kInteger: integer_flags(c, in, out.word, out.flags); break;
    case SpFlags::kFloat32: float_flags<23, 8>(out.word, out.flags); break;
    case SpFlags::kFloat16: float_flags<10, 5>(out.word, out.flags); break;
    case SpFlags::kSelected:
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        const bool zero = (out.word[l] & 0x7fffffffu) == 0;
        out.flags[l] = zero ? kZero : static_cast<std::uint8_t>(out.word[l] >> 31 << 1);
      }
      break;
    case SpFlags::kWord:
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.flags[l] = out.word[l] & 15u;
      break;
    case SpFlags::kVerdict:
      for (unsigned l = 0; l < kNumSpLanes; ++l) {
        out.flags[l] = (in.verdict >> l & 1u) != 0 ? kVerdictTrue : kVerdictFalse;
      }
      break;
  }
}

inline void round(const SpControl& c, const SpNormalised& __restrict in, SpResult& __restrict out) {
  const std::uint32_t keep = c.half ? 0xffffu : ~0u;
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kFloat: pack_floats<23, 8>(c, in, out.word); break;
    case SpPath::kToFloat:
      c.to.bits() == 16 ? pack_floats<10, 5>(c, in, out.word) : pack_floats<23, 8>(c, in, out.word);
      break;
    case SpPath::kToInteger:
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = (in.word[l] + in.sign[l]) & keep;
      break;
    default:
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = in.word[l] & keep;
      break;
  }
  if (c.writes_flags) set_flags(c, in, out);
}

}  // namespace g80::sp_stage
