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
  std::uint32_t random;  // differs from eviction to eviction
};

namespace replacement {

/// The least recently used line.
inline unsigned lru(const FullSet& set) {
  const auto older = [](const CacheWay& a, const CacheWay& b) { return a.last_use < b.last_use; };
  return static_cast<unsigned>(std::min_element(set.way, set.way + set.ways, older) - set.way);
}

/// The line that came first, however often it was used since.
inline unsigned fifo(const FullSet& set) {
  const auto older = [](const CacheWay& a, const CacheWay& b) { return a.filled < b.filled; };
  return static_cast<unsigned>(std::min_element(set.way, set.way + set.ways, older) - set.way);
}

/// Any line.
inline unsigned random(const FullSet& set) { return set.random % set.ways; }

/// Tree pseudo-LRU. A chip keeps one bit for each node of a binary tree over the ways; the bit points away from the
/// half that was used last. The times of use say the same.
inline unsigned pseudo_lru(const FullSet& set) {
  const auto latest = [&](unsigned first, unsigned count) {
    std::uint64_t use = 0;
    for (unsigned w = first; w < first + count; ++w) use = std::max(use, set.way[w].last_use);
    return use;
  };
  unsigned first = 0;
  for (unsigned count = set.ways; count > 1;) {
    const unsigned lower = (count + 1) / 2;
    const bool in_upper = latest(first + lower, count - lower) < latest(first, lower);
    if (in_upper) first += lower;
    count = in_upper ? count - lower : lower;
  }
  return first;
}

}  // namespace replacement

inline constexpr unsigned (*kReplacementPolicies[])(const FullSet&) = {
#define REPLACEMENT_POLICY(name) replacement::name,
#include "hw/config/policies.def"
};

}  // namespace g80
