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
  const WarpMask judged = r.ready & ~hidden;
  WarpMask warps = 0;
  bool behind = false;
  switch (reason) {
    case StallReason::kIssued:
    case StallReason::kNoWarp:
    case StallReason::kCount: break;
    case StallReason::kMemoryQueue: warps = judged; break;
    case StallReason::kUnitBusy:
      behind = judged == 0;
      warps = behind ? hidden : judged;
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
  if (profile_ != nullptr && cycles != 0) tell_profile(asleep, pick, ready, hidden);
  last_ = pick;
}

void StallAccount::charge_counted(Cycle charged, const Counters& counters, const Pick& pick, const WarpReady& ready,
                                  WarpMask hidden) {
  if (profile_ != nullptr && charged > charged_) tell_profile(charged - charged_ - 1, pick, ready, hidden);
  charged_ = charged;
  note_issue(pick);
  counters_ = counters;
  last_ = pick;
}

void StallAccount::tell_profile(Cycle asleep, const Pick& pick, const WarpReady& ready, WarpMask hidden) {
  if (asleep != 0) profile_->stalled(waiting_, reason_asleep(), asleep);
  if (pick.valid) {
    profile_->picked(pick.warp);
    waiting_ = {pick.warp, true};
  } else {
    waiting_ = waiting_warp(pick.stall, ready, hidden);
    profile_->stalled(waiting_, pick.stall, 1);
  }
}

StallAccount::Counters StallAccount::counters(Cycle now) const {
  Counters total = counters_;
  total.stall[static_cast<unsigned>(reason_asleep())] += uncharged(now);
  return total;
}

void StallAccount::charge_sleep(PcProfile& profile, Cycle now) const {
  if (const Cycle asleep = uncharged(now); asleep != 0) profile.stalled(waiting_, reason_asleep(), asleep);
}

}  // namespace g80
