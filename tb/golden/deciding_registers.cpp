// SPDX-License-Identifier: Apache-2.0
#include "tb/golden/deciding_registers.h"

#include <algorithm>
#include <iterator>

namespace g80::golden {
namespace {

using isa::Op;
using isa::OperandKind;

/// What the instruction takes to branch, to access memory or to fault.
ThreadState read_to_act(const isa::Instruction& insn) {
  ThreadState reads = registers_read(insn);
  if (insn.unit == isa::Unit::kSp || insn.unit == isa::Unit::kSfu || insn.unit == isa::Unit::kDp) {
    // An operand in memory may have a bad address, in lanes in which the guard holds.
    const bool accesses = std::any_of(std::begin(insn.src), std::end(insn.src), [](const isa::Operand& operand) {
      return operand.kind == OperandKind::kShared || operand.kind == OperandKind::kConst;
    });
    if (!accesses) return {};
    reads.registers = {};
    if (insn.cond == isa::kAlways) reads.flags = 0;  // at most a carry
  }
  return reads;
}

/// Of a half, or of a lock's word, the rest stays; so does everything in lanes that the instruction leaves out.
bool overwrites(const isa::Instruction& insn) {
  return insn.cond == isa::kAlways && insn.lane_mask == 0xf && insn.dst.kind != OperandKind::kHalf &&
         insn.op != Op::kLdSharedLock;
}

/// Nobody but the lane itself notices how often it executes the instruction.
bool only_computes(const isa::Instruction& insn) {
  if (insn.exit) return false;
  if (insn.op == Op::kNop) return true;
  return (insn.unit == isa::Unit::kSp || insn.unit == isa::Unit::kSfu || insn.unit == isa::Unit::kDp) &&
         insn.op != Op::kLdSharedLock && read_to_act(insn).empty();
}

template <class Step>
bool contains(const std::vector<Step*>& steps, const Step* step) {
  return std::find(steps.begin(), steps.end(), step) != steps.end();
}

/// True if that is new.
bool insert(ThreadState& set, ThreadState items) {
  items.remove(set);
  set.insert(items);
  return !items.empty();
}

}  // namespace

bool reads_clock(const isa::Instruction& insn) {
  constexpr unsigned kClock = 1;  // its number among the special registers
  return insn.op == Op::kMovFromSpecial && insn.src[0].index == kClock;
}

void DecidingRegisters::add_first(std::uint32_t pc, const isa::Instruction& insn) {
  Step step{};
  step.reads = registers_read(insn);
  step.writes = registers_written(insn);
  step.acts_on = read_to_act(insn);
  step.next[0] = step.next[1] = pc + insn.bytes;
  step.only_computes = only_computes(insn);
  step.branches = insn.op == Op::kBra;
  step.starts = insn.op == Op::kJoinat;
  step.joins = insn.join;
  step.reads_clock = reads_clock(insn);
  step.reads_special = insn.op == Op::kMovFromSpecial;
  if (overwrites(insn)) step.overwrites = step.writes;
  if (insn.join) step.next[1] = pc;  // executed again when the lanes of the other side have ended
  if (insn.op == Op::kBra || insn.op == Op::kCall || insn.op == Op::kJoinat || insn.op == Op::kBreakaddr)
    step.next[1] = insn.target;
  if (insn.op == Op::kBra && insn.cond == isa::kAlways) step.next[0] = insn.target;
  step.to_anywhere = insn.op == Op::kRet || insn.op == Op::kBreak;
  in_quads_ |= insn.op == Op::kQuadon || insn.op == Op::kQuadpop || insn.op == Op::kQuadop;
  if (pc / 4 >= index_.size()) index_.resize(pc / 4 + 1, kNone);
  index_[pc / 4] = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back(step);
  since_first_ = 0;
  solved_ = false;
}

// Forward data flow: what may hold a value of the clock, or one that depends on for how long lanes have waited.
void DecidingRegisters::follow_clock() {
  for (bool grows = true; grows;) {
    grows = false;
    for (Step& step : steps_) {
      ThreadState after = step.of_clock;
      after.remove(step.overwrites);
      if (step.waits || step.reads_clock || step.reads.intersects(step.of_clock)) after.insert(step.writes);
      if (step.to_anywhere) {
        for (Step& next : steps_) grows |= insert(next.of_clock, after);
      }
      for (const std::uint32_t pc : step.next) {
        if (Step* const next = at(pc); next != nullptr) grows |= insert(next->of_clock, after);
      }
    }
  }
}

bool DecidingRegisters::may_part(const Step& step) { return step.branches && step.reads.intersects(step.varies); }

// Forward data flow from all places at which a warp may be seen to come back. Lanes stay together until they part at a
// branch; those that waited there and those that met may come from anywhere.
void DecidingRegisters::follow_lanes() {
  ThreadState all;
  all.registers.add_range(0, registers_);
  all.flags = all.addrs = 0xff;
  for (Step& step : steps_) step.varies = step.joins || !step.live.intersects(step.of_clock) ? all : ThreadState{};
  for (bool grows = true; grows;) {
    grows = false;
    for (Step& step : steps_) {
      ThreadState after = step.varies;
      if (step.only_computes && (step.reads_clock || !step.reads_special) && !step.reads.intersects(step.varies)) {
        after.remove(step.overwrites);
      } else {
        after.insert(step.writes);
      }
      if (step.joins || step.to_anywhere || may_part(step)) after = all;
      if (step.to_anywhere) {
        for (Step& next : steps_) grows |= insert(next.varies, after);
      }
      for (const std::uint32_t pc : step.next) {
        if (Step* const next = at(pc); next != nullptr) grows |= insert(next->varies, after);
      }
    }
  }
}

/// The instructions on all ways to `to`; none if one may lead elsewhere, or does more than compute and branch.
std::optional<std::vector<DecidingRegisters::Step*>> DecidingRegisters::way(std::vector<std::uint32_t> from,
                                                                            const Step* to) {
  std::vector<Step*> steps;
  while (!from.empty()) {
    Step* const step = at(from.back());
    from.pop_back();
    if (step == nullptr) return std::nullopt;
    if (step == to || contains(steps, step)) continue;
    if (step->joins || !(step->only_computes || step->branches)) return std::nullopt;
    steps.push_back(step);
    from.insert(from.end(), std::begin(step->next), std::end(step->next));
  }
  return steps;
}

/// The shortest wait of which `branch` is one, if all lanes take the same way at each of its branches.
std::vector<DecidingRegisters::Step*> DecidingRegisters::wait_in_step(Step& branch) {
  std::vector<Step*> best;
  if (may_part(branch)) return best;
  for (const Step& end : steps_) {
    auto steps = way({branch.next[0], branch.next[1]}, &end);
    if (!steps || std::any_of(steps->begin(), steps->end(), [](const Step* step) { return may_part(*step); })) continue;
    if (!contains(*steps, &branch)) steps->push_back(&branch);
    if (best.empty() || steps->size() < best.size()) best = std::move(*steps);
  }
  return best;
}

/// The wait from a joinat to its join with `branch` in it.
std::vector<DecidingRegisters::Step*> DecidingRegisters::wait_to_join(Step& branch) {
  for (const Step& start : steps_) {
    Step* const join = at(start.next[1]);
    if (!start.starts || join == nullptr || !join->joins || !join->only_computes) continue;
    auto steps = way({start.next[0]}, join);
    if (!steps || !contains(*steps, &branch)) continue;
    steps->push_back(join);
    const bool has_other_way_in = std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
      return &step != &start && !contains(*steps, &step) &&
             (contains(*steps, at(step.next[0])) || contains(*steps, at(step.next[1])));
    });
    if (!has_other_way_in) return *steps;
  }
  return {};
}

