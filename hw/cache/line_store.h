// SPDX-License-Identifier: Apache-2.0
// What every cache of lines on this chip is made of: the lines with their tags, the misses on their way, and the line
// that came last with those who wait for it.
//
// Not a module: the caches give it ports and decide when to look up, to ask and to answer. Latencies and counters are
// theirs.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/cache/cache_tags.h"
#include "hw/cache/mshr.h"
#include "hw/common/limits.h"

namespace g80 {

/// `kEntries`, `kWaiters`: see Mshr.
template <class Waiter, unsigned kEntries, unsigned kWaiters>
class LineStore {
 public:
  LineStore(unsigned bytes, unsigned ways, unsigned line_bytes, unsigned mshrs)
      : line_words_(line_bytes / 4), tags_(bytes, ways, line_bytes), data_(bytes / 4), mshr_(mshrs) {}

  void reset() {
    tags_.invalidate_all();
    mshr_.clear();
    filling_ = false;
  }
  /// Empties the cache; lines on their way will answer those who wait and not be kept.
  void invalidate() {
    tags_.invalidate_all();
    mshr_.mark_stale();
  }

  std::uint32_t line_of(std::uint32_t address) const { return tags_.line_of(address); }
  /// First byte of the line that holds `address`.
  std::uint32_t line_address(std::uint32_t address) const { return line_of(address) * line_words_ * 4; }

  /// The words of the line that holds `address`, or null. Counts as a use.
  const std::uint32_t* find(std::uint32_t address) {
    const unsigned slot = tags_.find(address);
    if (slot == CacheTags::kMiss) return nullptr;
    tags_.touch(slot);
    return &data_[slot * line_words_];
  }

  /// What becomes of a miss.
  MissDecision miss(std::uint32_t address) const { return mshr_.lookup(line_of(address)); }
  /// Does it. After kAllocate the owner asks the next level for the line.
  void wait(MissDecision decision, std::uint32_t address, const Waiter& waiter) {
    CHECK(decision.action != MissAction::kStall, "no place to wait for the line at {:#x}", address);
    if (decision.action == MissAction::kMerge) {
      mshr_.merge(decision.entry, waiter);
    } else {
      mshr_.allocate(decision.entry, line_of(address), waiter);
    }
  }
  /// No line is on its way.
  bool no_misses() const { return mshr_.empty(); }

  /// A line came for miss register `entry`; it is kept unless it is stale or could not be read.
  void take_fill(unsigned entry, const std::uint32_t* data, MemFault fault) {
    CHECK(!filling_, "a line came while another one was being handed out");
    mshr_.check_used(entry);
    filling_ = true;
    fill_entry_ = entry;
    fill_next_ = 0;
    fill_fault_ = fault;
    std::copy_n(data, line_words_, fill_data_.begin());
    if (fault != MemFault::kNone || mshr_.is_stale(entry)) return;
    const unsigned slot = tags_.insert(mshr_.line(entry) * line_words_ * 4);
    std::copy_n(data, line_words_, data_.begin() + slot * line_words_);
  }
  /// Somebody waits for the line that came.
  bool filling() const { return filling_; }
  // Only while filling
  const Waiter& waiter() const { return mshr_.waiter(fill_entry_, fill_next_); }
  const std::uint32_t* fill_data() const { return fill_data_.data(); }
  MemFault fill_fault() const { return fill_fault_; }
  /// The present waiter has been served.
  void next_waiter() {
    if (++fill_next_ < mshr_.num_waiters(fill_entry_)) return;
    mshr_.release(fill_entry_);
    filling_ = false;
  }

 private:
  unsigned line_words_;
  CacheTags tags_;
  std::vector<std::uint32_t> data_;
  Mshr<Waiter, kEntries, kWaiters> mshr_;
  bool filling_ = false;
  unsigned fill_entry_ = 0, fill_next_ = 0;
  MemFault fill_fault_ = MemFault::kNone;
  std::array<std::uint32_t, kMaxTransactionBytes / 4> fill_data_{};
};

}  // namespace g80
