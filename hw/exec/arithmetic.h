// SPDX-License-Identifier: Apache-2.0
// The small pieces of combinational logic that the stages of the execution units are built from.
//
// Each function is one piece of hardware: a leading-zero counter, a shifter that keeps what it shifts out, a rounding
// decision (with guard and sticky bits as in Ercegovac and Lang, Digital Arithmetic, 2004, chapter 8), what every float
// that leaves a unit passes.
#pragma once
#include <cstdint>

#include "hw/isa/instruction.h"

namespace g80::arithmetic {

/// 32 copies of one control bit: what a row of exclusive-or or multiplexer gates gets.
constexpr std::uint32_t all_if(bool bit) { return 0u - std::uint32_t{bit}; }

/// Leading zeros of a word; its width if it is zero.
constexpr unsigned leading_zeros(std::uint32_t x) {
  return static_cast<unsigned>(__builtin_clz(x | 1u)) + (x == 0 ? 1u : 0u);
}
constexpr unsigned leading_zeros(std::uint64_t x) {
  return static_cast<unsigned>(__builtin_clzll(x | 1u)) + (x == 0 ? 1u : 0u);
}

/// The two words of a right shifter: what stays, and what went out of it, left-aligned. Bit 31 of `out` is the last bit
/// shifted out: the carry of a shift, and the guard bit of a rounding.
struct Shifted {
  std::uint32_t kept;
  std::uint32_t out;
};
/// `count` is 0..63. The places that become free fill with zeros.
constexpr Shifted shift_right(std::uint32_t x, unsigned count) {
  const std::uint64_t both = (std::uint64_t{x} << 32) >> (count & 63u);
  return {static_cast<std::uint32_t>(both >> 32), static_cast<std::uint32_t>(both)};
}
/// The same, filled with copies of bit 31.
constexpr Shifted shift_right_signed(std::uint32_t x, unsigned count) {
  const auto both = static_cast<std::uint64_t>(static_cast<std::int64_t>(std::uint64_t{x} << 32) >> (count & 63u));
  return {static_cast<std::uint32_t>(both >> 32), static_cast<std::uint32_t>(both)};
}

/// Right shift of a wide word; bit 0 of the result is sticky: set if any one was shifted out.
constexpr std::uint64_t shift_right_sticky(std::uint64_t x, unsigned count) {
  if (count > 63) return x != 0;
  return x >> count | ((x & ((std::uint64_t{1} << count) - 1)) != 0);
}

/// Whether rounding moves a magnitude away from zero. `odd`: the lowest bit kept; `guard`: the first bit dropped;
/// `sticky`: any one below it.
constexpr bool rounds_up(isa::Round round, bool negative, bool odd, bool guard, bool sticky) {
  switch (round) {
    case isa::Round::kRn: return guard && (sticky || odd);
    case isa::Round::kRm: return negative && (guard || sticky);
    case isa::Round::kRp: return !negative && (guard || sticky);
    default: return false;
  }
}

// The words may be vectors of the host, which older hosts would pass in another way. No call passes one.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

/// The same decision for rows of lanes: the mode as three control lines, all other bits as 0 or 1, in words or in
/// vectors of words. Of `odd` only bit 0 counts.
struct RoundingMode {
  std::uint32_t nearest, up_if_positive, up_if_negative;
  explicit constexpr RoundingMode(isa::Round round)
      : nearest(round == isa::Round::kRn ? 1u : 0),
        up_if_positive(round == isa::Round::kRp ? 1u : 0),
        up_if_negative(round == isa::Round::kRm ? 1u : 0) {}
  /// 1 in the directed mode that points away from zero for a number of this sign.
  template <class Word>
  constexpr Word away(const Word& sign) const {
    return (up_if_positive & (sign ^ 1u)) | (up_if_negative & sign);
  }
  template <class Word>
  constexpr Word up(const Word& sign, const Word& odd, const Word& guard, const Word& sticky) const {
    return (nearest & guard & (sticky | odd)) | (away(sign) & (guard | sticky));
  }
};

#pragma GCC diagnostic pop

// Words of fp32.
inline constexpr std::uint32_t kF32Sign = 0x80000000u, kF32Fraction = 0x007fffffu, kF32HiddenBit = 0x00800000u;
inline constexpr std::uint32_t kF32Infinity = 0x7f800000u, kF32Nan = 0x7fffffffu, kF32One = 0x3f800000u;

constexpr bool is_f32_nan(std::uint32_t value) { return (value & ~kF32Sign) > kF32Infinity; }

/// Clamped to 0 .. 1; a NaN is the machine's one NaN.
constexpr std::uint32_t f32_saturated(std::uint32_t value) {
  if (is_f32_nan(value)) return kF32Nan;
  if ((value & kF32Sign) != 0) return 0;
  return value > kF32One ? kF32One : value;
}

/// Z for zero and NaN, S for a negative number and NaN.
constexpr std::uint8_t f32_flags(std::uint32_t value) {
  const bool nan = is_f32_nan(value), zero = (value & ~kF32Sign) == 0;
  const bool negative = (value & kF32Sign) != 0 && !zero;
  return static_cast<std::uint8_t>((zero || nan ? 1u : 0u) | (negative || nan ? 2u : 0u));
}

}  // namespace g80::arithmetic
