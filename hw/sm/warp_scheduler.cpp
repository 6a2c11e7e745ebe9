// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/warp_scheduler.h"

#include <limits>

#include "hw/common/delay_registers.h"
#include "hw/config/pipeline_depth.h"
#include "hw/sm/warp_policies.h"

namespace g80 {
namespace {

/// What is left of a number of shader cycles in the next scheduler cycle.
constexpr unsigned one_cycle_later(unsigned cycles) {
  return cycles > kSchedulerPeriod ? cycles - kSchedulerPeriod : 0;
}

/// `warp` becomes the youngest: those that were younger grow older by one.
void make_youngest(WarpAges& age, unsigned warp) {
  const std::uint8_t before = age[warp];
  for (std::uint8_t& each : age) each = static_cast<std::uint8_t>(each - (each > before));
  age[warp] = kMaxWarps - 1;
}

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
  if (const Redirect& start = start_i.read(); start.valid) make_youngest(d_.age, start.warp);
  const auto used = [](std::uint8_t picked, std::uint8_t freed) { return static_cast<std::uint8_t>(picked - freed); };
  const bool collector_free = used(q_.collector_used, collector_credit_i.read().collector) < collector_units_;
  const bool memory_free = used(q_.memory_used, memory_credit_i.read().memory) < memory_units_;
  const bool load_free = used(q_.load_used, load_credit_i.read().load) < load_entries_;
  const WarpMask wide_blocked = q_.wide_used != collector_credit_i.read().wide ? ready.wide : 0;

  const WarpMask visible = ready.ready & ~q_.hidden;
  WarpMask on_port = visible & ~(ready.sfu | ready.dp | ready.control);
  const WarpMask memory_class = ready.memory | ready.texture;
  WarpMask queue_blocked = wide_blocked;
  if (!memory_free) queue_blocked |= memory_class;
  if (!load_free) queue_blocked |= ready.load;
  queue_blocked &= on_port;
  on_port &= ~queue_blocked;
  if (q_.shared_work > shared_cycles_) on_port &= ~ready.shared;
  if ((on_port & ~ready.multiply) != 0) on_port &= ~ready.multiply;  // a multiply can go to the SFU instead
  if (q_.port_wait != 0) on_port = 0;
  WarpMask eligible = on_port;
  if (q_.sfu_wait == 0) eligible |= visible & (ready.sfu | ready.multiply);
  if (q_.dp_wait == 0) eligible |= visible & ready.dp & ~wide_blocked;
  if (q_.control_wait == 0) eligible |= visible & ready.control;
  if (!collector_free) eligible = 0;

  unsigned port_wait = q_.port_wait, sfu_wait = q_.sfu_wait, dp_wait = q_.dp_wait, control_wait = q_.control_wait,
           shared_work = q_.shared_work;
  d_.pick = {};
  d_.hidden = 0;
  const WarpMask watched = WarpMask{1} << q_.watched;
  const bool goes_first = policy_ == SchedulerPolicy::kLooseRoundRobin && q_.passed_over == kPickPatience;
  const WarpMask first = goes_first ? eligible & watched : 0;
  if (const auto warp = pick_warp(policy_, {first != 0 ? first : eligible, q_.last, q_.age})) {
    const WarpMask bit = WarpMask{1} << *warp;
    if (bit == watched || (visible & watched) == 0) {
      d_.watched = static_cast<std::uint8_t>((q_.watched + 1) % kMaxWarps);
      d_.passed_over = 0;
    } else if ((eligible & watched) != 0) {
      d_.passed_over = static_cast<std::uint8_t>(std::min(q_.passed_over + 1u, kPickPatience));
    }
    d_.pick.valid = true;
    d_.pick.warp = static_cast<std::uint8_t>(*warp);
    d_.pick.stall = StallReason::kIssued;
    d_.last = static_cast<std::uint8_t>(*warp);
    d_.hidden = bit;
    ++d_.collector_used;
    if ((memory_class & bit) != 0) ++d_.memory_used;
    if ((ready.load & bit) != 0) ++d_.load_used;
    if ((ready.wide & bit) != 0) ++d_.wide_used;
    d_.pick.to_multipliers = (ready.multiply & ~on_port & bit) != 0;
    if ((ready.sfu & bit) != 0) {
      sfu_wait = sfu_cycles_;
    } else if (d_.pick.to_multipliers) {
      sfu_wait = multiply_cycles_;
    } else if ((ready.dp & bit) != 0) {
      dp_wait = dp_cycles_;
    } else if ((ready.control & bit) != 0) {
      control_wait = control_cycles_;
    } else {
      port_wait = kSpOccupancy;
      if ((ready.shared & bit) != 0) shared_work += shared_cycles_;
    }
  } else {
    d_.pick.stall = stall_reason(ready, q_.hidden, visible != 0 && visible == queue_blocked);
    const bool all_free = (port_wait | sfu_wait | dp_wait | control_wait | shared_work) == 0;
    if (all_free && q_.hidden == 0 && !q_.pick.valid && !start_i.read().valid && !replay_i.read()) sleep();
  }
  if (replay_i.read()) port_wait += replay_cycles_;
  CHECK(port_wait <= std::numeric_limits<std::uint16_t>::max(), "the issue port is taken for {} cycles", port_wait);
  d_.port_wait = static_cast<std::uint16_t>(one_cycle_later(port_wait));
  d_.sfu_wait = static_cast<std::uint8_t>(one_cycle_later(sfu_wait));
  d_.dp_wait = static_cast<std::uint8_t>(one_cycle_later(dp_wait));
  d_.control_wait = static_cast<std::uint8_t>(one_cycle_later(control_wait));
  d_.shared_work = static_cast<std::uint8_t>(one_cycle_later(shared_work));
  account_.charge(edge(), d_.pick, ready, q_.hidden);
}

}  // namespace g80
