// SPDX-License-Identifier: Apache-2.0
// The replacement policies of the caches and TLBs: which line of a full set leaves. A policy is a function here and its
// name in hw/config/policies.def.
//
// Only cache_tags.cpp includes this file: a new policy rebuilds it and the list of names.
#pragma once
#include <algorithm>

#include "hw/cache/cache_tags.h"

namespace g80 {

struct FullSet {
  const CacheWay* way;   // all valid
  unsigned ways;         // at least 1
  std::uint16_t random;  // differs from eviction to eviction
};

namespace replacement {

/// The least recently used line.
inline unsigned lru(const FullSet& set) {
  const auto younger = [](const CacheWay& a, const CacheWay& b) { return a.use_age < b.use_age; };
  return static_cast<unsigned>(std::max_element(set.way, set.way + set.ways, younger) - set.way);
}

/// The line that came first, however often it was used since.
inline unsigned fifo(const FullSet& set) {
  const auto younger = [](const CacheWay& a, const CacheWay& b) { return a.fill_age < b.fill_age; };
  return static_cast<unsigned>(std::max_element(set.way, set.way + set.ways, younger) - set.way);
}

/// Any line: the random number as a fraction of the ways.
inline unsigned random(const FullSet& set) { return set.random * set.ways >> 16; }

/// Tree pseudo-LRU. A chip keeps one bit for each node of a binary tree over the ways; the bit points away from the
/// half that was used last. The ages say the same. The tree has a power of two of leaves; those without a way are never
/// chosen.
inline unsigned pseudo_lru(const FullSet& set) {
  const auto youngest = [&](unsigned first, unsigned end) {
    unsigned age = set.ways;
    for (unsigned w = first; w < std::min(end, set.ways); ++w) age = std::min<unsigned>(age, set.way[w].use_age);
    return age;
  };
  constexpr unsigned kLeaves = 256;  // the largest number of ways
  unsigned first = 0;
  for (unsigned half = kLeaves / 2; half != 0; half /= 2) {
    const unsigned upper = first + half;
    if (upper < set.ways && youngest(upper, upper + half) > youngest(first, upper)) first = upper;
  }
  return first;
}

}  // namespace replacement

inline constexpr unsigned (*kReplacementPolicies[])(const FullSet&) = {
#define REPLACEMENT_POLICY(name) replacement::name,
#include "hw/config/policies.def"
};

}  // namespace g80
