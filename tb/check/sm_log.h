// SPDX-License-Identifier: Apache-2.0
// What one SM has reported at its retirement port, as lists in order of time, for a reader that looks now and then.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "hw/bundles/retirement_port.h"
#include "hw/common/delay_registers.h"

namespace g80 {

class SmLog final : public SmObserver {
 public:
  enum class Kind : std::uint8_t {
    kWarpStart,
    kIssue,
    kOperands,
    kControl,
    kAccess,
    kSmem,
    kRetire,
    kRelease,
    kOpen,
    kEnded
  };
  using WarpStart = SmReport::WarpStart;
  /// An entry of the port with its shader cycle.
  template <class Entry>
  struct At : Entry {
    Cycle cycle = 0;
  };
  using Issue = At<SmReport::Issue>;
  using Control = At<SmReport::Control>;
  using Access = At<SmReport::Access>;
  using Smem = At<SmReport::Smem>;
  using Retire = At<SmReport::Retire>;
  using Release = At<SmReport::Release>;
  /// Without the words that are not valid: they are words[first .. first + count - 1] of the log.
  struct Operands {
    Tag tag;
    std::uint8_t warp = 0;
    std::uint8_t count = 0;
    bool as_stored = true;
    std::uint32_t first = 0;
  };
  struct Open {
    WarpMask warps = 0;
    Cycle cycle = 0;
  };
  struct Ended {
    WarpMask warps = 0;
  };

  /// A list that is filled again and again. Its entries keep what they held: whoever adds one writes what it shows.
  template <class T>
  class List {
   public:
    T& add() {
      if (count_ == entries_.size()) entries_.emplace_back();
      T& entry = entries_[count_++];
      // Brings the part of the next entry that is usually filled into the host's cache.
      constexpr std::size_t kFilled = std::min<std::size_t>(sizeof(T), 4 * kCacheLine);
      const auto* const next = reinterpret_cast<const char*>(&entry + 1);
      for (std::size_t at = 0; at < kFilled; at += kCacheLine) __builtin_prefetch(next + at);
      return entry;
    }
    void clear() { count_ = 0; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    const T& operator[](std::size_t i) const { return entries_[i]; }
    const T& front() const { return entries_.front(); }
    T& back() { return entries_[count_ - 1]; }
    const T* begin() const { return entries_.data(); }
    const T* end() const { return entries_.data() + count_; }

   private:
    std::vector<T> entries_;
    std::size_t count_ = 0;
  };

  std::vector<Kind> order;  // interleaving of the lists below
  List<WarpStart> start;
  List<Issue> issue;
  List<Retire> retire;
  List<Smem> smem;
  List<Operands> operands;
  List<LaneWords> words;
  List<Control> control;
  List<Access> access;
  List<Release> release;
  List<Open> open;
  List<Ended> ended;

  void observe(const SmReport& report) override;
  void clear() {
    order.clear(), start.clear(), issue.clear(), retire.clear(), smem.clear();
    operands.clear(), words.clear(), control.clear(), access.clear(), release.clear(), open.clear(), ended.clear();
  }

 private:
  template <class Entry, unsigned kMost>
  void append_all(Kind kind, List<At<Entry>>& list, const ReportList<Entry, kMost>& entries, Cycle cycle) {
    for (const Entry& entry : entries) {
      At<Entry>& added = list.add();
      if constexpr (std::is_same_v<Entry, SmReport::Retire>) {
        added.take(entry);
      } else {
        static_cast<Entry&>(added) = entry;
      }
      added.cycle = cycle;
      order.push_back(kind);
    }
  }
};

// In the order of the pipeline, from where a warp starts to where its results are written.
inline void SmLog::observe(const SmReport& report) {
  const Cycle cycle = report.cycle;
  const auto append = [&](Kind kind, auto& list, const auto& entries) {
    if (entries.count != 0) append_all(kind, list, entries, cycle);
  };
  for (const SmReport::WarpStart& entry : report.start) {
    start.add() = entry;
    order.push_back(Kind::kWarpStart);
  }
  append(Kind::kRelease, release, report.release);
  if (report.opened != 0) {
    open.add() = {report.opened, cycle};
    order.push_back(Kind::kOpen);
  }
  append(Kind::kIssue, issue, report.issue);
  if (report.issue.count != 0) issue.back().cycle -= kSchedulerPeriod;  // reported when its lanes are known
  for (const SmReport::Operands& entry : report.operands) {
    operands.add() = {entry.tag, entry.warp, entry.count, entry.as_stored, static_cast<std::uint32_t>(words.size())};
    for (unsigned i = 0; i < entry.count; ++i) words.add() = entry.words[i];
    order.push_back(Kind::kOperands);
  }
  append(Kind::kControl, control, report.control);
  append(Kind::kAccess, access, report.access);
  append(Kind::kSmem, smem, report.smem);
  if (report.ended != 0) {
    ended.add() = {report.ended};
    order.push_back(Kind::kEnded);
  }
  append(Kind::kRetire, retire, report.retire);
}

}  // namespace g80
