// SPDX-License-Identifier: Apache-2.0
#include "hw/common/domain.h"

#include <exception>
#include <utility>

#include "hw/common/clocked.h"

namespace g80 {
namespace {

std::uint64_t* start_of_line(std::uint64_t* memory) {
  while (reinterpret_cast<std::uintptr_t>(memory) % kCacheLine != 0) ++memory;
  return memory;
}

inline void step_block(ClockedBase& block, bool may_sleep) {
  block.step();
  if (!block.sleep_requested) return;
  block.sleep_requested = false;
  if (may_sleep) *block.wakes().awake &= ~block.wakes().bits;
}

}  // namespace

Domain::Domain(const sc_core::sc_module_name& name, unsigned number, double mhz, Cycle reset_cycles, bool no_sleep)
    : sc_module(name),
      mhz_(mhz),
      frequency_(frequency(mhz)),
      period_(kUnitTime / frequency_),
      period_rest_(2 * kUnitTime % (2 * frequency_)),
      number_(number),
      reset_cycles_(reset_cycles),
      no_sleep_(no_sleep),
      following_time_((2 * kUnitTime + frequency_) / (2 * frequency_)),
      following_rest_((2 * kUnitTime + frequency_) % (2 * frequency_)),
      awake_(start_of_line(awake_memory_.data())),
      calendar_(Calendar::of_simulation()) {
  calendar_->add(*this);
}

Domain::~Domain() { calendar_->remove(*this); }

void Domain::add(ClockedBase& module, Rate rate) {
  CHECK(module.domain_ == nullptr, "{} is in two clock domains", module.name());
  CHECK(wheel_.empty(), "{} joins its clock domain after the simulation has started", module.name());
  module.domain_ = this;
  module.edge_ = &edge_;
  module.index_ = static_cast<unsigned>(places_.size());
  modules_.push_back(&module);
  places_.push_back(&module);
  const std::size_t words = (places_.size() + 63) / 64;
  CHECK(words * stride_ <= kMaxWords, "{} has more than {} modules", name(), 64 * kMaxWords / stride_);
  CHECK(workers_ == nullptr || words == groups_.size(), "{}: a group has more than 64 modules", name());
  half_rate_.resize(words);
  module.wakes_ = {&awake_[(words - 1) * stride_], std::uint64_t{1} << (module.index_ % 64)};
  if (rate == Rate::kHalf) half_rate_[module.index_ / 64] |= std::uint64_t{1} << (module.index_ % 64);
}

void Domain::step_groups_with(Workers& workers) {
  CHECK(modules_.empty(), "{}: its modules are no groups", name());
  workers_ = &workers;
  stride_ = kWordsOfLine;
  groups_.emplace_back();
}

void Domain::begin_group() {
  if (workers_ == nullptr) return;
  places_.resize(64 * groups_.size());
  half_rate_.resize(groups_.size());
  groups_.emplace_back();
  CHECK(groups_.size() <= kMaxGroups, "{} has more than {} groups", name(), kMaxGroups);
}

Wakes Domain::wakes_from(const ClockedBase& driver, const ClockedBase& reader) {
  if (workers_ == nullptr || reader.domain() != this) return reader.wakes();
  const unsigned from = driver.index_ / 64, to = reader.index_ / 64;
  if (from == to) return reader.wakes();
  groups_[from].receivers |= std::uint64_t{1} << to;
  joined_ = true;
  return {&groups_[from].mail[to], reader.wakes().bits};
}

Cycle Domain::first_edge_from(Picoseconds time) const {
  Cycle edge = time / kUnitTime * frequency_ + time % kUnitTime * frequency_ / kUnitTime;
  while (edge > 0 && edge_time(edge) >= time) --edge;
  while (edge_time(edge) < time) ++edge;
  return edge;
}

void Domain::start_of_simulation() {
  wheel_.assign(kWheel * half_rate_.size(), 0);
  stepped_.resize(modules_.size());
  if (workers_ != nullptr) workers_->add(*this, static_cast<unsigned>(groups_.size()) - 1);
  for (ClockedBase* module : modules_) {
    module->hold_reset();
    module->commit();
    *module->wakes_.awake |= module->wakes_.bits;
  }
  schedule_next(edge_ + 1);
}

// Wakes the modules that asked for this edge.
inline void Domain::collect_timed_wakes() {
  const unsigned slot = edge_ % kWheel;
  if (wheel_used_[slot / 64] >> (slot % 64) & 1) {
    wheel_used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    for (std::size_t w = 0; w < half_rate_.size(); ++w)
      awake_[w * stride_] |= std::exchange(wheel_[slot * half_rate_.size() + w], 0);
  }
  while (!later_.empty() && later_.top().edge <= edge_) {
    *places_[later_.top().index]->wakes_.awake |= std::uint64_t{1} << (later_.top().index % 64);
    later_.pop();
  }
}

inline void Domain::begin_edge() {
  edge_ = scheduled_;
  scheduled_ = 0;
  following_time_ = next_time_ + period_;
  following_rest_ = next_rest_ + period_rest_;
  next_time_ = Calendar::kNever;
  if (following_rest_ < 2 * frequency_) return;
  following_rest_ -= 2 * frequency_;
  ++following_time_;
}

// Times of near edges take no more than one division, those of edges in a row none.
inline void Domain::schedule(Cycle edge) {
  constexpr Cycle kNear = 1 << 20;
  scheduled_ = edge;
  const Cycle ahead = edge - edge_ - 1;
  next_time_ = following_time_;
  next_rest_ = following_rest_;
  if (ahead >= kNear) {
    next_time_ = edge_time(edge);
    next_rest_ = (2 * (edge % frequency_) * kUnitTime + frequency_) % (2 * frequency_);
  } else if (ahead != 0) {
    const std::uint64_t rest = following_rest_ + ahead * period_rest_;
    next_time_ += ahead * period_ + rest / (2 * frequency_);
    next_rest_ = rest % (2 * frequency_);
  }
  calendar_->due(next_time_);
}

void Domain::run_edge() {
  running_ = true;
  begin_edge();
  if (__builtin_expect(!watches_.empty(), 0))
    tell_sinks(watches_, [this](const TraceWatch& watch) { watch.sink->edge_begin(*this); });
  collect_timed_wakes();
  const bool odd = (edge_ & 1) != 0;
  if (__builtin_expect(workers_ != nullptr, 0) && is_worth_sharing(odd)) {
    run_groups();
  } else {
    run_in_order(odd);
  }
  if (__builtin_expect(joined_, 0)) take_mail(std::exchange(ran_, 0));
  if (__builtin_expect(faults_ != nullptr, 0)) faults_->edge_committed(*this);
  if (__builtin_expect(!watches_.empty(), 0))
    tell_sinks(watches_, [this](const TraceWatch& watch) { watch.sink->edge_done(*this); });
  running_ = false;
  schedule_next(edge_ + 1);
}

template <class Call>
inline void Domain::for_each_that_runs(bool odd, const Call& call) {
  for (std::size_t w = 0; w < half_rate_.size(); ++w) {
    ClockedBase* const* const modules = &places_[w * 64];
    const std::uint64_t awake = awake_[w * stride_];
    std::uint64_t run = odd ? awake & ~half_rate_[w] : awake;
    if (__builtin_expect(joined_ && run != 0, 0)) ran_ |= std::uint64_t{1} << w;
    for (; run != 0; run &= run - 1) call(*modules[__builtin_ctzll(run)]);
  }
}

inline void Domain::run_in_order(bool odd) {
  ClockedBase** const begin = stepped_.data();
  ClockedBase** end = begin;
  const auto step = [this](ClockedBase& block) { step_block(block, !no_sleep_); };
  if (__builtin_expect(in_reset() || order_.has_value(), 0)) {
    for_each_that_runs(odd, [&](ClockedBase& block) { *end++ = &block; });
    if (order_.has_value()) std::shuffle(begin, end, *order_);
    std::for_each(begin, end, [&](ClockedBase* block) { in_reset() ? block->hold_reset() : step(*block); });
  } else {
    for_each_that_runs(odd, [&](ClockedBase& block) {
      *end++ = &block;
      step(block);
    });
  }
  for (ClockedBase** block = begin; block != end; ++block) (*block)->commit();
  activations_ += static_cast<std::uint64_t>(end - begin);
}

bool Domain::is_worth_sharing(bool odd) {
  if (in_reset() || order_) return false;
  unsigned modules = 0, groups = 0;
  for (std::size_t w = 0; w < half_rate_.size(); ++w) {
    const std::uint64_t run = odd ? awake_[w * stride_] & ~half_rate_[w] : awake_[w * stride_];
    if (run == 0) continue;
    modules += static_cast<unsigned>(__builtin_popcountll(run));
    ++groups;
    if (groups > 1 && modules >= fewest_shared_) return !workers_->is_crowded();
  }
  return false;
}

// Where wires join groups, all of them are stepped before the first one is committed.
void Domain::run_groups() {
  for (unsigned phase = kStep; phase <= (joined_ ? kCommit : kStep); ++phase) {
    workers_->begin(*this, phase);
    run_group(0, phase);
    workers_->finish();
    if (joined_) do_what_was_put_off(static_cast<Phase>(phase));
  }
  if (!joined_) {
    do_what_was_put_off(kStep);
    do_what_was_put_off(kCommit);
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    activations_ += static_cast<unsigned>(__builtin_popcountll(groups_[i].run));
    ran_ |= std::uint64_t{groups_[i].run != 0} << i;
  }
}

void Domain::take_mail(std::uint64_t from) {
  for (; from != 0; from &= from - 1) {
    Group& group = groups_[static_cast<unsigned>(__builtin_ctzll(from))];
    for (std::uint64_t to = group.receivers; to != 0; to &= to - 1) {
      const auto receiver = static_cast<unsigned>(__builtin_ctzll(to));
      awake_[receiver * stride_] |= std::exchange(group.mail[receiver], 0);
    }
  }
}

void Domain::run_group(unsigned number, unsigned phase) {
  Group& group = groups_[number];
  ClockedBase* const* const modules = &places_[number * 64];
  const auto for_each = [&](Phase of, const auto& call) {
    Outbox::current = &group.outbox[of];
    try {
      for (std::uint64_t run = group.run; run != 0; run &= run - 1) call(*modules[__builtin_ctzll(run)]);
    } catch (...) {
      group.outbox[of].error = std::current_exception();
    }
    Outbox::current = nullptr;
  };
  if (phase == kStep) {
    const std::uint64_t awake = awake_[number * stride_];
    group.run = (edge_ & 1) != 0 ? awake & ~half_rate_[number] : awake;
    for_each(kStep, [this](ClockedBase& block) { step_block(block, !no_sleep_); });
    if (joined_ || group.outbox[kStep].error) return;
  }
  for_each(kCommit, [](ClockedBase& block) { block.commit(); });
}

void Domain::do_what_was_put_off(Phase phase) {
  for (Group& group : groups_) {
    Outbox& outbox = group.outbox[phase];
    for (const Outbox::Wake& wake : outbox.wakes) wake.domain->wake_at(wake.index, wake.edge);
    outbox.wakes.clear();
    for (Traceable* item : outbox.changed) item->tell_changed();
    outbox.changed.clear();
    if (outbox.error) std::rethrow_exception(std::exchange(outbox.error, nullptr));
  }
}

void Domain::wake_at(unsigned index, Cycle edge) {
  if (edge <= edge_) {
    places_[index]->wake();
    return;
  }
  if (Outbox::current != nullptr) {
    Outbox::current->wakes.push_back({this, index, edge});
    return;
  }
  if (edge - edge_ < kWheel) {
    const unsigned slot = edge % kWheel;
    wheel_[slot * half_rate_.size() + index / 64] |= std::uint64_t{1} << (index % 64);
    wheel_used_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  } else {
    later_.push({edge, index});
  }
  if (!running_ && (scheduled_ == 0 || edge < scheduled_)) woken_from_outside();
}

void Domain::woken_from_outside() {
  // The edges that passed while this domain slept are never run.
  if (wheel_.empty()) return;
  take_all_mail();
  if (scheduled_ == edge_ + 1) return;
  schedule_next(sc_core::sc_is_running() ? first_edge_after_now() : edge_ + 1);
}

/// Distance from `edge` to the next one after it that has a wake in the wheel, 0 if none has.
unsigned Domain::next_timed_wake(Cycle edge) const {
  constexpr unsigned kWords = kWheel / 64;
  const unsigned from = (edge + 1) % kWheel;
  // The word that `from` lies in comes twice: its upper bits first, the lower ones last.
  for (unsigned i = 0; i <= kWords; ++i) {
    const unsigned number = (from / 64 + i) % kWords;
    std::uint64_t word = wheel_used_[number];
    if (i == 0) word &= ~std::uint64_t{0} << (from % 64);
    if (i == kWords) word &= ~(~std::uint64_t{0} << (from % 64));
    if (word != 0) return (number * 64 + static_cast<unsigned>(__builtin_ctzll(word)) + kWheel - from) % kWheel + 1;
  }
  return 0;
}

// Schedules the next edge at which a module runs. `first` is the first one that is not in the past.
void Domain::schedule_next(Cycle first) {
  Cycle next = 0;
  std::uint64_t awake_half = 0;
  for (std::size_t w = 0; w < half_rate_.size(); ++w) {
    const std::uint64_t awake = awake_[w * stride_];
    if ((awake & ~half_rate_[w]) != 0) {
      next = first;
      break;
    }
    awake_half |= awake;
  }
  if (next == 0 && awake_half != 0) next = first + (first & 1);
  if (next != first) {
    if (const unsigned ahead = next_timed_wake(edge_); ahead != 0 && (next == 0 || edge_ + ahead < next)) {
      next = edge_ + ahead;
    }
    if (!later_.empty() && (next == 0 || later_.top().edge < next)) next = later_.top().edge;
  }
  if (next == 0 || (scheduled_ != 0 && scheduled_ <= next)) return;
  schedule(std::max(next, first));
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
