// SPDX-License-Identifier: Apache-2.0
// Four lanes as one vector of the host: operators work on each lane. For the stages that decide much per lane, where
// the compiler makes more of it than of a loop.
#pragma once
#include <cstdint>
#include <cstring>

namespace g80 {

using LaneQuad = std::uint32_t __attribute__((vector_size(16)));
inline constexpr unsigned kLanesPerQuad = 4;

/// Lanes from, from + 1, ... of a row of words.
inline LaneQuad load_quad(const std::uint32_t* words, unsigned from) {
  LaneQuad quad;
  std::memcpy(&quad, words + from, sizeof quad);
  return quad;
}
inline void store_quad(const LaneQuad& quad, std::uint32_t* words, unsigned from) {
  std::memcpy(words + from, &quad, sizeof quad);
}

/// All ones in the lanes where the condition holds.
inline LaneQuad where_zero(const LaneQuad& x) { return reinterpret_cast<LaneQuad>(x == 0u); }
inline LaneQuad where_equal(const LaneQuad& x, std::uint32_t value) { return reinterpret_cast<LaneQuad>(x == value); }
/// Numbers below 2^31.
inline LaneQuad where_above(const LaneQuad& x, std::uint32_t value) {
  using Signed = std::int32_t __attribute__((vector_size(16)));
  return reinterpret_cast<LaneQuad>(reinterpret_cast<Signed>(x) > static_cast<std::int32_t>(value));
}
/// The lanes of `a` where the mask is set, else those of `b`.
inline LaneQuad select_quad(const LaneQuad& mask, const LaneQuad& a, const LaneQuad& b) {
  return (a & mask) | (b & ~mask);
}
inline bool any_set(const LaneQuad& x) {
  std::uint64_t halves[2];
  std::memcpy(halves, &x, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

}  // namespace g80
