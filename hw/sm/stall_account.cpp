// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/stall_account.h"

namespace g80 {

StallReason stall_reason(const WarpReady& r, WarpMask hidden, bool blocked_by_memory_queue) {
  if (r.resident == 0) return StallReason::kNoWarp;
  if (blocked_by_memory_queue) return StallReason::kMemoryQueue;
  if (r.ready != 0 || hidden != 0) return StallReason::kUnitBusy;
  if (r.wait_alu != 0) return StallReason::kAlu;
  if (r.wait_control != 0) return StallReason::kControl;
  if ((r.resident & ~(r.has_head | r.wait_barrier)) != 0) return StallReason::kFetch;
  if (r.wait_drain != 0) return StallReason::kDrain;
  if (r.wait_memory != 0) return StallReason::kMemory;
  return StallReason::kBarrier;
}

WaitingWarp waiting_warp(StallReason reason, const WarpReady& r, WarpMask hidden) {
  const WarpMask visible = r.ready & ~hidden;
  WarpMask warps = 0;
  bool behind = false;
  switch (reason) {
    case StallReason::kIssued:
    case StallReason::kNoWarp:
    case StallReason::kCount: break;
    case StallReason::kMemoryQueue: warps = visible; break;
    case StallReason::kUnitBusy:
      behind = visible == 0;
      warps = behind ? hidden : visible;
      break;
    case StallReason::kAlu: warps = r.wait_alu; break;
    case StallReason::kControl:
      warps = r.wait_control;
      behind = true;
      break;
    case StallReason::kFetch: warps = r.resident & ~(r.has_head | r.wait_barrier); break;
    case StallReason::kDrain: warps = r.wait_drain; break;
    case StallReason::kMemory: warps = r.wait_memory; break;
    case StallReason::kBarrier:
      warps = r.wait_barrier;
      behind = true;
      break;
  }
  if (warps == 0) warps = r.resident != 0 ? r.resident : 1u;
  return {static_cast<std::uint8_t>(__builtin_ctz(warps)), behind};
}

void StallAccount::charge(Cycle now, const Pick& pick, const WarpReady& ready, WarpMask hidden) {
  const Cycle cycles = uncharged(now);
  const Cycle asleep = cycles > 1 ? cycles - 1 : 0;
  counters_.stall[static_cast<unsigned>(reason_asleep())] += asleep;
  ++counters_.stall[static_cast<unsigned>(pick.stall)];
  charged_ = now / 2;
  note_issue(pick);
  if (reports_ != nullptr && cycles != 0 && reports_->reports_profile()) report(charged_, asleep, pick, ready, hidden);
  last_ = pick;
}

void StallAccount::report(Cycle scheduler_cycle, Cycle asleep, const Pick& pick, const WarpReady& ready,
                          WarpMask hidden) {
  const WaitingWarp before = waiting_;
  waiting_ = pick.valid ? WaitingWarp{pick.warp, true} : waiting_warp(pick.stall, ready, hidden);
  SmReport::Stall& stall = reports_->at(2 * scheduler_cycle).stall;
  stall = {true,          waiting_.behind, waiting_.warp,   pick.valid ? StallReason::kIssued : pick.stall,
           before.behind, before.warp,     reason_asleep(), asleep};
}

StallAccount::Counters StallAccount::counters(Cycle now) const {
  Counters total = counters_;
  total.stall[static_cast<unsigned>(reason_asleep())] += uncharged(now);
  return total;
}

SmReport::Stall StallAccount::unreported(Cycle now) const {
  SmReport::Stall stall;
  stall.asleep = uncharged(now);
  stall.asleep_reason = reason_asleep();
  stall.asleep_warp = waiting_.warp;
  stall.asleep_behind = waiting_.behind;
  return stall;
}

}  // namespace g80
