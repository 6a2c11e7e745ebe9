// SPDX-License-Identifier: Apache-2.0
// What one SM has reported at its retirement port, as lists in order of time, for a reader that looks now and then.
#pragma once
#include <cstdint>
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

  std::vector<Kind> order;  // interleaving of the lists below
  std::vector<WarpStart> start;
  std::vector<Issue> issue;
  std::vector<Retire> retire;
  std::vector<Smem> smem;
  std::vector<Operands> operands;
  std::vector<LaneWords> words;
  std::vector<Control> control;
  std::vector<Access> access;
  std::vector<Release> release;
  std::vector<Open> open;
  std::vector<Ended> ended;

  void observe(const SmReport& report) override;
  void clear() {
    order.clear(), start.clear(), issue.clear(), retire.clear(), smem.clear();
    operands.clear(), words.clear(), control.clear(), access.clear(), release.clear(), open.clear(), ended.clear();
  }
};

// In the order of the pipeline, from where a warp starts to where its results are written.
inline void SmLog::observe(const SmReport& report) {
  const Cycle cycle = report.cycle;
  const auto append = [&](Kind kind, auto& list, const auto& entries) {
    for (const auto& entry : entries) {
      list.push_back({entry, cycle});
      order.push_back(kind);
    }
  };
  for (const SmReport::WarpStart& entry : report.start) {
    start.push_back(entry);
    order.push_back(Kind::kWarpStart);
  }
  append(Kind::kRelease, release, report.release);
  if (report.opened != 0) {
    open.push_back({report.opened, cycle});
    order.push_back(Kind::kOpen);
  }
  append(Kind::kIssue, issue, report.issue);
  if (report.issue.count != 0) issue.back().cycle -= kSchedulerPeriod;  // reported when its lanes are known
  for (const SmReport::Operands& entry : report.operands) {
    operands.push_back({entry.tag, entry.warp, entry.count, entry.as_stored, static_cast<std::uint32_t>(words.size())});
    words.insert(words.end(), entry.words.begin(), entry.words.begin() + entry.count);
    order.push_back(Kind::kOperands);
  }
  append(Kind::kControl, control, report.control);
  append(Kind::kAccess, access, report.access);
  append(Kind::kSmem, smem, report.smem);
  if (report.ended != 0) {
    ended.push_back({report.ended});
    order.push_back(Kind::kEnded);
  }
  append(Kind::kRetire, retire, report.retire);
}

}  // namespace g80
