// SPDX-License-Identifier: Apache-2.0
// The entries of a TLB: tags, and the pages that each covers. Waves show the tags; the pages lie in a memory.
#pragma once
#include <algorithm>
#include <type_traits>
#include <vector>

#include "hw/bundles/tlb_bundles.h"
#include "hw/cache/cache_tags.h"

namespace g80 {

struct TlbEntries {
  explicit TlbEntries(const CacheShape& shape) : tags(shape), reach(tags.num_slots()) {}

  CacheTags tags;
  std::vector<TlbReach> reach;  // of each slot

  void reset() { tags.reset(); }

  template <class S, class V>
  static void visit(S& s, V& v) {
    CacheTags::visit(s.tags, v);
    v.stored("reach", s.reach);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      for (unsigned slot = 0; v.fills() && slot < s.reach.size(); ++slot) {
        if (!s.tags.is_valid(slot)) v.fill(s.reach[slot]);
      }
    }
  }
};

}  // namespace g80
