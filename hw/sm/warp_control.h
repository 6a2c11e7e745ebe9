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
  G80_FIELDS(jumped, ended, diverged, (pc, 24), (fault, 4), waits, spills, (number, 12), spilled);
};

/// Does the side that takes a divergent branch run first? Both sides have lanes. This is where it is decided.
bool taken_goes_first(DivergenceFirst policy, LaneMask taken, LaneMask fallthrough);

/// What a warp keeps besides its active lanes and the entries.
struct ControlState {
  LaneMask runnable = 0, broke = 0, returned = 0;  // as in LaneStates
  std::uint8_t oldest = 0;                         // place of the oldest entry on chip
  std::uint8_t count = 0;                          // entries on chip
  std::uint16_t in_memory = 0;                     // the oldest entries
  std::uint16_t calls = 0;                         // entries of calls, on chip and in memory
  std::uint16_t limited_calls = 0;                 // the part of them that is limited
  bool quad_mode = false;                          // the youngest entry is of quadon
  bool unwinding = false;                          // an instruction that waits has left its lanes and looks for others
  G80_FIELDS(runnable, broke, returned, (oldest, 6), (count, 7), (in_memory, 12), (calls, 13), (limited_calls, 13),
             quad_mode, unwinding);
};

/// What the chip and the grid set for the control stacks of all warps.
struct ControlRules {
  unsigned depth = kMaxStackDepth;                  // entries of a warp
  unsigned on_chip = 64;                            // the part of them that is here
  unsigned calls = 0;                               // limited calls of a warp
  DivergenceFirst first = DivergenceFirst::kTaken;  // side of a divergent branch
};
/// Limited calls that a warp may have at a time; 0 and from 15 on: none, all.
inline unsigned call_limit(unsigned call_limit_log) {
  return call_limit_log == 0 ? 0 : call_limit_log >= 0xf ? ~0u : 1u << (call_limit_log - 1);
}

/// Does the search for lanes that run end at an entry? The entry of lanes that have all ended is dropped; one that the
/// kernel has overwritten in memory is a fault. This is where it is decided.
bool stops_unwinding(const StackEntry& entry, const ControlState& state);

/// One warp's control state and the machine's rules on it. No clock: the unit tests call it directly.
class WarpControl {
 public:
  static constexpr unsigned kMaxOnChip = 64;  // largest sm.stack_on_chip

  void start(LaneMask lanes);
  /// Executes the control part of `insn` at `pc`; `taken` = active lanes in which its condition holds.
  /// This is where lanes diverge and rejoin.
  ControlOutcome execute(const isa::Instruction& insn, std::uint32_t pc, LaneMask taken, const ControlRules& rules);
  /// Takes back the youngest entry in memory.
  void refill(const StackEntry& entry);
  LaneMask active() const { return active_; }
  LaneStates lanes() const { return {active_, state_.runnable, state_.broke, state_.returned}; }
  /// Entries, on chip and in memory.
  unsigned depth() const { return state_.in_memory + state_.count; }
  unsigned in_memory() const { return state_.in_memory; }
  /// Changes with every entry that goes to memory, and back when it returns. Only the watchdog reads it.
  std::uint64_t memory_digest() const { return memory_digest_; }
  template <class S, class V>
  static void visit(S& s, V& v) {
    v("active", s.active_);
    v("state", s.state_);
    v("entry", s.entries_);
    if constexpr (std::is_same_v<V, FieldEditor>) v.state(s.memory_digest_);
  }
  /// The places for entries, for --x random.
  void fill(FieldEditor& filler) { filler.fill(entries_); }
  /// An entry on chip, counted from the oldest of the whole stack.
  const StackEntry& entry(unsigned number) const { return entries_[place(number - state_.in_memory)]; }

 private:
  bool push(const StackEntry& entry, const ControlRules& rules, ControlOutcome& out);
  void wait(ControlOutcome& out) const;
  const StackEntry& top() const { return entries_[place(state_.count - 1u)]; }
  void pop();
  ControlOutcome unwind();
  ControlOutcome join(std::uint32_t next);
  ControlOutcome leave(LaneMask lanes, LaneMask ControlState::*waiting, std::uint32_t next);
  unsigned place(unsigned i) const { return (state_.oldest + i) % kMaxOnChip; }

  LaneMask active_ = 0;
  ControlState state_;
  std::array<StackEntry, kMaxOnChip> entries_{};  // a ring
  std::uint64_t memory_digest_ = 0;
};

}  // namespace g80
