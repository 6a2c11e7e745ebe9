// SPDX-License-Identifier: Apache-2.0
// The control stack of one warp: the effect of branches, joins, calls, breaks and exits on its lanes.
//
// The rules are those of the machine's 64-bit stack entries: BRANCH, CALL, BREAK, QUADON, JOINAT. Which side of a
// divergent branch runs first is sm.divergence_first. The youngest entries are here; the oldest of a full stack goes to
// memory, and an instruction that needs an entry from there has to wait for it. reconvergence_stack holds one of these
// for every warp, gives it a clock and moves the entries.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/sm_bundles.h"
#include "hw/bundles/stack_bundles.h"
#include "hw/common/types.h"
#include "hw/config/config.h"
#include "hw/isa/instruction.h"

namespace g80 {

/// The lanes of one warp: which run, and what the others wait for.
struct LaneStates {
  LaneMask active = 0;    // execute the next instruction
  LaneMask runnable = 0;  // state 0: active or branched off
  LaneMask broke = 0;     // state 1: wait for their BREAK entry
  LaneMask returned = 0;  // state 2: wait for their CALL entry
};                        // in none of them: exited or never populated

/// The effect of a control instruction on a warp.
struct ControlOutcome {
  bool jumped = false;  // pc differs from the next instruction
  bool ended = false;
  bool diverged = false;  // a branch split the warp
  std::uint32_t pc = 0;
  FaultKind fault = FaultKind::kNone;
  bool waits = false;   // for entry `number`, which is in memory: refill() it, then execute the instruction again
  bool spills = false;  // `spilled` has to go to memory as entry `number`
  std::uint16_t number = 0;
  StackEntry spilled;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("jumped", s.jumped);
    v("ended", s.ended);
    v("diverged", s.diverged);
    v("pc", s.pc, 24);
    v("fault", s.fault, 4);
    v("waits", s.waits);
    v("spills", s.spills);
    v("number", s.number, 12);
    v("spilled", s.spilled);
  }
};

/// Does the side that takes a divergent branch run first? Both sides have lanes. This is where it is decided.
bool taken_goes_first(DivergenceFirst policy, LaneMask taken, LaneMask fallthrough);

/// One warp's control state and the machine's rules on it. No clock: the unit tests call it directly.
class WarpControl {
 public:
  static constexpr unsigned kMaxOnChip = 64;  // largest sm.stack_on_chip

  void start(LaneMask lanes, unsigned max_depth, unsigned call_limit_log, unsigned on_chip = kMaxOnChip);
  /// Executes the control part of `insn` at `pc`; `taken` = active lanes in which its condition holds.
  /// This is where lanes diverge and rejoin.
  ControlOutcome execute(const isa::Instruction& insn, std::uint32_t pc, LaneMask taken, DivergenceFirst first);
  /// Takes back the youngest entry in memory.
  void refill(const StackEntry& entry);
  const LaneStates& lanes() const { return lanes_; }
  /// Entries, on chip and in memory.
  unsigned depth() const { return in_memory_ + count_; }
  unsigned in_memory() const { return in_memory_; }
  /// Changes with every entry that goes to memory, and back when it returns. Only the watchdog reads it.
  std::uint64_t memory_digest() const { return memory_digest_; }
  /// What start() writes, for --x random.
  void fill(FieldEditor& filler);
  /// An entry on chip, counted from the oldest of the whole stack.
  const StackEntry& entry(unsigned number) const { return entries_[place(number - in_memory_)]; }

 private:
  bool push(const StackEntry& entry, ControlOutcome& out);
  bool has_top(ControlOutcome& out) const;
  const StackEntry& top() const { return entries_[place(count_ - 1)]; }
  void pop();
  ControlOutcome unwind();
  ControlOutcome join(std::uint32_t next);
  ControlOutcome leave(LaneMask lanes, LaneMask LaneStates::*state, std::uint32_t next);
  unsigned place(unsigned i) const { return (oldest_ + i) % on_chip_; }

  LaneStates lanes_;
  std::array<StackEntry, kMaxOnChip> entries_{};  // a ring of on_chip_
  unsigned on_chip_ = kMaxOnChip, oldest_ = 0, count_ = 0;
  unsigned in_memory_ = 0;  // the oldest entries
  std::uint64_t memory_digest_ = 0;
  unsigned max_depth_ = 0, call_limit_ = 0, limited_calls_ = 0;
  unsigned calls_ = 0;      // call entries, on chip and in memory
  bool quad_mode_ = false;  // the youngest entry is of quadon
  bool unwinding_ = false;  // an instruction that waits has left its lanes and looks for others
};

}  // namespace g80
