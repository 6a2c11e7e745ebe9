// SPDX-License-Identifier: Apache-2.0
#include "hw/common/domain.h"

#include <exception>
#include <utility>

#include "hw/common/clocked.h"
#include "hw/common/set_bits.h"

namespace g80 {
namespace {

/// A list of blocks, and a place behind it.
using Blocks = std::array<ClockedBase*, 64 + 1>;

/// Lists the blocks of `bits` from `end` on. Returns the end of the list.
inline ClockedBase** list_blocks(std::uint64_t bits, const std::array<ClockedBase*, 64>& modules, ClockedBase** end) {
  for (const unsigned module : set_bits(bits)) *end++ = modules[module];
  return end;
}

inline void step_block(ClockedBase& block) {
  block.step();
  if (!block.sleep_requested) return;
  block.sleep_requested = false;
  *block.wakes().awake &= ~block.wakes().bits;
}

inline void set_awake(const ClockedBase& block) { *block.wakes().awake |= block.wakes().bits; }

/// While a block runs, the next one comes into the host's cache: what an edge needs of every block, and where its
/// registers begin. Behind the last one the first comes again, as commit_blocks() begins with it.
inline void step_blocks(ClockedBase** block, ClockedBase** end) {
  if (block == end) return;
  for (*end = *block; block != end; ++block) {
    const auto* const next = reinterpret_cast<const char*>(static_cast<const Stepped*>(block[1]));
    __builtin_prefetch(next);
    __builtin_prefetch(next + kCacheLine);
    step_block(**block);
  }
}

inline void commit_blocks(ClockedBase* const* block, ClockedBase* const* end) {
  for (; block != end; ++block) (*block)->commit();
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
  notes_.resize(workers.threads());
}

void Domain::run_groups_apart(Domain& meeting) {
  CHECK(modules_.empty(), "{}: its modules are no groups", name());
  meeting_ = &meeting;
  calendar_->meet_in(meeting);
}

void Domain::begin_group(double place) {
  if (!is_grouped()) return;
  groups_.push_back(std::make_unique<Group>());
  groups_.back()->place = place;
}

bool Domain::joins_groups(const ClockedBase& driver, const ClockedBase& reader) const {
  const bool inside = reader.domain() == this && (!is_grouped() || driver.index_ / 64 == reader.index_ / 64);
  CHECK(inside || meeting_ == nullptr, "{}: a wire from {} to {} leaves a group that runs apart", name(), driver.name(),
        reader.name());
  return !inside && reader.domain() == this;
}

unsigned Domain::group_of(const ClockedBase& module) const { return module.index_ / 64; }

Wakes Domain::wakes_by_post(const ClockedBase& reader) {
  return {&groups_[reader.index_ / 64]->inbox.awake, reader.wakes().bits};
}

Domain::ClockEdge Domain::clock_edge(Cycle edge) const {
  return {edge, edge_time(edge), (2 * (edge % frequency_) * kUnitTime + frequency_) % (2 * frequency_)};
}

// Times of near edges take no more than one division, those of the next few none.
inline void Domain::advance(ClockEdge& clock, Cycle edges) const {
  constexpr Cycle kNear = 1 << 20;
  if (__builtin_expect(edges >= kNear, 0)) {
    clock = clock_edge(clock.edge + edges);
    return;
  }
  clock.edge += edges;
  clock.time += edges * period_;
  clock.rest += edges * period_rest_;
  constexpr Cycle kFew = 16;
  if (__builtin_expect(edges > kFew, 0)) {
    clock.time += clock.rest / (2 * frequency_);
    clock.rest %= 2 * frequency_;
  }
  for (; clock.rest >= 2 * frequency_; clock.rest -= 2 * frequency_) ++clock.time;
}

void Domain::arrives_in_the_past(Picoseconds time) const {
  throw ModelError(
      fmt::format("{}: something happens in another clock at {} ps, but edge {} is passed", name(), time, edge_));
}

Cycle Domain::first_edge_from(Picoseconds time) const {
  Cycle edge = time / kUnitTime * frequency_ + time % kUnitTime * frequency_ / kUnitTime;
  while (edge > 0 && edge_time(edge) >= time) --edge;
  while (edge_time(edge) < time) ++edge;
  return edge;
}

bool Domain::can_run_beside(Picoseconds now, Picoseconds time) const {
  // An entry shows at the second edge after it was pushed at the earliest.
  const bool first_since = next_.edge == edge_ + 1 || (ahead_.time >= now && next_.time <= ahead_.time);
  return next_.time == time && first_since && nearest_queue_ > 1 && !runs_in_order();
}

Picoseconds Domain::sleeps_until(Picoseconds now) {
  if (next_.edge == edge_ + 1) return next_.time;
  // The first edge of the clock from now on is the first one that sees something, or the one before that.
  if (ahead_.time > now || now - ahead_.time > kMaxRow * period_) ahead_ = clock_edge(first_edge_from(now));
  while (ahead_.time < now) advance(ahead_, 1);
  return std::min(next_.time, ahead_.time + (std::min(nearest_queue_, kMaxRow) - 1) * period_);
}

void Domain::start_of_simulation() {
  started_ = true;
  stepped_.resize(modules_.size() + 1);
  if (meeting_ != nullptr) calendar_->add_apart(*this);
  if (workers_ != nullptr) calendar_->share(*this, *workers_);
  for (ClockedBase* module : modules_) {
    module->hold_reset();
    module->commit();
    set_awake(*module);
  }
  schedule_next(edge_ + 1);
}

inline std::uint64_t Domain::choose(const Group& group, Cycle edge) {
  return (edge & 1) != 0 ? group.awake & ~group.half_rate : group.awake;
}

// Returns the modules of a group that run at the edge. While the group sleeps, no edge begins for it.
inline std::uint64_t Domain::begin_edge(Group& group, Cycle edge, Picoseconds time) const {
  const unsigned slot = edge % kWheel;
  const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
  const bool timed = (group.timed[slot / 64] & bit) != 0;  // modules have asked for this edge
  const bool posted = workers_ != nullptr && !group.inbox.is_empty();
  if (group.awake == 0 && !timed && !posted) return 0;
  group.now = {edge, time};
  if (timed) {
    group.timed[slot / 64] &= ~bit;
    group.awake |= std::exchange(group.wheel[slot], 0);
  }
  if (posted) take_post(group, edge);
  return choose(group, edge);
}

// What counts from `edge` on, or before.
void Domain::take_post(Group& group, Cycle edge) {
  Inbox& inbox = group.inbox;
  group.awake |= __atomic_exchange_n(&inbox.awake, 0, __ATOMIC_RELAXED);
  const unsigned slot = edge % Inbox::kEdges;
  const std::uint64_t bit = std::uint64_t{1} << slot;
  if ((__atomic_load_n(&inbox.slots, __ATOMIC_RELAXED) & bit) == 0) return;
  __atomic_fetch_and(&inbox.slots, ~bit, __ATOMIC_RELAXED);
  group.awake |= __atomic_exchange_n(&inbox.at[slot], 0, __ATOMIC_RELAXED);
}

// Between two edges. Returns whether there was any.
bool Domain::take_all_post() {
  bool any = false;
  for (const auto& group : groups_) {
    Inbox& inbox = group->inbox;
    if (inbox.is_empty()) continue;
    any = true;
    group->awake |= std::exchange(inbox.awake, 0);
    for (const unsigned slot : set_bits(std::exchange(inbox.slots, 0))) {
      const Cycle edge = edge_ + 1 + (slot - static_cast<unsigned>(edge_ + 1)) % Inbox::kEdges;
      for (const unsigned index : set_bits(std::exchange(inbox.at[slot], 0))) wake_in(*group, index, edge);
    }
  }
  return any;
}

inline void Domain::post(Inbox& inbox, unsigned index, Cycle edge) {
  const unsigned slot = edge % Inbox::kEdges;
  __atomic_fetch_or(&inbox.at[slot], std::uint64_t{1} << (index % 64), __ATOMIC_RELAXED);
  __atomic_fetch_or(&inbox.slots, std::uint64_t{1} << slot, __ATOMIC_RELAXED);
}

// Through the whole row.
inline bool Domain::sleeps(const Group& group) const {
  std::uint64_t wakes = group.awake;
  for (unsigned i = 0; i < group.timed.size(); ++i) wakes |= group.timed[i] & row_slots_[i];
  return wakes == 0 && (workers_ == nullptr || group.inbox.is_empty());
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

bool Domain::begin_turn(Picoseconds until) {
  if (__builtin_expect(workers_ != nullptr && !watches_.empty(), 0)) take_all_post();  // some watch who will run
  running_ = true;
  following_ = next_;
  bool whole = true;
  if (runs_ahead()) {
    whole = begin_row(until);
  } else {
    advance(following_, 1);
    edge_ = next_.edge;
  }
  take_later(edge_);
  if (__builtin_expect(watches_.empty(), 1)) return whole;
  for (const auto& group : groups_) group->now = {edge_, next_.time};  // some watch what blocks would do that sleep
  watches_.call_each([this](const TraceWatch& watch) { watch.sink->edge_begin(*this); });
  return whole;
}

inline bool Domain::begin_row(Picoseconds until) {
  row_slots_ = {};
  for (; following_.time <= until && row_size_ < kMaxRow; advance(following_, 1)) {
    row_[row_size_++] = following_;
    const unsigned slot = following_.edge % kWheel;
    row_slots_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }
  edge_ = row_[row_size_ - 1].edge;
  return following_.time > until;
}

void Domain::run_turn() {
  if (row_size_ != 0) {
    for (unsigned number = 0; number < groups_.size(); ++number) {
      if (!sleeps(*groups_[number])) run_row(number, notes_[0]);
    }
  } else if (__builtin_expect(workers_ != nullptr && meeting_ == nullptr, 0) && !runs_in_order() &&
             is_worth_sharing() && !workers_->is_crowded()) {
    share_edge();
  } else {
    run_in_order();
  }
}

void Domain::end_turn() {
  row_size_ = 0;
  if (__builtin_expect(faults_ != nullptr, 0)) faults_->edge_committed(*this);
  if (__builtin_expect(!watches_.empty(), 0))
    watches_.call_each([this](const TraceWatch& watch) { watch.sink->edge_done(*this); });
  running_ = false;
  if (runs_at_once()) {
    next_ = following_;
    calendar_->due(next_.time);
  } else {
    next_ = {};
    schedule_next(edge_ + 1);
  }
}

// Most turns are these, of few blocks: each call would cost as much as a block.
[[gnu::flatten]] void Domain::take_turn(Picoseconds until) {
  begin_turn(until);
  run_turn();
  end_groups();
  end_turn();
}

inline void Domain::step(ClockedBase** begin, ClockedBase** end) const {
  step_blocks(begin, end);
  if (__builtin_expect(no_sleep_, 0)) std::for_each(begin, end, [](ClockedBase* block) { set_awake(*block); });
}

inline void Domain::run_in_order() {
  ClockedBase** const begin = stepped_.data();
  ClockedBase** end = begin;
  for (unsigned number = 0; number < groups_.size(); ++number) {
    Group& group = *groups_[number];
    ClockedBase** const first = end;
    end = list_blocks(begin_edge(group, edge_, next_.time), group.modules, end);
    group.activations += static_cast<std::uint64_t>(end - first);
    if (__builtin_expect(group_sink_ != nullptr, 0) && end != first) group_sink_->edge_begin(number, group.now);
  }
  if (__builtin_expect(order_.has_value(), 0)) std::shuffle(begin, end, *order_);
  if (__builtin_expect(in_reset(), 0)) {
    std::for_each(begin, end, [](ClockedBase* block) { block->hold_reset(); });
  } else {
    step(begin, end);
  }
  commit_blocks(begin, end);
  if (__builtin_expect(group_sink_ != nullptr, 0)) group_sink_->edge_done();
}

bool Domain::is_worth_sharing() {
  constexpr unsigned kSure = 16;  // behind so many that were not, only one of so many is looked at
  if (++unshared_ > kSure && unshared_ % kSure != 0) return false;
  unsigned modules = 0, groups = 0;
  for (const auto& group : groups_) {
    const std::uint64_t run = choose(*group, row_size_ > 1 ? 0 : edge_);
    if (run == 0) continue;
    modules += static_cast<unsigned>(__builtin_popcountll(run));
    if (++groups > 1 && modules >= fewest_shared_) {
      unshared_ = 0;
      return true;
    }
  }
  return false;
}

void Domain::share_edge() {
  if (is_watched()) {  // they are told what steps changed before anything is committed
    calendar_->run_groups(*this, 1u << Workers::kStep);
    run_deferred(Workers::kStep);
    calendar_->run_groups(*this, 1u << Workers::kCommit);
  } else {
    calendar_->run_groups(*this, Workers::kEdge);
  }
}

void Domain::run_group(unsigned number, Workers::Stage stage, unsigned thread) {
  Group& group = *groups_[number];
  if (stage == Workers::kRow) {
    if (row_size_ == 0 || sleeps(group)) return;
    stage = Workers::kStep;  // a row uses its outbox
    begin_outbox(group, stage, is_watched());
    run_row(number, notes_[thread]);
  } else {
    if (stage == Workers::kStep) group.run = begin_edge(group, edge_, next_.time);
    if (group.run == 0) return;
    begin_outbox(group, stage, true);
    run_stage(group, stage);
  }
  end_outbox(group, stage, notes_[thread]);
}

// Throws nothing.
inline void Domain::run_stage(Group& group, Workers::Stage stage) const {
  try {
    Blocks blocks;
    ClockedBase** const begin = blocks.data();
    ClockedBase** const end = list_blocks(group.run, group.modules, begin);
    if (stage == Workers::kStep) {
      group.activations += static_cast<std::uint64_t>(end - begin);
      step(begin, end);
    } else {
      commit_blocks(begin, end);
    }
  } catch (...) {
    group.outbox[stage].error = std::current_exception();
  }
}

inline void Domain::begin_outbox(Group& group, Workers::Stage phase, bool in_order) {
  Outbox::current = &group.outbox[phase];
  Outbox::current->in_order = in_order;
}

inline void Domain::end_outbox(Group& group, Workers::Stage phase, Notes& notes) {
  Outbox::current = nullptr;
  if (group.outbox[phase].is_empty()) return;
  group.posted |= static_cast<std::uint8_t>(1u << phase);
  notes.posted = true;
}

bool Domain::has_post() {
  bool any = false;
  for (Notes& notes : notes_) {
    if (!notes.posted) continue;  // and its line is not written
    notes.posted = false;
    any = true;
  }
  return any;
}

void Domain::end_groups() {
  if (!has_post()) return;
  if (row_size_ != 0) rethrow_first_failure();
  for (const Workers::Stage stage : {Workers::kStep, Workers::kCommit}) run_deferred(stage);
}

// Of blocks that fail at different edges of a row, the one at the first edge is told.
void Domain::rethrow_first_failure() {
  const Group* failed = nullptr;
  for (const auto& group : groups_) {
    if (!group->outbox[Workers::kStep].error) continue;
    if (failed == nullptr || group->now.edge < failed->now.edge) failed = group.get();
  }
  if (failed == nullptr) return;
  edge_ = failed->now.edge;
  std::rethrow_exception(failed->outbox[Workers::kStep].error);
}

// Up to the end of the row. Throws nothing.
inline void Domain::run_row(unsigned number, Notes& notes) {
  Group& group = *groups_[number];
  Blocks blocks;
  ClockedBase** const begin = blocks.data();
  try {
    for (unsigned i = 0; i < row_size_; ++i) {
      const std::uint64_t run = begin_edge(group, row_[i].edge, row_[i].time);
      if (run == 0) continue;
      ClockedBase** const end = list_blocks(run, group.modules, begin);
      group.activations += static_cast<std::uint64_t>(end - begin);
      if (__builtin_expect(group_sink_ != nullptr, 0)) group_sink_->edge_begin(number, group.now);
      step(begin, end);
      commit_blocks(begin, end);
      if (__builtin_expect(group_sink_ != nullptr, 0)) group_sink_->edge_done();
    }
  } catch (...) {
    group.outbox[Workers::kStep].error = std::current_exception();
    notes.posted = true;
  }
}

void Domain::run_deferred(Workers::Stage phase) {
  for (const auto& group : groups_) {
    if ((group->posted >> phase & 1) == 0) continue;
    group->posted &= static_cast<std::uint8_t>(~(1u << phase));
    Outbox& outbox = group->outbox[phase];
    for (const Outbox::Wake& wake : outbox.wakes) wake.domain->wake_at(wake.index, wake.edge);
    outbox.wakes.clear();
    for (const auto& write : outbox.writes) write();
    outbox.writes.clear();
    for (Traceable* item : outbox.changed) item->notify_sinks();
    outbox.changed.clear();
    if (outbox.error) std::rethrow_exception(std::exchange(outbox.error, nullptr));
  }
}

void Domain::wake_at(unsigned index, Cycle edge) {
  Group& group = *groups_[index / 64];
  Outbox* const outbox = Outbox::current;
  if (outbox != nullptr && outbox != &group.outbox[Workers::kStep] && outbox != &group.outbox[Workers::kCommit]) {
    if (running_ && edge > edge_ && edge - edge_ < Inbox::kEdges) {
      post(group.inbox, index, edge);
    } else {
      outbox->wakes.push_back({this, index, edge});
    }
    return;
  }
  const Cycle present = row_size_ != 0 ? group.now.edge : edge_;
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

// Modules run at the next edge, whichever it is.
inline bool Domain::runs_at_once() const {
  for (const auto& group : groups_) {
    if ((group->awake & ~group->half_rate) != 0) return true;
  }
  return false;
}

// Schedules the next edge at which a module runs. `first` is the first one that is not in the past.
void Domain::schedule_next(Cycle first) {
  Cycle next = runs_at_once() ? first : 0;
  if (next == 0 && workers_ != nullptr && take_all_post()) return schedule_next(first);
  if (next == 0 && std::any_of(groups_.begin(), groups_.end(), [](const auto& group) { return group->awake != 0; })) {
    next = first + (first & 1);
  }
  if (next != first) {
    if (const unsigned ahead = next_timed_wake(edge_); ahead != 0 && (next == 0 || edge_ + ahead < next)) {
      next = edge_ + ahead;
    }
    if (!later_.empty() && (next == 0 || later_.top().edge < next)) next = later_.top().edge;
  }
  if (next == 0 || (next_.edge != 0 && next_.edge <= next)) return;
  next_ = following_;
  if (const Cycle ahead = std::max(next, first) - next_.edge; ahead != 0) advance(next_, ahead);
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