void DecidingRegisters::solve_clock() {
  for (Step& step : steps_) step.of_clock = {}, step.waits = false;
  clock_only_delays_ = !in_quads_;
  while (clock_only_delays_) {
    follow_clock();
    const auto decided = std::find_if(steps_.begin(), steps_.end(), [](const Step& step) {
      return step.acts_on.intersects(step.of_clock) && !(step.waits && step.branches);
    });
    if (decided == steps_.end()) return;
    follow_lanes();
    std::vector<Step*> wait;
    if (decided->branches) wait = wait_in_step(*decided);
    if (decided->branches && wait.empty()) wait = wait_to_join(*decided);
    for (Step* const step : wait) step->waits = true;
    clock_only_delays_ = !wait.empty();
  }
}

void DecidingRegisters::solve() {
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t word = index_.size(); word-- > 0;) {
      if (index_[word] == kNone) continue;
      Step& step = steps_[index_[word]];
      ThreadState after = step.to_anywhere || in_quads_ ? anywhere_ : live(step.next[0]);
      after.insert(live(step.next[1]));
      ThreadState before = step.acts_on;
      if (step.writes.intersects(after)) before.insert(step.reads);
      if (!in_quads_) after.remove(step.overwrites);
      before.insert(after);
      before.remove(step.live);
      if (before.empty()) continue;
      step.live.insert(before);
      anywhere_.insert(before);
      grows = true;
    }
  }
  solve_clock();
  solved_ = true;
}

}  // namespace g80::golden
