// SPDX-License-Identifier: Apache-2.0
// Miss status holding registers: the outstanding lines and the waiters of each.
//
// A second miss to an outstanding line merges with it. The waiters of all lines share one memory: those of a line are a
// list in it, the first to come in front. An invalidation makes outstanding lines stale: their fills still answer their
// waiters, but no miss merges with them, and they are not cached.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/check.h"
#include "hw/common/fields.h"
#include "hw/common/set_bits.h"

namespace g80 {

enum class MissAction : std::uint8_t {
  kMerge,     // the line is on its way: wait with the others
  kAllocate,  // ask the next level
  kStall      // no register (or no place to wait) is free
};
struct MissDecision {
  MissAction action;
  std::uint8_t entry = 0;  // for kMerge and kAllocate
};

/// `kEntries` (at most 64) registers of which `num_entries` are built; `kWaiters` (at most 64) places to wait in all.
template <class Waiter, unsigned kEntries, unsigned kWaiters>
class Mshr {
  static_assert(kEntries <= 64 && kWaiters <= 64);

 public:
  explicit Mshr(unsigned num_entries) : built_(lowest(num_entries)) {
    CHECK(num_entries >= 1 && num_entries <= kEntries, "{} miss registers, but the model is built for 1 to {}",
          num_entries, kEntries);
  }

  /// This is where a miss is decided to merge, to be sent on or to stall.
  MissDecision lookup(std::uint32_t line) const {
    if (taken_ == lowest(kWaiters)) return {MissAction::kStall};
    for (const unsigned i : set_bits(used_ & ~stale_)) {
      if (entry_[i].line == line) return {MissAction::kMerge, static_cast<std::uint8_t>(i)};
    }
    const std::uint64_t free = built_ & ~used_;
    if (free == 0) return {MissAction::kStall};
    return {MissAction::kAllocate, static_cast<std::uint8_t>(__builtin_ctzll(free))};
  }

  void allocate(unsigned entry, std::uint32_t line, const Waiter& first) {
    CHECK((built_ & ~used_) >> entry & 1, "miss register {} is allocated, but it is not free", entry);
    used_ |= std::uint64_t{1} << entry;
    stale_ &= ~(std::uint64_t{1} << entry);
    entry_[entry].line = line;
    entry_[entry].first = entry_[entry].last = take_place(first);
  }
  void merge(unsigned entry, const Waiter& waiter) {
    const std::uint8_t place = take_place(waiter);
    place_[entry_[entry].last].next = place;
    entry_[entry].last = place;
  }
  /// The waiter in front leaves; with the last one the register is free.
  void pop_waiter(unsigned entry) {
    check_used(entry);
    Entry& e = entry_[entry];
    taken_ &= ~(std::uint64_t{1} << e.first);
    if (e.first == e.last) used_ &= ~(std::uint64_t{1} << entry);
    e.first = place_[e.first].next;
  }
  void mark_stale() { stale_ = used_; }
  /// Those of which `is_lost(entry)` is true become stale.
  template <class IsLost>
  void forget_if(const IsLost& is_lost) {
    for (const unsigned entry : set_bits(used_)) {
      if (is_lost(entry)) stale_ |= std::uint64_t{1} << entry;
    }
  }

  void check_used(unsigned entry) const {
    CHECK(entry < kEntries && is_used(entry), "a fill for miss register {}, which has no outstanding miss", entry);
  }
  bool is_used(unsigned entry) const { return used_ >> entry & 1; }
  bool is_stale(unsigned entry) const { return stale_ >> entry & 1; }
  std::uint32_t line(unsigned entry) const { return entry_[entry].line; }
  /// The waiter in front, of a register in use.
  const Waiter& waiter(unsigned entry) const { return place_[entry_[entry].first].waiter; }
  bool empty() const { return used_ == 0; }
  void clear() {
    used_ = stale_ = taken_ = 0;
    entry_ = {};
  }

  /// Gives `filler` the registers and places that are free.
  void fill_unused(FieldEditor& filler) {
    for (unsigned i = 0; i < kEntries; ++i) {
      if (!is_used(i)) filler.fill(entry_[i].line);
    }
    for (unsigned i = 0; i < kWaiters; ++i) {
      if (taken_ >> i & 1) continue;
      if constexpr (is_bundle<Waiter>) filler.fill(place_[i].waiter);
    }
  }
  /// Where they are seen: in the caches outside the multiprocessors.
  template <class S, class V>
  static void visit(S& s, V& v) {
    v("used", s.used_, kEntries);
    v("stale", s.stale_, kEntries);
    v("taken", s.taken_, kWaiters);
    v("entry", s.entry_);
    v.stored("place", s.place_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (v.fills()) s.fill_unused(v);
    }
  }

 private:
  struct Entry {
    std::uint32_t line = 0;
    std::uint8_t first = 0, last = 0;  // places
    G80_FIELDS(line, (first, 6), (last, 6));
  };
  struct Place {
    Waiter waiter{};
    std::uint8_t next = 0;  // behind it, unless it is the last of its line
    G80_FIELDS(waiter, (next, 6));
  };
  static constexpr std::uint64_t lowest(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }
  std::uint8_t take_place(const Waiter& waiter) {
    CHECK(taken_ != lowest(kWaiters), "no place to wait is free: there are {}", kWaiters);
    const auto place = static_cast<std::uint8_t>(__builtin_ctzll(~taken_));
    taken_ |= std::uint64_t{1} << place;
    place_[place].waiter = waiter;
    return place;
  }

  std::uint64_t built_, used_ = 0, stale_ = 0;
  std::uint64_t taken_ = 0;  // places
  std::array<Entry, kEntries> entry_{};
  std::array<Place, kWaiters> place_{};
};

}  // namespace g80
