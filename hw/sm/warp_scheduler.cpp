// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/warp_scheduler.h"

#include "hw/config/pipeline_depth.h"

#include "hw/sm/warp_policies.h"

namespace g80 {
namespace {

inline constexpr Cycle kPortCycles = kWarpSize / kNumSpLanes;  // 32 lanes over 8 SPs

}  // namespace

std::optional<unsigned> pick_warp(SchedulerPolicy policy, const PickInput& in) {
  if (in.eligible == 0) return std::nullopt;
  return kWarpPolicies[static_cast<std::size_t>(policy)].pick(in);
}

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

WarpScheduler::WarpScheduler(const sc_core::sc_module_name& name, const Config& config)
    : WarpSchedulerPorts(name),
      policy_(config.sm.scheduler),
      collector_units_(config.sm.collector_units),
      memory_units_(memory_collector_limit(config)),
      load_entries_(config.sm.load_table_entries),
      sfu_cycles_(sfu_occupancy(config)),
      dp_cycles_(dp_occupancy(config)),
      multiply_cycles_(multiply_occupancy(config)),
      control_cycles_(config.sm.control_cycles),
      replay_cycles_(config.sm.replay_cycles) {}

WarpSchedulerPorts::Counters WarpSchedulerPorts::counters(Cycle now) const {
  Counters total = counters_;
  const Cycle cycles = now / 2;
  if (cycles > charged_)
    total.stall[static_cast<unsigned>(q_.pick.valid ? StallReason::kUnitBusy : q_.pick.stall)] += cycles - charged_;
  return total;
}

void WarpSchedulerPorts::charge_sleep(PcProfile& profile, Cycle now) const {
  const Cycle cycles = now / 2;
  if (cycles > charged_)
    profile.stalled(waiting_, q_.pick.valid ? StallReason::kUnitBusy : q_.pick.stall, cycles - charged_);
}

void WarpSchedulerPorts::tell_profile(Cycle charged) {
  if (charged_ <= charged) return;  // a reset
  if (const Cycle asleep = charged_ - charged - 1; asleep != 0) profile_->stalled(waiting_, q_.pick.stall, asleep);
  if (d_.pick.valid) {
    profile_->picked(d_.pick.warp);
    waiting_ = {d_.pick.warp, true};
  } else {
    waiting_ = waiting_warp(d_.pick.stall, ready_i.read(), q_.hidden);
    profile_->stalled(waiting_, d_.pick.stall, 1);
  }
}

void WarpScheduler::next() {
  const WarpReady& ready = ready_i.read();
  const Cycle now = edge();
  // Time asleep belongs to the reason it began with.
  const Cycle charged = charged_;
  if (now / 2 > charged_ + 1) counters_.stall[static_cast<unsigned>(q_.pick.stall)] += now / 2 - charged_ - 1;
  charged_ = now / 2;

  if (const Redirect& start = start_i.read(); start.valid) {
    d_.order.age[start.warp] = q_.starts;
    d_.starts = q_.starts + 1;
  }
  const auto used = [](std::uint8_t picked, std::uint8_t freed) { return static_cast<std::uint8_t>(picked - freed); };
  const bool collector_free = used(q_.collector_used, collector_credit_i.read().collector) < collector_units_;
  const bool memory_free = used(q_.memory_used, memory_credit_i.read().memory) < memory_units_;
  const bool load_free = used(q_.load_used, load_credit_i.read().load) < load_entries_;

  const WarpMask judged = ready.ready & ~q_.hidden;
  WarpMask on_port = judged & ~(ready.sfu | ready.dp | ready.control);
  const WarpMask memory_class = ready.memory | ready.texture;
  WarpMask queue_blocked = 0;
  if (!memory_free) queue_blocked |= memory_class;
  if (!load_free) queue_blocked |= ready.load;
  queue_blocked &= on_port;
  on_port &= ~queue_blocked;
  if ((on_port & ~ready.multiply) != 0) on_port &= ~ready.multiply;  // they have another way
  if (now < q_.port_free) on_port = 0;
  WarpMask eligible = on_port;
  if (now >= q_.sfu_free) eligible |= judged & (ready.sfu | ready.multiply);
  if (now >= q_.dp_free) eligible |= judged & ready.dp;
  if (now >= q_.control_free) eligible |= judged & ready.control;
  if (!collector_free) eligible = 0;

  d_.order.eligible = eligible;
  d_.pick = {};
  d_.hidden = 0;
  if (const auto warp = pick_warp(policy_, d_.order)) {
    const WarpMask bit = WarpMask{1} << *warp;
    d_.pick.valid = true;
    d_.pick.warp = static_cast<std::uint8_t>(*warp);
    d_.pick.stall = StallReason::kIssued;
    d_.order.last = *warp;
    d_.hidden = bit;
    ++d_.collector_used;
    if ((memory_class & bit) != 0) ++d_.memory_used;
    if ((ready.load & bit) != 0) ++d_.load_used;
    d_.pick.to_multipliers = (ready.multiply & ~on_port & bit) != 0;
    if ((ready.sfu & bit) != 0) {
      d_.sfu_free = now + sfu_cycles_;
    } else if (d_.pick.to_multipliers) {
      d_.sfu_free = now + multiply_cycles_;
    } else if ((ready.dp & bit) != 0) {
      d_.dp_free = now + dp_cycles_;
    } else if ((ready.control & bit) != 0) {
      d_.control_free = now + control_cycles_;
    } else {
      d_.port_free = now + kPortCycles;
    }
  } else {
    d_.pick.stall = stall_reason(ready, q_.hidden, judged != 0 && judged == queue_blocked);
    // Time alone changes the answer only when a unit becomes free.
    if (q_.hidden == 0 && !q_.pick.valid && !start_i.read().valid && !replay_i.read()) {
      std::optional<Cycle> next;
      for (const Cycle free : {q_.port_free, q_.sfu_free, q_.dp_free, q_.control_free}) {
        if (free > now && (!next || free < *next)) next = free;
      }
      if (next) wake_at(*next + (*next & 1));
      sleep();
    }
  }
  if (replay_i.read()) d_.port_free = std::max(d_.port_free, now) + replay_cycles_;
  ++counters_.stall[static_cast<unsigned>(d_.pick.stall)];
  if (profile_ != nullptr) tell_profile(charged);
}

}  // namespace g80
