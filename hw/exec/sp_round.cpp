// SPDX-License-Identifier: Apache-2.0
// Stage 8 of the SPs: rounding, packing, flags.
#include <cstring>

#include "hw/exec/arithmetic.h"
#include "hw/exec/sp_datapath.h"

namespace g80 {

using arithmetic::all_if;

namespace {

constexpr std::uint8_t kZero = 1, kNegative = 2, kVerdictTrue = kNegative, kVerdictFalse = kZero;

/// Rounds the word to the format and packs it. The hidden one adds 1 to the exponent field, and so does a carry out of
/// the rounding: an exponent that starts one lower is right in every case.
template <unsigned kFraction, unsigned kExponent>
void pack_floats(const SpNormalised& in, SpWords& out) {
  constexpr unsigned kDropped = 31 - kFraction;
  constexpr std::uint32_t kTop = (1u << kExponent) - 1, kInfinity = kTop << kFraction;
  constexpr std::uint32_t kNan = kInfinity | ((1u << kFraction) - 1);
  constexpr unsigned kSignPlace = kFraction + kExponent;
  const SpControl& c = in.control;
  const bool is_whole = c.path == SpPath::kToFloat && c.integral;  // rounded before
  const std::uint32_t nearest = !is_whole && c.round == isa::Round::kRn ? 1u : 0;
  const std::uint32_t up_if_positive = !is_whole && c.round == isa::Round::kRp ? 1u : 0;
  const std::uint32_t up_if_negative = !is_whole && c.round == isa::Round::kRm ? 1u : 0;
  const std::uint32_t flush = c.path == SpPath::kFloat ? ~0u : 0;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t word = in.word[l], sign = in.sign[l];
    const std::uint32_t kept = word >> kDropped, guard = word >> (kDropped - 1) & 1u;
    const std::uint32_t sticky = (word & ((1u << (kDropped - 1)) - 1)) != 0 ? 1u : 0;
    const std::uint32_t away = (up_if_positive & (sign ^ 1u)) | (up_if_negative & sign);
    const std::uint32_t up = (nearest & guard & (sticky | kept)) | (away & (guard | sticky));
    const std::uint32_t bits = ((in.exponent[l] - 1) << kFraction) + kept + up;
    const std::uint32_t zero = word == 0 || (bits >> kFraction == 0 && flush != 0) ? ~0u : 0;
    const std::uint32_t over = bits >> kFraction >= kTop ? ~0u : 0;
    const std::uint32_t largest = kInfinity - 1 + (nearest | away);
    const std::uint32_t finite = ((bits & ~over) | (largest & over)) & ~zero;
    const std::uint32_t zero_sign = (in.zero_sign[l] & flush) | (sign & ~flush);
    const std::uint32_t finite_sign = (sign & ~zero) | (zero_sign & zero);
    const std::uint32_t infinite = 0u - (in.special[l] & 1u), nan = 0u - (in.special[l] >> 1 & 1u);
    const std::uint32_t number = finite_sign << kSignPlace | finite;
    const std::uint32_t infinity = (in.special[l] >> 2) << kSignPlace | kInfinity;
    out[l] = (((number & ~infinite) | (infinity & infinite)) & ~nan) | (kNan & nan);
  }
  if (!c.saturate) return;
  constexpr std::uint32_t kOne = (kTop >> 1) << kFraction;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t value = out[l], negative = value >> kSignPlace & 1u;
    const std::uint32_t clamped = negative != 0 ? 0 : value > kOne ? kOne : value;
    out[l] = value == kNan ? value : clamped;
  }
}

template <unsigned kFraction, unsigned kExponent>
void float_flags(const SpWords& words, std::uint8_t (&flags)[kNumSpLanes]) {
  constexpr std::uint32_t kMagnitude = (1u << (kFraction + kExponent)) - 1;
  constexpr std::uint32_t kInfinity = ((1u << kExponent) - 1) << kFraction;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t magnitude = words[l] & kMagnitude, negative = words[l] >> (kFraction + kExponent) & 1u;
    const std::uint32_t zero = magnitude == 0 ? 1u : 0, nan = magnitude > kInfinity ? 1u : 0;
    flags[l] = static_cast<std::uint8_t>(zero | nan | ((negative & (zero ^ 1u)) | nan) << 1);
  }
}

/// C and O come from the adder or a shifter; other paths clear them.
void integer_flags(const SpNormalised& in, const SpWords& words, std::uint8_t (&flags)[kNumSpLanes]) {
  const SpPath path = in.control.path;
  const bool carries = path == SpPath::kAdd || path == SpPath::kMultiplyAdd || path == SpPath::kDistance ||
                       path == SpPath::kShiftLeft || path == SpPath::kShiftRight;
  const std::uint32_t keep = all_if(carries);
  const unsigned top = in.control.half ? 15 : 31;
  for (unsigned l = 0; l < kNumSpLanes; ++l) {
    const std::uint32_t from_adder = (in.carry[l] << 2 | in.overflow[l] << 3) & keep;
    flags[l] = static_cast<std::uint8_t>((words[l] == 0 ? 1u : 0) | (words[l] >> top & 1u) << 1 | from_adder);
  }
}

void set_flags(const SpNormalised& in, SpResult& out) {
  switch (in.control.flags) {
    case SpFlags::kInteger: integer_flags(in, out.word, out.flags); break;
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

}  // namespace

void sp_round(const SpNormalised& in, SpResult& out) {
  const SpControl& c = in.control;
  const std::uint32_t keep = c.half ? 0xffffu : ~0u;
  switch (c.path) {
    case SpPath::kNone: break;
    case SpPath::kFloat: pack_floats<23, 8>(in, out.word); break;
    case SpPath::kToFloat: c.to.bits == 16 ? pack_floats<10, 5>(in, out.word) : pack_floats<23, 8>(in, out.word); break;
    case SpPath::kToInteger:
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = (in.word[l] + in.sign[l]) & keep;
      break;
    default:
      for (unsigned l = 0; l < kNumSpLanes; ++l) out.word[l] = in.word[l] & keep;
      break;
  }
  if (c.writes_flags) set_flags(in, out);
  if (c.increments) std::memcpy(out.addr, in.addr, sizeof out.addr);
}

}  // namespace g80
