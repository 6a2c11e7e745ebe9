// SPDX-License-Identifier: Apache-2.0
// What the two levels of the TLB hand each other: questions with their answers, and what a page walk found.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/page_table.h"
#include "hw/bundles/transaction.h"
#include "hw/common/fields.h"
#include "hw/common/fifo.h"

namespace g80 {

/// What one TLB entry knows about the pages of its reach.
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

/// From a first level to the second: what do you know about the reach of this address? Or, with `fill`: keep this.
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

/// After a flush: what the fills of a queue carry was read before it. The questions stay, in their order.
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
