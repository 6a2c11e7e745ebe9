// SPDX-License-Identifier: Apache-2.0
// One edge of a clock, or a row of edges of each group: the modules that are awake step, then commit.
#include "hw/common/domain.h"

#include <exception>

#include "hw/common/clocked.h"
#include "hw/common/set_bits.h"

namespace g80 {
namespace {

using Blocks = std::array<ClockedBase*, 64>;

inline void step_block(ClockedBase& block) {
  block.step();
  if (!block.sleep_requested) return;
  block.sleep_requested = false;
  *block.wakes().awake &= ~block.wakes().bits;
}

inline void set_awake(const ClockedBase& block) { *block.wakes().awake |= block.wakes().bits; }

/// A block runs, and the next one comes into the host's cache: what an edge needs of every block, and where its
/// registers begin.
inline void step_before(const ClockedBase& next, ClockedBase& block) {
  const auto* const begin = reinterpret_cast<const char*>(&next);
  __builtin_prefetch(begin);
  __builtin_prefetch(begin + sizeof(ClockedBase) - kCacheLine);
  step_block(block);
}

/// Steps the blocks of `bits`, one at least, and lists them from `end` on, for commit_blocks(): it begins with the
/// first one. Returns the end of the list.
inline ClockedBase** step_group(Group& group, std::uint64_t bits, ClockedBase** end, bool no_sleep) {
  ClockedBase** const begin = end;
  const auto lowest = [&group](std::uint64_t of) { return group.modules[static_cast<unsigned>(__builtin_ctzll(of))]; };
  ClockedBase* const first = lowest(bits);
  ClockedBase* block = first;
  while ((bits &= bits - 1) != 0) {
    ClockedBase* const next = lowest(bits);
    *end++ = block;
    step_before(*next, *block);
    block = next;
  }
  *end++ = block;
  step_before(*first, *block);
  group.activations += static_cast<std::uint64_t>(end - begin);
  if (__builtin_expect(no_sleep, 0)) std::for_each(begin, end, [](ClockedBase* each) { set_awake(*each); });
  return end;
}

/// Lists the blocks of a group from `end` on. Returns the end of the list.
ClockedBase** list_blocks(Group& group, ClockedBase** end) {
  ClockedBase** const begin = end;
  for (const unsigned module : set_bits(group.run)) *end++ = group.modules[module];
  group.activations += static_cast<std::uint64_t>(end - begin);
  return end;
}

inline void commit_blocks(ClockedBase* const* block, ClockedBase* const* end) {
  for (; block != end; ++block) (*block)->commit();
}

}  // namespace

Domain::Domain(const sc_core::sc_module_name& name, unsigned number, double mhz, Cycle reset_edges, bool no_sleep)
    : sc_module(name),
      clock_(mhz),
      number_(number),
      reset_edges_(reset_edges),
      no_sleep_(no_sleep),
      following_(clock_.at(1)),
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
  module.group_ = &group;
  module.now_ = &group.now;
  module.index_ = static_cast<unsigned>(64 * (groups_.size() - 1)) + place;
  module.wakes_ = {&group.awake, bit};
  if (rate == Rate::kHalf) group.half_rate |= bit;
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
  in_reset_ = is_held(next_.edge);
}

void Domain::stay_awake() {
  no_sleep_ = true;
  for (ClockedBase* module : modules_) module->wake();
}

inline void Domain::begin_edge() {
  following_ = next_;
  clock_.advance(following_, 1);
  edge_ = next_.edge;
  if (__builtin_expect(!later_.empty(), 0)) take_later(edge_);
}

/// The next edge that runs.
inline void Domain::go_on() {
  if (first_awake(edge_ + 1) == edge_ + 1) {
    next_ = following_;
  } else {
    next_ = {};
    schedule_next(edge_ + 1);
  }
}

