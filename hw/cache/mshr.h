// SPDX-License-Identifier: Apache-2.0
// Miss status holding registers: the outstanding lines and the waiters of each.
//
// A second miss to an outstanding line merges with it. An invalidation makes outstanding lines
// stale: their fills still answer their waiters, but no miss merges with them, and they are not cached.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/check.h"
#include "hw/common/fields.h"

namespace g80 {

enum class MissAction : std::uint8_t {
  kMerge,     // the line is on its way: wait with the others
  kAllocate,  // ask the next level
  kStall      // no register (or no place to wait) is free
};
struct MissDecision {
  MissAction action;
  std::uint8_t entry;  // for kMerge and kAllocate
};

/// `kEntries` (at most 64) registers of which `num_entries` are built; `kWaiters` places to wait at each.
template <class Waiter, unsigned kEntries, unsigned kWaiters>
class Mshr {
  static_assert(kEntries <= 64 && kWaiters <= 255);

 public:
  explicit Mshr(unsigned num_entries)
      : built_(num_entries >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << num_entries) - 1) {
    CHECK(num_entries >= 1 && num_entries <= kEntries, "{} miss registers, but the model is built for 1 to {}",
          num_entries, kEntries);
  }

  /// This is where a miss is decided to merge, to be sent on or to stall.
  MissDecision lookup(std::uint32_t line) const {
    for (std::uint64_t live = used_ & ~stale_; live != 0; live &= live - 1) {
      const unsigned i = static_cast<unsigned>(__builtin_ctzll(live));
      if (entry_[i].line != line) continue;
      if (entry_[i].num_waiters == kWaiters) return {MissAction::kStall, 0};
      return {MissAction::kMerge, static_cast<std::uint8_t>(i)};
    }
    const std::uint64_t free = built_ & ~used_;
    if (free == 0) return {MissAction::kStall, 0};
    return {MissAction::kAllocate, static_cast<std::uint8_t>(__builtin_ctzll(free))};
  }

  void allocate(unsigned entry, std::uint32_t line, const Waiter& first) {
    CHECK((built_ & ~used_) >> entry & 1, "miss register {} is allocated, but it is not free", entry);
    used_ |= std::uint64_t{1} << entry;
    stale_ &= ~(std::uint64_t{1} << entry);
    entry_[entry].line = line;
    entry_[entry].num_waiters = 1;
    entry_[entry].waiter[0] = first;
  }
  void merge(unsigned entry, const Waiter& waiter) {
    Entry& e = entry_[entry];
    e.waiter[e.num_waiters++] = waiter;
  }
  void release(unsigned entry) {
    check_used(entry);
    used_ &= ~(std::uint64_t{1} << entry);
  }
  void mark_stale() { stale_ = used_; }

  void check_used(unsigned entry) const {
    CHECK(entry < kEntries && (used_ >> entry & 1), "a fill for miss register {}, which has no outstanding miss",
          entry);
  }
  bool is_stale(unsigned entry) const { return stale_ >> entry & 1; }
  std::uint32_t line(unsigned entry) const { return entry_[entry].line; }
  unsigned num_waiters(unsigned entry) const { return entry_[entry].num_waiters; }
  const Waiter& waiter(unsigned entry, unsigned i) const { return entry_[entry].waiter[i]; }
  bool empty() const { return used_ == 0; }
  std::uint64_t used() const { return used_; }
  void clear() { used_ = stale_ = 0; }

  /// Gives `filler` the registers that are free.
  void fill_unused(FieldEditor& filler) {
    for (unsigned i = 0; i < kEntries; ++i) {
      if (used_ >> i & 1) continue;
      filler.fill(entry_[i].line);
      filler.fill(entry_[i].num_waiters, 8);
      if constexpr (is_bundle<Waiter>) filler.fill(entry_[i].waiter);
    }
  }

 private:
  struct Entry {
    std::uint32_t line = 0;
    unsigned num_waiters = 0;
    std::array<Waiter, kWaiters> waiter{};
  };
  std::uint64_t built_, used_ = 0, stale_ = 0;
  std::array<Entry, kEntries> entry_{};
};

}  // namespace g80
