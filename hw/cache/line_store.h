// SPDX-License-Identifier: Apache-2.0
// The lines of a cache with their tags, the outstanding misses with their waiters, and the line that arrived last.
//
// The constant and the instruction cache of a multiprocessor hold one. Not a module: the cache around it has the ports,
// sends a request for each miss, and decides when to look up and when to answer.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/cache/cache_tags.h"
#include "hw/cache/mshr.h"
#include "hw/common/fifo.h"
#include "hw/common/limits.h"

namespace g80 {

/// `kEntries`, `kWaiters`: see Mshr.
template <class Waiter, unsigned kEntries, unsigned kWaiters>
class LineStore {
 public:
  /// `block`: the cache around it.
  LineStore(StoreOwner& block, const CacheShape& shape, unsigned mshrs)
      : line_words_(shape.line_bytes / 4),
        tags_(shape),
        data_(shape.bytes / 4),
        mshr_(mshrs),
        unsent_(block, "unsent") {}

  void reset() {
    tags_.invalidate_all();
    mshr_.clear();
    unsent_.clear();
    filling_ = false;
  }
  /// Empties the cache. Outstanding lines answer their waiters but are not cached.
  void invalidate() {
    tags_.invalidate_all();
    mshr_.mark_stale();
  }

  std::uint32_t line_of(std::uint32_t address) const { return tags_.line_of(address); }
  /// The words of the line that holds `address`, or null. Counts as a use.
  const std::uint32_t* find(std::uint32_t address) {
    const unsigned slot = tags_.find(address);
    if (slot == CacheTags::kMiss) return nullptr;
    tags_.touch(address, slot);
    return &data_[slot * line_words_];
  }

  /// Makes `waiter` wait for the line that holds `address`, unless that must stall. After kAllocate the line is a miss
  /// to be sent.
  MissAction wait(std::uint32_t address, const Waiter& waiter) {
    const MissDecision decision = mshr_.lookup(line_of(address));
    switch (decision.action) {
      case MissAction::kStall: break;
      case MissAction::kMerge: mshr_.merge(decision.entry, waiter); break;
      case MissAction::kAllocate:
        mshr_.allocate(decision.entry, line_of(address), waiter);
        unsent_.push(decision.entry);
        break;
    }
    return decision.action;
  }

  /// A miss that was not yet sent to the next level.
  struct Miss {
    std::uint8_t id = 0;        // the line comes back with it: see take_fill()
    std::uint32_t address = 0;  // of the line's first byte
    Waiter first;               // the waiter that missed
  };
  bool has_miss() const { return !unsent_.empty(); }
  Miss take_miss() {
    const std::uint8_t id = unsent_.front();
    unsent_.pop();
    mshr_.check_used(id);
    return {id, mshr_.line(id) * line_words_ * 4, mshr_.waiter(id)};
  }
  /// No line is outstanding.
  bool no_misses() const { return mshr_.empty(); }

  /// A line came for miss register `entry`; it is cached unless it is stale or could not be read.
  void take_fill(unsigned entry, const std::uint32_t* data, MemFault fault) {
    CHECK(!filling_, "a fill arrived while the previous fill was still answering its waiters");
    mshr_.check_used(entry);
    filling_ = true;
    fill_entry_ = entry;
    fill_fault_ = fault;
    std::copy_n(data, line_words_, fill_data_.begin());
    if (fault != MemFault::kNone || mshr_.is_stale(entry)) return;
    const unsigned slot = tags_.insert(mshr_.line(entry) * line_words_ * 4);
    std::copy_n(data, line_words_, data_.begin() + slot * line_words_);
  }
  /// The line that arrived still has waiters.
  bool filling() const { return filling_; }
  // Only while filling
  const Waiter& waiter() const { return mshr_.waiter(fill_entry_); }
  const std::uint32_t* fill_data() const { return fill_data_.data(); }
  MemFault fill_fault() const { return fill_fault_; }
  /// The present waiter has been served.
  void next_waiter() {
    mshr_.pop_waiter(fill_entry_);
    filling_ = mshr_.is_used(fill_entry_);
  }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("tags", s.tags_);
    v("data", s.data_);
    v("mshr", s.mshr_);
    v("filling", s.filling_);
    v.index("fill_entry", s.fill_entry_, kEntries);
    v("fill_fault", s.fill_fault_, 4);
    v("fill_data", s.fill_data_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      v.fill(s.data_);  // no line is there yet
      v.fill(s.fill_data_);
    }
  }

 private:
  unsigned line_words_;
  CacheTags tags_;
  std::vector<std::uint32_t> data_;
  Mshr<Waiter, kEntries, kWaiters> mshr_;
  bool filling_ = false;
  unsigned fill_entry_ = 0;
  MemFault fill_fault_ = MemFault::kNone;
  std::array<std::uint32_t, kMaxTransactionBytes / 4> fill_data_{};
  Fifo<std::uint8_t, kEntries> unsent_;  // miss registers
};

}  // namespace g80