bool Domain::begin_turn(Picoseconds until) {
  if (__builtin_expect(workers_ != nullptr && !watches_.empty(), 0)) take_all_post();  // some watch who will run
  running_ = true;
  bool whole = true;
  if (runs_ahead()) {
    following_ = next_;
    whole = begin_row(until);
    if (__builtin_expect(!later_.empty(), 0)) take_later(edge_);
  } else {
    begin_edge();
  }
  if (__builtin_expect(watches_.empty(), 1)) return whole;
  for (const auto& group : groups_) group->now = {edge_, next_.time};  // some watch what blocks would do that sleep
  watches_.call_each([this](const TraceWatch& watch) { watch.sink->edge_begin(*this); });
  return whole;
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
  go_on();
}

// Most turns are short ones of few blocks: each call, and each question, would cost as much as a block.
[[gnu::flatten]] void Domain::take_turn(Picoseconds until) {
  if (__builtin_expect(is_grouped() || groups_.size() != 1 || is_watched() || runs_in_order(), 0)) {
    begin_turn(until);
    run_turn();
    end_groups();
    end_turn();
    return;
  }
  running_ = true;
  begin_edge();
  Group& group = *groups_.front();
  if (const std::uint64_t run = begin_edge(group, edge_, next_.time); run != 0) {
    ClockedBase** const begin = stepped_.data();
    commit_blocks(begin, step_group(group, run, begin, no_sleep_));
  }
  running_ = false;
  go_on();
}

inline void Domain::step(ClockedBase** begin, ClockedBase** end) const {
  std::for_each(begin, end, [this](ClockedBase* block) {
    in_reset() ? block->hold_reset() : step_block(*block);
    if (no_sleep_ && !in_reset()) set_awake(*block);
  });
}

inline void Domain::run_in_order() {
  ClockedBase** const begin = stepped_.data();
  ClockedBase** end = begin;
  for (unsigned number = 0; number < groups_.size(); ++number) {
    Group& group = *groups_[number];
    group.run = begin_edge(group, edge_, next_.time);
    if (__builtin_expect(group_sink_ != nullptr, 0) && group.run != 0) group_sink_->edge_begin(number, group.now);
  }
  if (__builtin_expect(runs_in_order(), 0)) {
    for (const auto& group : groups_) end = list_blocks(*group, end);
    if (order_.has_value()) std::shuffle(begin, end, *order_);
    step(begin, end);
  } else {
    for (const auto& group : groups_) {
      if (group->run != 0) end = step_group(*group, group->run, end, no_sleep_);
    }
  }
  commit_blocks(begin, end);
  if (__builtin_expect(in_reset_, 0)) in_reset_ = is_held(first_awake(edge_ + 1));
  if (__builtin_expect(group_sink_ != nullptr, 0)) group_sink_->edge_done();
}

// Up to the end of the row. Throws nothing.
void Domain::run_row(unsigned number, ThreadNotes& notes) {
  Group& group = *groups_[number];
  Blocks blocks;
  ClockedBase** const begin = blocks.data();
  try {
    for (unsigned i = 0; i < row_size_; ++i) {
      const std::uint64_t run = begin_edge(group, row_[i].edge, row_[i].time);
      if (run == 0) continue;
      if (__builtin_expect(group_sink_ != nullptr, 0)) group_sink_->edge_begin(number, group.now);
      commit_blocks(begin, step_group(group, run, begin, no_sleep_));
      if (__builtin_expect(group_sink_ != nullptr, 0)) group_sink_->edge_done();
    }
  } catch (...) {
    group.outbox[Workers::kStep].error = std::current_exception();
    notes.posted = true;
  }
}

// Throws nothing.
void Domain::run_stage(Group& group, Workers::Stage stage) const {
  try {
    if (stage == Workers::kStep) {
      Blocks blocks;
      step_group(group, group.run, blocks.data(), no_sleep_);
    } else {
      for (const unsigned module : set_bits(group.run)) group.modules[module]->commit();
    }
  } catch (...) {
    group.outbox[stage].error = std::current_exception();
  }
}

}  // namespace g80
