// SPDX-License-Identifier: Apache-2.0
// The texture filter's fp32 arithmetic in integers: weighted texels and their sum, each rounded to nearest even.
// Denormals count as zeros on both sides; a NaN gives the machine's one NaN.
#pragma once
#include <algorithm>
#include <cstdint>

#include "hw/common/field_list.h"

namespace g80::texture_float {

inline constexpr std::uint32_t kSign = 0x80000000u, kInfinity = 0x7f800000u, kNan = 0x7fffffffu;
inline constexpr std::uint32_t kFraction = 0x7fffffu, kHiddenBit = 0x800000u;

constexpr unsigned exponent_of(std::uint32_t value) { return value >> 23 & 0xffu; }
constexpr std::uint32_t significand_of(std::uint32_t value) { return (value & kFraction) | kHiddenBit; }
constexpr bool is_nan(std::uint32_t value) { return (value & ~kSign) > kInfinity; }
constexpr std::uint32_t without_denormals(std::uint32_t value) {
  return exponent_of(value) == 0 ? value & kSign : value;
}

/// The float nearest to a positive number whose significand has its leading one in bit 31 of `word`; bit 0 is set if
/// any bit below is. `exponent` is biased.
constexpr std::uint32_t rounded(int exponent, std::uint32_t word) {
  const std::uint32_t kept = word >> 8;
  const bool odd = (kept & 1u) != 0, guard = (word & 0x80u) != 0, sticky = (word & 0x7fu) != 0;
  const std::uint32_t significand = kept + (guard && (sticky || odd) ? 1 : 0);
  const int carried = exponent + static_cast<int>(significand >> 24);
  if (carried <= 0) return 0;
  if (carried >= 255) return kInfinity;
  return static_cast<std::uint32_t>(carried) << 23 | (significand & kFraction);
}

/// Of a weight above 0, 2^24 at most, and a texel's component: 24 to 49 bits.
constexpr std::uint64_t product_of(std::uint32_t weight, std::uint32_t value) {
  return std::uint64_t{weight} * significand_of(value);
}
/// The weight / 2^point times the component, whose product this is.
inline std::uint32_t weighted(std::uint64_t product, unsigned point, std::uint32_t value) {
  const std::uint32_t sign = value & kSign;
  if (is_nan(value)) return kNan;
  if ((value & ~kSign) == kInfinity) return value;  // the exponent of zeros and denormals, 0, makes the product a zero
  const int zeros = __builtin_clzll(product);
  const std::uint64_t leading = product << zeros;
  const auto word = static_cast<std::uint32_t>(leading >> 32 | (static_cast<std::uint32_t>(leading) != 0));
  // A product with its leading one in bit 23 is a texel of weight 1 / 2^point.
  return sign | rounded(static_cast<int>(exponent_of(value)) + (63 - zeros - 23) - static_cast<int>(point), word);
}

/// Two floats before they are added: the smaller one is aligned behind the larger one, with three bits more and what
/// falls out of them or-ed into the last one.
struct Aligned {
  bool known = false;  // the sum needs no addition: it is `larger`
  bool negative = false, subtract = false;
  std::uint8_t exponent = 0;  // of the larger one, biased
  std::uint32_t larger = 0, smaller = 0;
  G80_FIELDS(known, negative, subtract, exponent, larger, (smaller, 27));
};
constexpr unsigned kMore = 3;  // bits

inline Aligned align(std::uint32_t a, std::uint32_t b) {
  const auto known = [](std::uint32_t sum) { return Aligned{true, false, false, 0, sum, 0}; };
  a = without_denormals(a);
  b = without_denormals(b);
  if (is_nan(a) || is_nan(b)) return known(kNan);
  if ((a & ~kSign) < (b & ~kSign)) std::swap(a, b);  // a has the larger magnitude
  const bool subtract = ((a ^ b) & kSign) != 0;
  if ((a & ~kSign) == kInfinity) return known(subtract && (b & ~kSign) == kInfinity ? kNan : a);
  if ((a & ~kSign) == 0) return known(a & b);
  if ((b & ~kSign) == 0) return known(a);
  const std::uint32_t smaller = significand_of(b) << kMore;
  const unsigned distance = std::min(exponent_of(a) - exponent_of(b), 31u);
  const std::uint32_t aligned = smaller >> distance | ((smaller & ((1u << distance) - 1)) != 0);
  return {false,  (a & kSign) != 0, subtract, static_cast<std::uint8_t>(exponent_of(a)), significand_of(a) << kMore,
          aligned};
}
/// Their sum, rounded.
inline std::uint32_t add(const Aligned& of) {
  if (of.known) return of.larger;
  const std::uint32_t total = of.subtract ? of.larger - of.smaller : of.larger + of.smaller;
  if (total == 0) return 0;
  const int zeros = __builtin_clz(total);
  constexpr int kLeading = 31 - (23 + static_cast<int>(kMore));  // zeros of `larger`
  return (of.negative ? kSign : 0) | rounded(of.exponent + kLeading - zeros, total << zeros);
}

}  // namespace g80::texture_float
