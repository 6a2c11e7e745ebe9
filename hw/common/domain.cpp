// SPDX-License-Identifier: Apache-2.0
#include "hw/common/domain.h"

#include <exception>
#include <utility>

#include "hw/common/clocked.h"

namespace g80 {
namespace {

inline void step_block(ClockedBase& block, bool may_sleep) {
  block.step();
  if (!block.sleep_requested) return;
  block.sleep_requested = false;
  if (may_sleep) *block.wakes().awake &= ~block.wakes().bits;
}

/// Returns how many there were.
template <class Modules, class Call>
inline unsigned for_each_of(std::uint64_t bits, const Modules& modules, const Call& call) {
  unsigned count = 0;
  for (; bits != 0; bits &= bits - 1, ++count) call(*modules[static_cast<unsigned>(__builtin_ctzll(bits))]);
  return count;
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
      following_(clock_edge(1)),
      ahead_(following_),
      calendar_(Calendar::of_simulation()) {
  groups_.push_back(std::make_unique<Group>());
  calendar_->add(*this);
}

Domain::~Domain() { calendar_->remove(*this); }

void Domain::add(ClockedBase& module, Rate rate) {
  CHECK(module.domain_ == nullptr, "{} is in two clock domains", module.name());
  CHECK(!started_, "{} joins its clock domain after the simulation has started", module.name());
  if (groups_.back()->modules.back() != nullptr) {
    CHECK(!is_grouped(), "{}: a group has more than 64 modules", name());
    groups_.push_back(std::make_unique<Group>());
  }
  Group& group = *groups_.back();
  const auto free = std::find(group.modules.begin(), group.modules.end(), nullptr);
  const auto place = static_cast<unsigned>(free - group.modules.begin());
  const std::uint64_t bit = std::uint64_t{1} << place;
  *free = &module;
  modules_.push_back(&module);
  module.domain_ = this;
  module.now_ = &group.now;
  module.index_ = static_cast<unsigned>(64 * (groups_.size() - 1)) + place;
  module.wakes_ = {&group.awake, bit};
  if (rate == Rate::kHalf) group.half_rate |= bit;
}

void Domain::step_groups_with(Workers& workers) {
  CHECK(modules_.empty(), "{}: its modules are no groups", name());
  workers_ = &workers;
}

void Domain::run_groups_apart(Domain& meeting) {
  CHECK(modules_.empty(), "{}: its modules are no groups", name());
  meeting_ = &meeting;
  calendar_->meet_in(meeting);
}

void Domain::begin_group() {
  if (!is_grouped()) return;
  groups_.push_back(std::make_unique<Group>());
  CHECK(groups_.size() <= kMaxGroups, "{} has more than {} groups", name(), kMaxGroups);
}

Wakes Domain::wakes_from(const ClockedBase& driver, const ClockedBase& reader) {
  const unsigned from = driver.index_ / 64, to = reader.index_ / 64;
  const bool inside = reader.domain() == this && (!is_grouped() || from == to);
  CHECK(inside || meeting_ == nullptr, "{}: a wire from {} to {} leaves a group that runs apart", name(), driver.name(),
        reader.name());
  if (inside || reader.domain() != this) return reader.wakes();
  groups_[from]->receivers |= std::uint64_t{1} << to;
  joined_ = true;
  return {&groups_[from]->mail[to], reader.wakes().bits};
}

Domain::ClockEdge Domain::clock_edge(Cycle edge) const {
  return {edge, edge_time(edge), (2 * (edge % frequency_) * kUnitTime + frequency_) % (2 * frequency_)};
}

// Times of near edges take no more than one division, those of edges in a row none.
inline void Domain::advance(ClockEdge& clock, Cycle edges) const {
  constexpr Cycle kNear = 1 << 20;
  if (__builtin_expect(edges >= kNear, 0)) {
    clock = clock_edge(clock.edge + edges);
    return;
  }
  clock.edge += edges;
  clock.time += edges * period_;
  clock.rest += edges * period_rest_;
  if (clock.rest < 2 * frequency_) return;
  if (edges == 1) {
    clock.rest -= 2 * frequency_;
    ++clock.time;
  } else {
    clock.time += clock.rest / (2 * frequency_);
    clock.rest %= 2 * frequency_;
  }
}

Cycle Domain::first_edge_from(Picoseconds time) const {
  Cycle edge = time / kUnitTime * frequency_ + time % kUnitTime * frequency_ / kUnitTime;
  while (edge > 0 && edge_time(edge) >= time) --edge;
  while (edge_time(edge) < time) ++edge;
  return edge;
}

Picoseconds Domain::sleeps_until(Picoseconds now) {
  if (next_.edge == edge_ + 1) return next_.time;
  // The first edge of the clock from now on is the first one that sees something, or the one before that.
  if (ahead_.time > now || now - ahead_.time > kMaxWindow * period_) ahead_ = clock_edge(first_edge_from(now));
  while (ahead_.time < now) advance(ahead_, 1);
  return std::min(next_.time, ahead_.time + (std::min(nearest_queue_, kMaxWindow) - 1) * period_);
}

void Domain::start_of_simulation() {
  started_ = true;
  stepped_.resize(modules_.size());
  if (meeting_ != nullptr) {
    calendar_->add_apart(*this, workers_);
  } else if (workers_ != nullptr) {
    workers_->add(*this, num_groups() - 1);
  }
  for (ClockedBase* module : modules_) {
    module->hold_reset();
    module->commit();
    *module->wakes_.awake |= module->wakes_.bits;
  }
  schedule_next(edge_ + 1);
}

// Wakes the modules that asked for the group's present edge.
inline void Domain::wake_timed(Group& group) {
  const unsigned slot = group.now.edge % kWheel;
  const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
  if ((group.timed[slot / 64] & bit) == 0) return;
  group.timed[slot / 64] &= ~bit;
  group.awake |= std::exchange(group.wheel[slot], 0);
}

// Through the whole window.
inline bool Domain::sleeps(const Group& group) const {
  std::uint64_t wakes = group.awake;
  for (unsigned i = 0; i < group.timed.size(); ++i) wakes |= group.timed[i] & window_slots_[i];
  return wakes == 0;
}

// Puts wakes up to the edge `last` into the wheels.
inline void Domain::take_later(Cycle last) {
  while (!later_.empty() && later_.top().edge <= last) {
    const Later wake = later_.top();
    later_.pop();
    wake_in(*groups_[wake.index / 64], wake.index, std::max(wake.edge, next_.edge));
  }
}

inline void Domain::wake_in(Group& group, unsigned index, Cycle edge) {
  const unsigned slot = edge % kWheel;
  group.wheel[slot] |= std::uint64_t{1} << (index % 64);
  group.timed[slot / 64] |= std::uint64_t{1} << (slot % 64);
}

inline void Domain::begin_edge() {
  running_ = true;
  take_later(next_.edge);
  edge_ = next_.edge;
  following_ = next_;
  advance(following_, 1);
  if (__builtin_expect(watches_.empty(), 1)) return;
  for (const auto& group : groups_) group->now = {edge_, next_.time};  // some watch what blocks would do that sleep
  tell_sinks(watches_, [this](const TraceWatch& watch) { watch.sink->edge_begin(*this); });
}

inline void Domain::end_edge() {
  if (__builtin_expect(faults_ != nullptr, 0)) faults_->edge_committed(*this);
  if (__builtin_expect(!watches_.empty(), 0))
    tell_sinks(watches_, [this](const TraceWatch& watch) { watch.sink->edge_done(*this); });
  running_ = false;
  next_ = {};
  schedule_next(edge_ + 1);
}

void Domain::run_edge() {
  begin_edge();
  for (const auto& group : groups_) {
    group->now = {edge_, next_.time};
    wake_timed(*group);
  }
  if (__builtin_expect(workers_ != nullptr && meeting_ == nullptr, 0) && !runs_in_order() && is_worth_sharing() &&
      !workers_->is_crowded()) {
    run_groups();
  } else {
    run_in_order();
  }
  if (__builtin_expect(joined_, 0)) take_mail(std::exchange(ran_, 0));
  end_edge();
}

inline void Domain::run_in_order() {
  ClockedBase** const begin = stepped_.data();
  ClockedBase** end = begin;
  const bool alike = runs_in_order();  // in reset, or in an order of their own
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = *groups_[i];
    const std::uint64_t run = choose(group);
    if (__builtin_expect(joined_ && run != 0, 0)) ran_ |= std::uint64_t{1} << i;
    group.activations += for_each_of(run, group.modules, [&](ClockedBase& block) {
      *end++ = &block;
      if (!alike) step_block(block, !no_sleep_);
    });
  }
  if (__builtin_expect(alike, 0)) {
    if (order_.has_value()) std::shuffle(begin, end, *order_);
    std::for_each(begin, end,
                  [this](ClockedBase* block) { in_reset() ? block->hold_reset() : step_block(*block, !no_sleep_); });
  }
  for (ClockedBase** block = begin; block != end; ++block) (*block)->commit();
}

// Of a group at its present edge.
inline std::uint64_t Domain::choose(const Group& group) {
  return (group.now.edge & 1) != 0 ? group.awake & ~group.half_rate : group.awake;
}

bool Domain::is_worth_sharing() const {
  const bool odd = (edge_ & 1) != 0 && window_size_ < 2;
  unsigned modules = 0, groups = 0;
  for (const auto& group : groups_) {
    const std::uint64_t run = odd ? group->awake & ~group->half_rate : group->awake;
    if (run == 0) continue;
    modules += static_cast<unsigned>(__builtin_popcountll(run));
    if (++groups > 1 && modules >= fewest_shared_) return true;
  }
  return false;
}

// Where wires join groups, all of them are stepped before the first one is committed.
void Domain::run_groups() {
  for (const unsigned phase : {kStep, kCommit}) {
    workers_->begin(*this, phase);
    run_group(0, phase);
    workers_->finish();
    do_what_was_put_off(static_cast<Phase>(phase));
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) ran_ |= std::uint64_t{groups_[i]->run != 0} << i;
}

void Domain::run_group(unsigned number, unsigned phase) {
  Group& group = *groups_[number];
  if (phase == kStep) group.run = choose(group);
  Outbox::current = &group.outbox[phase];
  try {
    if (phase == kStep) {
      group.activations +=
          for_each_of(group.run, group.modules, [this](ClockedBase& block) { step_block(block, !no_sleep_); });
    } else {
      for_each_of(group.run, group.modules, [](ClockedBase& block) { block.commit(); });
    }
  } catch (...) {
    group.outbox[phase].error = std::current_exception();
  }
  Outbox::current = nullptr;
}

void Domain::begin_window(Picoseconds until) {
  begin_edge();
  window_slots_ = {};
  for (ClockEdge clock = next_; clock.time <= until && window_size_ < kMaxWindow; advance(clock, 1)) {
    window_[window_size_++] = clock;
    const unsigned slot = clock.edge % kWheel;
    window_slots_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }
  take_later(window_[window_size_ - 1].edge);
}

// Up to the end of the window. Throws nothing.
inline void Domain::run_row(Group& group) {
  try {
    for (unsigned i = 0; i < window_size_; ++i) {
      group.now = {window_[i].edge, window_[i].time};
      wake_timed(group);
      const std::uint64_t run = choose(group);
      if (run == 0) continue;
      group.ran = group.now.edge;
      group.activations += for_each_of(run, group.modules, [this](ClockedBase& b) { step_block(b, !no_sleep_); });
      for_each_of(run, group.modules, [](ClockedBase& block) { block.commit(); });
    }
  } catch (...) {
    group.outbox[kStep].error = std::current_exception();
  }
}

void Domain::run_ahead(unsigned number) {
  Group& group = *groups_[number];
  if (window_size_ == 0 || sleeps(group)) return;
  Outbox::current = &group.outbox[kStep];
  Outbox::current->in_order = is_watched();
  run_row(group);
  Outbox::current = nullptr;
}

void Domain::run_ahead() {
  for (const auto& group : groups_) {
    if (sleeps(*group)) continue;
    run_row(*group);
    note_end(*group);
  }
}

// Of blocks that fail at different edges, the one at the first edge is told.
inline void Domain::note_end(const Group& group) {
  edge_ = std::max(edge_, group.ran);
  if (__builtin_expect(group.outbox[kStep].error != nullptr, 0) &&
      (failed_ == nullptr || group.now.edge < failed_->now.edge)) {
    failed_ = &group;
  }
}

void Domain::end_window(bool shared) {
  if (shared) {
    for (const auto& group : groups_) note_end(*group);
  }
  if (failed_ != nullptr) {
    edge_ = failed_->now.edge;
    std::rethrow_exception(failed_->outbox[kStep].error);
  }
  if (shared) do_what_was_put_off(kStep);
  following_ = window_[edge_ - window_[0].edge];
  advance(following_, 1);
  window_size_ = 0;
  end_edge();
}

void Domain::take_mail(std::uint64_t from) {
  for (; from != 0; from &= from - 1) {
    Group& group = *groups_[static_cast<unsigned>(__builtin_ctzll(from))];
    for (std::uint64_t to = group.receivers; to != 0; to &= to - 1) {
      const auto receiver = static_cast<unsigned>(__builtin_ctzll(to));
      groups_[receiver]->awake |= std::exchange(group.mail[receiver], 0);
    }
  }
}

void Domain::do_what_was_put_off(Phase phase) {
  for (const auto& group : groups_) {
    Outbox& outbox = group->outbox[phase];
    for (const Outbox::Wake& wake : outbox.wakes) wake.domain->wake_at(wake.index, wake.edge);
    outbox.wakes.clear();
    for (Traceable* item : outbox.changed) item->tell_changed();
    outbox.changed.clear();
    if (outbox.error) std::rethrow_exception(std::exchange(outbox.error, nullptr));
  }
}

void Domain::wake_at(unsigned index, Cycle edge) {
  Group& group = *groups_[index / 64];
  Outbox* const outbox = Outbox::current;
  if (outbox != nullptr && outbox != &group.outbox[kStep] && outbox != &group.outbox[kCommit]) {
    outbox->wakes.push_back({this, index, edge});
    return;
  }
  const Cycle present = running_ ? group.now.edge : edge_;
  if (edge <= present) {
    group.modules[index % 64]->wake();
    return;
  }
  if (edge - present < kWheel) {
    wake_in(group, index, edge);
  } else if (outbox != nullptr) {
    outbox->wakes.push_back({this, index, edge});
  } else {
    later_.push({edge, index});
  }
  if (!running_ && (next_.edge == 0 || edge < next_.edge)) woken_from_outside();
}

void Domain::woken_from_outside() {
  // The edges that passed while this domain slept are never run.
  if (!started_) return;
  take_all_mail();
  if (next_.edge == edge_ + 1) return;
  schedule_next(sc_core::sc_is_running() ? first_edge_after_now() : edge_ + 1);
}

/// Distance from `edge` to the next one after it that has a wake in a wheel, 0 if none has.
unsigned Domain::next_timed_wake(Cycle edge) const {
  constexpr unsigned kWords = kWheel / 64;
  std::array<std::uint64_t, kWords> timed{};
  for (const auto& group : groups_) {
    for (unsigned i = 0; i < kWords; ++i) timed[i] |= group->timed[i];
  }
  const unsigned from = (edge + 1) % kWheel;
  // The word that `from` lies in comes twice: its upper bits first, the lower ones last.
  for (unsigned i = 0; i <= kWords; ++i) {
    const unsigned number = (from / 64 + i) % kWords;
    std::uint64_t word = timed[number];
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
  for (const auto& group : groups_) {
    if ((group->awake & ~group->half_rate) != 0) {
      next = first;
      break;
    }
    awake_half |= group->awake;
  }
  if (next == 0 && awake_half != 0) next = first + (first & 1);
  if (next != first) {
    if (const unsigned ahead = next_timed_wake(edge_); ahead != 0 && (next == 0 || edge_ + ahead < next)) {
      next = edge_ + ahead;
    }
    if (!later_.empty() && (next == 0 || later_.top().edge < next)) next = later_.top().edge;
  }
  if (next == 0 || (next_.edge != 0 && next_.edge <= next)) return;
  next_ = following_;
  advance(next_, std::max(next, first) - following_.edge);
  calendar_->due(next_.time);
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
  own_now_ = {own_now_.edge + 1, sc_core::sc_time_stamp().value()};
  if (rst_ni.size() != 0 && !rst_ni->read()) {
    hold_reset();
  } else {
    step();
  }
  sleep_requested = false;
  commit();
}

}  // namespace g80
