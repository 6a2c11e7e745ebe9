// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/cta_scheduler.h"

#include <algorithm>

#include "hw/gpu/placement_policies.h"

namespace g80 {

CtaScheduler::CtaScheduler(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      cta_o("cta_o", config.gpu.num_tpcs * config.gpu.sms_per_tpc),
      done_i("done_i", config.gpu.num_tpcs * config.gpu.sms_per_tpc),
      fault_i("fault_i", config.gpu.num_tpcs * config.gpu.sms_per_tpc),
      config_(config),
      num_tpcs_(config.gpu.num_tpcs),
      sms_per_tpc_(config.gpu.sms_per_tpc),
      num_sms_(num_tpcs_ * sms_per_tpc_),
      departures_(*this, "departures", config.gpu.cta_launch_cycles) {
  CHECK(num_sms_ <= kMaxSms, "{}: {} SMs, but the model is built for {}", this->name(), num_sms_, kMaxSms);
}

void CtaScheduler::reset() {
  ledger_.fill({});
  departures_.clear();
  timeline_.clear();
  grids_.clear();
  counters_ = {};
}

void CtaScheduler::next() {
  departures_.step_to(edge());
  const bool fault_came = collect_faults();
  const bool end_came = collect_ends();
  const GridStart& grid = grid_i.read();
  if (!q_.running && grid.valid && grid.kernel != q_.kernel) {
    start_grid(grid);
  } else if (d_.running) {
    if (d_.status.fault.valid || grid.abort) {
      end_grid(false);
    } else if (d_.finished == d_.total) {
      end_grid(true);
    } else {
      place_cta();
    }
  }
  send_cta();
  const bool placing = d_.running && d_.placed < d_.total && d_.candidates != 0;
  const bool settled = !fault_came && !end_came && d_.running == q_.running && d_.placed == q_.placed;
  if (departures_.moving()) wake_at(departures_.next_arrival());
  if (!placing && settled) sleep();
}

void CtaScheduler::start_grid(const GridStart& grid) {
  const LaunchState& launch = launch_i.read();
  const BlockNeeds needs{launch.threads, launch.registers, launch.shared_bytes};
  share_ = cta_share(config_, needs);
  ledger_.fill({});
  d_.running = true;
  d_.kernel = grid.kernel;
  d_.total = std::uint64_t{launch.grid_x} * launch.grid_y;
  d_.placed = d_.finished = 0;
  d_.candidates = 0;
  for (unsigned sm = 0; sm < num_sms_; ++sm) {
    if (has_room(ledger_[sm], share_, config_.sm)) d_.candidates |= 1u << sm;
  }
  CHECK(d_.candidates != 0, "{}: kernel {} was accepted although none of its CTAs fits on an SM", name(), grid.kernel);
  // The first CTA of a grid goes to SM 0.
  d_.turn = {};
  d_.turn.tpc = static_cast<std::uint8_t>(num_tpcs_ - 1);
  d_.turn.sm.fill(static_cast<std::uint8_t>(sms_per_tpc_ - 1));
  GridRecord record;
  record.kernel = grid.kernel;
  record.share = share_;
  record.occupancy = occupancy(config_, needs);
  record.first_decision = edge() + 1;
  grids_.push_back(record);
  ++counters_.grids;
}

// Takes one an edge from each SM. True if one came.
bool CtaScheduler::collect_faults() {
  bool came = false;
  for (unsigned sm = 0; sm < num_sms_; ++sm) {
    if (!fault_i[sm]->available()) continue;
    came = true;
    if (!d_.status.fault.valid) d_.status.fault = fault_i[sm]->front();
    fault_i[sm]->pop();
    ++counters_.faults;
  }
  return came;
}

// Takes one word an edge from each SM: the end of a CTA, or that the SM is idle. True if one came.
bool CtaScheduler::collect_ends() {
  bool came = false;
  for (unsigned sm = 0; sm < num_sms_; ++sm) {
    if (!done_i[sm]->available()) continue;
    came = true;
    if (done_i[sm]->front().idle) {
      d_.idle_sms |= 1u << sm;
    } else {
      if (d_.running) end_cta(sm, done_i[sm]->front());
      d_.idle_sms &= ~(1u << sm);
    }
    done_i[sm]->pop();
  }
  d_.status.sms_idle = d_.idle_sms == ~0u;
  return came;
}

void CtaScheduler::end_cta(unsigned sm, const CtaDone& done) {
  SmLedger& held = ledger_[sm];
  auto* const first = resident_[sm].data();
  auto* const last = first + held.blocks;
  auto* const found = std::find_if(first, last, [&](std::uint32_t record) {
    return timeline_[record].cta_x == done.cta_x && timeline_[record].cta_y == done.cta_y;
  });
  CHECK(found != last, "{}: SM {} ended CTA ({}, {}), which it does not run", name(), sm, done.cta_x, done.cta_y);
  timeline_[*found].ended = edge();
  *found = *(last - 1);
  give_back(held, share_);
  if (has_room(held, share_, config_.sm)) d_.candidates |= 1u << sm;
  ++d_.finished;
  ++counters_.ctas_finished;
}

void CtaScheduler::place_cta() {
  if (d_.placed == d_.total) return;
  if (d_.candidates == 0) return;
  const std::optional<unsigned> sm = kPlacementPolicies[static_cast<std::size_t>(config_.gpu.cta_placement)](
      {d_.candidates, num_tpcs_, sms_per_tpc_, q_.turn});
  if (!sm) return;
  CHECK((d_.candidates >> *sm & 1) != 0, "{}: SM {} was chosen, which has no room", name(), *sm);
  const std::uint64_t cta = cta_at(d_.placed, d_.total, config_.gpu.cta_order, config_.gpu.seed);
  CtaRecord record;
  record.kernel = d_.kernel;
  CHECK(launch_i.read().grid_x != 0, "{}: a grid of no width", name());
  record.cta_x = static_cast<std::uint16_t>(cta % launch_i.read().grid_x);
  record.cta_y = static_cast<std::uint16_t>(cta / launch_i.read().grid_x);
  record.sm = static_cast<std::uint16_t>(*sm);
  record.decided = edge();
  const auto number = static_cast<std::uint32_t>(timeline_.size());
  timeline_.push_back(record);
  SmLedger& held = ledger_[*sm];
  resident_[*sm][held.blocks] = number;
  take(held, share_);
  if (!has_room(held, share_, config_.sm)) d_.candidates &= ~(1u << *sm);
  d_.turn = after_pick(q_.turn, *sm, sms_per_tpc_);
  ++d_.placed;
  grids_.back().most_resident_ctas = std::max(grids_.back().most_resident_ctas, held.blocks);
  departures_.push(number);
  ++counters_.ctas_placed;
}

void CtaScheduler::send_cta() {
  if (!departures_.arrived()) return;
  CHECK(departures_.front() < timeline_.size(), "{}: CTA {} starts, but only {} were placed", name(),
        departures_.front(), timeline_.size());
  CtaRecord& record = timeline_[departures_.front()];
  departures_.pop();
  record.started = edge();
  CHECK(cta_o[record.sm]->can_push(), "{}: the FIFO to SM {} has no room for a CTA", name(), record.sm);
  cta_o[record.sm]->push({true, record.cta_x, record.cta_y, record.kernel});
}

void CtaScheduler::end_grid(bool complete) {
  departures_.clear();
  d_.running = false;
  d_.status.finished = d_.kernel;
  d_.status.complete = complete;
  grids_.back().last_end = edge();
}

void CtaScheduler::drive() { status_o.write(q_.status); }

}  // namespace g80
