// SPDX-License-Identifier: Apache-2.0
// The stall columns of one warp scheduler: charges every scheduler cycle to the warp that issued or to one stall
// reason, in the counters and, while somebody observes the SM, at its retirement port.
//
// The scheduler reports what it decided at each edge at which it is awake. Cycles of sleep are charged to the
// reason that it reported last. Not a module: warp_scheduler and its RTL twin hold one.
#pragma once
#include <optional>

#include "hw/bundles/retirement_port.h"
#include "hw/bundles/sm_bundles.h"
#include "hw/common/types.h"

namespace g80 {

/// The warp that a scheduler cycle without an issue is charged to.
struct WaitingWarp {
  std::uint8_t warp = 0;
  bool behind = false;  // its last instruction holds it up, not the next one
};

/// The stall reason of a cycle: of all reasons of the warps, the one closest to progress. This is where the stall
/// reason is decided.
StallReason stall_reason(const WarpReady& ready, WarpMask hidden, bool blocked_by_memory_queue);

/// Of the warps that wait for `reason`, the one in the lowest slot. This is where the warp that a stall is charged to
/// is decided. `hidden`: picked in the cycle before.
WaitingWarp waiting_warp(StallReason reason, const WarpReady& ready, WarpMask hidden);

class StallAccount {
 public:
  struct Counters {
    std::uint64_t stall[kNumStallReasons] = {};  // kIssued counts the issues; the sum is the number of scheduler cycles
    G80_FIELDS(stall);
  };

  void reset() {
    counters_ = {};
    charged_ = 0;
    last_ = {};
    first_issue_.reset();
  }
  /// Null: nobody observes the SM.
  void report_to(RetirementPort* port) { reports_ = port; }

  /// The scheduler decided `pick` at edge `now`, from `ready` and `hidden`.
  void charge(Cycle now, const Pick& pick, const WarpReady& ready, WarpMask hidden);

  /// Counters up to and including edge `now`.
  Counters counters(Cycle now) const;
  /// The cycles asleep up to edge `now`, which counters(now) has as well.
  SmReport::Stall unreported(Cycle now) const;
  /// A launch begins: the next issue is its first.
  void begin_launch() { first_issue_.reset(); }
  std::optional<Cycle> first_issue() const { return first_issue_; }
  std::uint64_t issued() const { return counters_.stall[static_cast<unsigned>(StallReason::kIssued)]; }

 private:
  void note_issue(const Pick& pick) {
    if (pick.valid && !first_issue_) first_issue_ = 2 * charged_;
  }
  void report(Cycle scheduler_cycle, Cycle asleep, const Pick& pick, const WarpReady& ready, WarpMask hidden);
  Cycle uncharged(Cycle now) const { return now / 2 > charged_ ? now / 2 - charged_ : 0; }
  /// In the cycle after an issue the picked warp is hidden.
  StallReason reason_asleep() const { return last_.valid ? StallReason::kUnitBusy : last_.stall; }

  Counters counters_;
  Cycle charged_ = 0;                 // scheduler cycles charged so far
  Pick last_;                         // reported last
  std::optional<Cycle> first_issue_;  // edge of the launch's first issue
  WaitingWarp waiting_;               // what cycles asleep are charged to at the port
  RetirementPort* reports_ = nullptr;
};

}  // namespace g80
