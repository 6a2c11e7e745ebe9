// SPDX-License-Identifier: Apache-2.0
// The straps of rtl/cache/line_store.sv, which the twins of several caches contain.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "hw/cache/cache_tags.h"
#include "hw/config/config.h"

namespace g80 {

/// The replacement policies that cache_tags.sv has; replacement_policy_e names them.
inline constexpr std::array<std::string_view, 4> kReplacementPoliciesOfTheTwins{"lru", "fifo", "random", "pseudo_lru"};

/// Bits of a number below `count`.
inline unsigned bits_below(unsigned count) {
  unsigned bits = 0;
  while (1u << bits < count) ++bits;
  return bits;
}

/// `block`: of which `twin` is the twin. `key`: of its replacement policy.
template <class Twin>
void strap_cache(Twin& twin, const CacheShape& shape, unsigned mshrs, const char* key, const char* block) {
  const auto& names = kReplacementPoliciesOfTheTwins;
  const auto policy = std::find(names.begin(), names.end(), to_text(shape.replacement));
  if (policy == names.end()) {
    throw ConfigError(
        fmt::format("{} = {}: the RTL twin of {} has no such policy", key, to_text(shape.replacement), block));
  }
  twin.strap("cfg_policy_i", policy - names.begin());
  twin.strap("cfg_set_mask_i", shape.bytes / (shape.ways * shape.line_bytes) - 1);
  twin.strap("cfg_ways_i", shape.ways);
  twin.strap("cfg_way_bits_i", bits_below(shape.ways));
  twin.strap("cfg_line_bits_i", bits_below(shape.line_bytes));
  twin.strap("cfg_mshrs_i", mshrs);
}

}  // namespace g80
