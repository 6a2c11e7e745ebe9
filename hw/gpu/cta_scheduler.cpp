// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/cta_scheduler.h"

#include "hw/common/set_bits.h"
#include "hw/gpu/placement_policies.h"

namespace g80 {

void end_ctas(CtaSchedulerRegs& next, std::uint32_t ended) {
  for (const unsigned sm : set_bits(ended)) {
    CHECK(next.resident[sm] != 0, "SM {} ended a CTA, but it runs none", sm);
    --next.resident[sm];
    --next.unfinished;
  }
  next.candidates |= ended;
}

std::optional<unsigned> place_cta(CtaSchedulerRegs& next, CtaPlacement placement, unsigned num_tpcs,
                                  unsigned sms_per_tpc, const PlacementTurn& turn) {
  const std::optional<unsigned> sm =
      kPlacementPolicies[static_cast<std::size_t>(placement)]({next.candidates, num_tpcs, sms_per_tpc, turn});
  if (!sm) return sm;
  CHECK((next.candidates >> *sm & 1) != 0, "SM {} was chosen, which has no room", *sm);
  if (++next.resident[*sm] == next.ctas_per_sm) next.candidates &= ~(1u << *sm);
  next.turn = after_pick(turn, *sm, sms_per_tpc);
  ++next.unfinished;
  return sm;
}

CtaScheduler::CtaScheduler(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      cta_o("cta_o", config.gpu.num_tpcs * config.gpu.sms_per_tpc),
      done_i("done_i", config.gpu.num_tpcs * config.gpu.sms_per_tpc),
      fault_i("fault_i", config.gpu.num_tpcs * config.gpu.sms_per_tpc),
      num_tpcs_(config.gpu.num_tpcs),
      sms_per_tpc_(config.gpu.sms_per_tpc),
      num_sms_(num_tpcs_ * sms_per_tpc_),
      placement_(config.gpu.cta_placement),
      order_(config),
      departures_(*this, "departures", config.gpu.cta_launch_cycles) {
  CHECK(num_sms_ <= kMaxSms, "{}: {} SMs, but the model is built for {}", this->name(), num_sms_, kMaxSms);
}

void CtaScheduler::reset() {
  departures_.clear();
  words_.clear();
  faults_.clear();
  counters_ = {};
}

void CtaScheduler::next() {
  departures_.step_to(edge());
  collect_fault();
  collect_words();
  const GridStart& grid = grid_i.read();
  if (grid.valid && grid.kernel != q_.kernel) {
    start_grid(grid);
  } else if (d_.running) {
    if (d_.status.fault.valid || grid.abort) {
      end_grid(false);
    } else if (d_.unfinished == 0 && !q_.following.valid && q_.following.ended) {
      end_grid(true);
    } else {
      place_following();
    }
  }
  send_cta();
  const bool searching = !d_.following.valid && !d_.following.ended;
  const bool placing = d_.running && (searching || (d_.following.valid && d_.candidates != 0));
  const bool settled =
      d_.running == q_.running && d_.unfinished == q_.unfinished && d_.following.ended == q_.following.ended;
  if (departures_.moving()) wake_at(departures_.next_arrival(edge()));
  if (!placing && settled && words_.empty() && faults_.empty()) sleep();
}

void CtaScheduler::start_grid(const GridStart& grid) {
  CHECK(grid.ctas_per_sm != 0, "{}: kernel {} was accepted although none of its CTAs fits on an SM", name(),
        grid.kernel);
  d_.running = true;
  d_.kernel = grid.kernel;
  d_.ctas_per_sm = grid.ctas_per_sm;
  d_.following = order_.first(grid.grid_x, grid.grid_y);
  d_.candidates = 0xffffffffu >> (32 - num_sms_);
  // The first CTA of a grid goes to SM 0.
  d_.turn.tpc = static_cast<std::uint8_t>(num_tpcs_ - 1);
  d_.turn.sm.fill(static_cast<std::uint8_t>(sms_per_tpc_ - 1));
  ++counters_.grids;
}

// Takes one an edge from each SM; of those that come together, one goes on.
void CtaScheduler::collect_fault() {
  KernelFault first;
  for (unsigned sm = 0; sm < num_sms_; ++sm) {
    if (!fault_i[sm]->available()) continue;
    if (!first.valid) first = fault_i[sm]->front();
    fault_i[sm]->pop();
    ++counters_.faults;
  }
  const KernelFault fault = faults_.shift(first);
  if (!d_.status.fault.valid) d_.status.fault = fault;
}

// Takes one word an edge from each SM.
void CtaScheduler::collect_words() {
  SmWords taken;
  for (unsigned sm = 0; sm < num_sms_; ++sm) {
    if (!done_i[sm]->available()) continue;
    taken.valid = true;
    (done_i[sm]->front().idle ? taken.idle : taken.ended) |= 1u << sm;
    done_i[sm]->pop();
  }
  const SmWords words = words_.shift(taken);
  if (!words.valid) return;
  if (d_.running) {
    end_ctas(d_, words.ended);
    counters_.ctas_finished += static_cast<unsigned>(__builtin_popcount(words.ended));
  }
  d_.idle_sms = (d_.idle_sms & ~words.ended) | words.idle;
  d_.status.sms_idle = d_.idle_sms == ~0u;
}

void CtaScheduler::place_following() {
  if (q_.following.valid) {
    if (d_.candidates == 0) return;
    const std::optional<unsigned> sm = place_cta(d_, placement_, num_tpcs_, sms_per_tpc_, q_.turn);
    if (!sm) return;
    departures_.push(CtaDeparture{static_cast<std::uint8_t>(*sm), q_.following.x, q_.following.y});
    ++counters_.ctas_placed;
  }
  if (q_.following.ended) {
    d_.following.valid = false;
  } else {
    order_.advance(d_.following, grid_i.read().grid_x, grid_i.read().grid_y);
  }
}

void CtaScheduler::send_cta() {
  if (!departures_.arrived()) return;
  const CtaDeparture cta = departures_.front();
  departures_.pop();
  CHECK(cta.sm < num_sms_ && cta_o[cta.sm]->can_push(), "{}: the FIFO to SM {} has no room for a CTA", name(), cta.sm);
  cta_o[cta.sm]->push({true, cta.cta_x, cta.cta_y, d_.kernel});
}

void CtaScheduler::end_grid(bool complete) {
  departures_.clear();
  d_.running = false;
  d_.status.finished = d_.kernel;
  d_.status.complete = complete;
}

void CtaScheduler::drive() { status_o.write(q_.status); }

}  // namespace g80
