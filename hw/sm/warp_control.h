// SPDX-License-Identifier: Apache-2.0
// The control stack of one warp: the effect of branches, joins, calls, breaks and exits on its lanes.
//
// The rules are those of the machine's 64-bit stack entries: BRANCH, CALL, BREAK, QUADON, JOINAT. Which side of a
// divergent branch runs first is sm.divergence_first. reconvergence_stack holds one of these for every warp and gives
// it a clock.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/bundles/sm_bundles.h"
#include "hw/common/types.h"
#include "hw/config/config.h"
#include "hw/isa/instruction.h"

namespace g80 {

enum class StackEntryType : std::uint8_t {
  kBranch = 1,
  kCall = 2,
  kCallLimited = 3,
  kBreak = 4,
  kQuadon = 5,
  kJoinat = 6
};
struct StackEntry {
  std::uint32_t pc = 0;
  StackEntryType type = StackEntryType::kBranch;
  LaneMask mask = 0;
};

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
  unsigned refilled = 0;  // entries that had to be read back from memory first
  unsigned spilled = 0;   // entries that went to memory for want of room
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("jumped", s.jumped);
    v("ended", s.ended);
    v("diverged", s.diverged);
    v("pc", s.pc, 24);
    v("fault", s.fault, 4);
    v("refilled", s.refilled, 13);
    v("spilled", s.spilled, 13);
  }
};

/// Does the side that takes a divergent branch run first? Both sides have lanes. This is where it is decided.
bool taken_goes_first(DivergenceFirst policy, LaneMask taken, LaneMask fallthrough);

/// One warp's control state and the machine's rules on it. No clock: the unit tests call it directly.
class WarpControl {
 public:
  /// `on_chip`: entries that need no memory; the oldest beyond them are in memory.
  void start(std::uint32_t pc, LaneMask lanes, unsigned max_depth, unsigned call_limit_log,
             unsigned on_chip = kMaxStackDepth);
  /// Executes the control part of `insn` at `pc`; `taken` = active lanes in which its condition holds.
  /// This is where lanes diverge and rejoin.
  ControlOutcome execute(const isa::Instruction& insn, std::uint32_t pc, LaneMask taken, DivergenceFirst first);
  const LaneStates& lanes() const { return lanes_; }
  const std::vector<StackEntry>& stack() const { return stack_; }
  std::uint64_t digest() const;

 private:
  ControlOutcome carry_out(const isa::Instruction& insn, std::uint32_t pc, LaneMask taken, DivergenceFirst first);
  bool push(const StackEntry& entry);
  StackEntry top();
  ControlOutcome unwind();
  ControlOutcome join(std::uint32_t next);
  ControlOutcome leave(LaneMask lanes, LaneMask LaneStates::*state, std::uint32_t next);

  LaneStates lanes_;
  std::vector<StackEntry> stack_;
  unsigned max_depth_ = 0, call_limit_ = 0, limited_calls_ = 0;
  unsigned on_chip_ = kMaxStackDepth;
  std::size_t in_memory_ = 0;            // the oldest entries
  unsigned refilled_ = 0, spilled_ = 0;  // by the instruction at hand
};

}  // namespace g80
