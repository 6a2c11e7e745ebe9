// SPDX-License-Identifier: Apache-2.0
// Bundles between the two levels of the TLB: lookups with their answers, and the fills of page walks.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/page_table.h"
#include "hw/bundles/transaction.h"
#include "hw/common/fields.h"
#include "hw/common/fifo.h"

namespace g80 {

/// The contents of a TLB entry: the pages of its reach.
struct TlbReach {
  static constexpr unsigned kMaxPages = 16;  // one 128-byte read of page table entries
  MemFault unreadable = MemFault::kNone;     // the walk itself failed
  std::array<page_table::Entry, kMaxPages> page{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("unreadable", s.unreadable, 2);
    v("page", s.page);
  }
};

/// From a first level to the second: a lookup of the reach of this address, or, with `fill`, an entry to store.
struct TlbQuestion {
  bool valid = false;
  bool fill = false;
  std::uint8_t walker = 0;  // of the first level, returned with the answer
  std::uint32_t virtual_address = 0;
  Origin origin;
  TlbReach reach;  // of a fill
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("fill", s.fill);
    v("walker", s.walker, 4);
    v("virtual_address", s.virtual_address);
    v("origin", s.origin);
    v("reach", s.reach);
  }
};

/// After a flush: invalidates the fills in a queue, which are stale. The lookups stay, in order.
template <unsigned kCapacity>
void drop_fills(Ring<TlbQuestion, kCapacity>& queue) {
  for (unsigned left = queue.size(); left != 0; --left) {
    const TlbQuestion question = queue.front();
    queue.pop();
    if (!question.fill) queue.push(question);
  }
}

struct TlbAnswer {
  bool valid = false;
  bool hit = false;
  std::uint8_t walker = 0;
  std::uint32_t virtual_address = 0;
  Origin origin;
  TlbReach reach;  // of a hit
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("hit", s.hit);
    v("walker", s.walker, 4);
    v("virtual_address", s.virtual_address);
    v("origin", s.origin);
    v("reach", s.reach);
  }
};

}  // namespace g80
