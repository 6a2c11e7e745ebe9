// SPDX-License-Identifier: Apache-2.0
#include "hw/common/domain.h"

#include <cmath>

#include "hw/common/clocked.h"

namespace g80 {

Domain::Domain(const sc_core::sc_module_name& name, unsigned number, double mhz, Cycle reset_cycles, bool no_sleep)
    : sc_module(name), mhz_(mhz), number_(number), reset_cycles_(reset_cycles), no_sleep_(no_sleep) {
  SC_HAS_PROCESS(Domain);
  SC_METHOD(run_edge);
  sensitive << edge_event_;
  dont_initialize();
}

void Domain::add(ClockedBase& module, Rate rate) {
  CHECK(module.domain_ == nullptr, "{} is in two clock domains", module.name());
  module.domain_ = this;
  module.index_ = static_cast<unsigned>(modules_.size());
  modules_.push_back(&module);
  const std::size_t words = (modules_.size() + 63) / 64;
  awake_.resize(words);
  half_rate_.resize(words);
  if (rate == Rate::kHalf) half_rate_[module.index_ / 64] |= std::uint64_t{1} << (module.index_ % 64);
}

Picoseconds Domain::edge_time(double mhz, Cycle edge) {
  return static_cast<Picoseconds>(std::llround(static_cast<long double>(edge) * 1e6L / static_cast<long double>(mhz)));
}

Cycle Domain::first_edge_from(Picoseconds time) const {
  auto edge = static_cast<Cycle>(static_cast<long double>(time) * static_cast<long double>(mhz_) / 1e6L);
  while (edge > 0 && edge_time(mhz_, edge) >= time) --edge;
  while (edge_time(mhz_, edge) < time) ++edge;
  return edge;
}

Cycle Domain::first_edge_after_now() const {
  const Picoseconds now = sc_core::sc_time_stamp().value();
  auto edge = static_cast<Cycle>(static_cast<long double>(now) * static_cast<long double>(mhz_) / 1e6L);
  while (edge > 0 && edge_time(edge) > now) --edge;
  while (edge_time(edge) <= now) ++edge;
  return edge;
}

void Domain::start_of_simulation() {
  wheel_.assign(kWheel, Bits(awake_.size()));
  stepped_.reserve(modules_.size());
  for (ClockedBase* module : modules_) {
    module->hold_reset();
    module->commit();
    awake_[module->index_ / 64] |= std::uint64_t{1} << (module->index_ % 64);
  }
  schedule_next();
}

void Domain::run_edge() {
  running_ = true;
  edge_ = scheduled_;
  scheduled_ = 0;
  tell_sinks(watches_, [this](const TraceWatch& watch) { watch.sink->edge_begin(*this); });
  const unsigned slot = edge_ % kWheel;
  if (wheel_used_[slot / 64] >> (slot % 64) & 1) {
    wheel_used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    for (std::size_t w = 0; w < awake_.size(); ++w) {
      awake_[w] |= wheel_[slot][w];
      wheel_[slot][w] = 0;
    }
  }
  while (!later_.empty() && later_.top().edge <= edge_) {
    awake_[later_.top().index / 64] |= std::uint64_t{1} << (later_.top().index % 64);
    later_.pop();
  }
  const bool odd = (edge_ & 1) != 0;
  const bool reset = in_reset();
  stepped_.clear();
  for (std::size_t w = 0; w < awake_.size(); ++w) {
    std::uint64_t run = odd ? awake_[w] & ~half_rate_[w] : awake_[w];
    while (run != 0) {
      const unsigned bit = static_cast<unsigned>(__builtin_ctzll(run));
      run &= run - 1;
      stepped_.push_back(modules_[w * 64 + bit]);
    }
  }
  if (__builtin_expect(order_.has_value(), 0)) std::shuffle(stepped_.begin(), stepped_.end(), *order_);
  for (ClockedBase* module : stepped_) {
    if (__builtin_expect(reset, 0)) {
      module->hold_reset();
    } else {
      module->step();
    }
    if (module->sleep_requested) {
      module->sleep_requested = false;
      if (!no_sleep_ && !reset) awake_[module->index_ / 64] &= ~(std::uint64_t{1} << (module->index_ % 64));
    }
  }
  for (ClockedBase* module : stepped_) module->commit();
  activations_ += stepped_.size();
  if (__builtin_expect(faults_ != nullptr, 0)) faults_->edge_committed(*this);
  tell_sinks(watches_, [this](const TraceWatch& watch) { watch.sink->edge_done(*this); });
  running_ = false;
  schedule_next();
}

void Domain::wake_at(unsigned index, Cycle edge) {
  if (edge <= edge_) {
    wake(index);
    return;
  }
  if (edge - edge_ < kWheel) {
    const unsigned slot = edge % kWheel;
    wheel_[slot][index / 64] |= std::uint64_t{1} << (index % 64);
    wheel_used_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  } else {
    later_.push({edge, index});
  }
  if (!running_) schedule_from_outside();
}

void Domain::schedule_from_outside() {
  // Another domain or the testbench woke a module. The edges that passed while this domain slept are never run.
  if (!wheel_.empty()) schedule_next();
}

void Domain::schedule_next() {
  // The first edge that is not in the past.
  Cycle first = edge_ + 1;
  if (edge_time(first) <= sc_core::sc_time_stamp().value() && sc_core::sc_is_running()) first = first_edge_after_now();
  Cycle next = 0;
  std::uint64_t awake_full = 0, awake_half = 0;
  for (std::size_t w = 0; w < awake_.size(); ++w) {
    awake_full |= awake_[w] & ~half_rate_[w];
    awake_half |= awake_[w] & half_rate_[w];
  }
  if (awake_full != 0) {
    next = first;
  } else if (awake_half != 0) {
    next = first + (first & 1);
  }
  if (next != first) {
    // Earliest wheel slot, in order of time from the last edge run.
    for (unsigned ahead = 1; ahead < kWheel; ++ahead) {
      const Cycle candidate = edge_ + ahead;
      const unsigned slot = candidate % kWheel;
      const std::uint64_t word = wheel_used_[slot / 64] >> (slot % 64);
      if (word == 0) {
        ahead += 63 - slot % 64;  // nothing more in this word
        continue;
      }
      if (word & 1) {
        if (next == 0 || candidate < next) next = candidate;
        break;
      }
    }
    if (!later_.empty() && (next == 0 || later_.top().edge < next)) next = later_.top().edge;
  }
  if (next == 0 || next == scheduled_) return;
  if (scheduled_ != 0 && scheduled_ < next) return;
  if (next < first) next = first;
  scheduled_ = next;
  const Picoseconds now = sc_core::sc_time_stamp().value();
  edge_event_.notify(sc_core::sc_time::from_value(edge_time(next) - now));
}

void ClockedBase::end_of_elaboration() {
  if (clk_i.size() == 0) return;
  CHECK(domain_ == nullptr, "{}: clk_i is bound although the block belongs to a clock domain", name());
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&clk_i->posedge_event());
  sc_core::sc_spawn([this] { clock_edge(); }, "edge", &options);
  hold_reset();
  commit();
}

void ClockedBase::clock_edge() {
  ++own_edge_;
  if (rst_ni.size() != 0 && !rst_ni->read()) {
    hold_reset();
  } else {
    step();
  }
  sleep_requested = false;
  commit();
}

}  // namespace g80
