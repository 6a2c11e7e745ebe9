// SPDX-License-Identifier: Apache-2.0
// A word of each of the eight SPs as one vector of the host: operators work on each lane. For the stages that decide
// much per lane, where the compiler makes more of it than of a loop.
#pragma once
#include <cstdint>
#include <cstring>

#include "hw/common/lane_function.h"

// Hosts without such vectors would pass them in another way. No call passes one.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace g80 {

inline constexpr unsigned kVectorLanes = 8;
using LaneVector = std::uint32_t __attribute__((vector_size(4 * kVectorLanes)));
using SignedLanes = std::int32_t __attribute__((vector_size(4 * kVectorLanes)));
/// 64 bits of each of four lanes.
using WideLanes = std::uint64_t __attribute__((vector_size(4 * kVectorLanes)));

inline LaneVector load_lanes(const std::uint32_t (&words)[kVectorLanes]) {
  LaneVector lanes;
  std::memcpy(&lanes, words, sizeof lanes);
  return lanes;
}
inline void store_lanes(const LaneVector& lanes, std::uint32_t (&words)[kVectorLanes]) {
  std::memcpy(words, &lanes, sizeof lanes);
}

/// A word of 64 bits of each lane, in the order in which interleave() puts them.
struct LaneVector64 {
  WideLanes low, high;  // lanes 0, 1, 4, 5 and 2, 3, 6, 7
};
/// Words of 64 bits from their halves.
inline LaneVector64 interleave(const LaneVector& low, const LaneVector& high) {
  return {reinterpret_cast<WideLanes>(__builtin_shuffle(low, high, LaneVector{0, 8, 1, 9, 4, 12, 5, 13})),
          reinterpret_cast<WideLanes>(__builtin_shuffle(low, high, LaneVector{2, 10, 3, 11, 6, 14, 7, 15}))};
}
/// From the order of lanes in memory to that of LaneVector64, and back.
inline LaneVector64 exchange_middle(const LaneVector64& x) {
  return {__builtin_shuffle(x.low, x.high, WideLanes{0, 1, 4, 5}),
          __builtin_shuffle(x.low, x.high, WideLanes{2, 3, 6, 7})};
}
inline LaneVector64 load_lanes(const std::uint64_t (&words)[kVectorLanes]) {
  LaneVector64 lanes;
  std::memcpy(&lanes.low, &words[0], sizeof lanes.low);
  std::memcpy(&lanes.high, &words[kVectorLanes / 2], sizeof lanes.high);
  return exchange_middle(lanes);
}
inline void store_lanes(const LaneVector64& ordered, std::uint64_t (&words)[kVectorLanes]) {
  const LaneVector64 lanes = exchange_middle(ordered);
  std::memcpy(&words[0], &lanes.low, sizeof lanes.low);
  std::memcpy(&words[kVectorLanes / 2], &lanes.high, sizeof lanes.high);
}

/// All ones in the lanes where the condition holds.
inline LaneVector where_zero(const LaneVector& x) { return reinterpret_cast<LaneVector>(x == 0u); }
inline LaneVector where_equal(const LaneVector& x, std::uint32_t value) {
  return reinterpret_cast<LaneVector>(x == value);
}
/// Numbers below 2^31.
inline LaneVector where_above(const LaneVector& x, std::uint32_t value) {
  return reinterpret_cast<LaneVector>(reinterpret_cast<SignedLanes>(x) > static_cast<std::int32_t>(value));
}
/// The lanes of `a` where the mask is all ones, those of `b` where it is 0.
inline LaneVector select_lanes(const LaneVector& mask, const LaneVector& a, const LaneVector& b) {
  return reinterpret_cast<SignedLanes>(mask) < 0 ? a : b;
}
/// Zeros before the leading one of numbers that are not 0, from the exponents that they have as floats.
inline LaneVector leading_zeros(const LaneVector& x) {
  using Floats = float __attribute__((vector_size(4 * kVectorLanes)));
  // Without the bit behind the leading one no rounding reaches the next power of two.
  const auto leading = reinterpret_cast<SignedLanes>(x & ~(x >> 1));
  const auto number = reinterpret_cast<LaneVector>(__builtin_convertvector(leading, Floats));
  return ((127u + 31u) - (number >> 23)) & ~reinterpret_cast<LaneVector>(leading < 0);
}
}  // namespace g80
