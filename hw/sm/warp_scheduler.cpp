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

WarpScheduler::WarpScheduler(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      policy_(config.sm.scheduler),
      collector_units_(config.sm.collector_units),
      memory_units_(memory_collector_limit(config)),
      load_entries_(config.sm.load_table_entries),
      sfu_cycles_(sfu_occupancy(config)),
      dp_cycles_(dp_occupancy(config)),
      multiply_cycles_(multiply_occupancy(config)),
      control_cycles_(config.sm.control_cycles),
      replay_cycles_(config.sm.replay_cycles),
      shared_cycles_(config.sm.shared_operand_cycles) {}

void WarpScheduler::next() {
  const WarpReady& ready = ready_i.read();
  const Cycle now = edge();
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
  if (now < q_.shared_free) on_port &= ~ready.shared;
  if ((on_port & ~ready.multiply) != 0) on_port &= ~ready.multiply;  // a multiply can go to the SFU instead
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
      if ((ready.shared & bit) != 0) d_.shared_free = std::max(q_.shared_free + shared_cycles_, now);
    }
  } else {
    d_.pick.stall = stall_reason(ready, q_.hidden, judged != 0 && judged == queue_blocked);
    // If no input changes, the next pick is possible when a unit becomes free: sleep until then.
    if (q_.hidden == 0 && !q_.pick.valid && !start_i.read().valid && !replay_i.read()) {
      std::optional<Cycle> next;
      for (const Cycle free : {q_.port_free, q_.sfu_free, q_.dp_free, q_.control_free, q_.shared_free}) {
        if (free > now && (!next || free < *next)) next = free;
      }
      if (next) wake_at(*next + (*next & 1));
      sleep();
    }
  }
  if (replay_i.read()) d_.port_free = std::max(d_.port_free, now) + replay_cycles_;
  account_.charge(now, d_.pick, ready, q_.hidden);
}

}  // namespace g80
