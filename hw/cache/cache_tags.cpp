// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/cache_tags.h"

#include "hw/cache/replacement_policies.h"

namespace g80 {

unsigned victim_way(ReplacementPolicy policy, const CacheWay* set, unsigned ways, std::uint16_t random) {
  for (unsigned w = 0; w < ways; ++w) {
    if (!set[w].valid) return w;
  }
  return kReplacementPolicies[static_cast<std::size_t>(policy)]({set, ways, random});
}

}  // namespace g80
