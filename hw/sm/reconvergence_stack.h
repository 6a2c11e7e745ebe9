// Program counters, active masks and control stacks of all warps: where lanes part and rejoin.
//
// Control instructions, and any instruction with a join or exit flag, arrive in order with the lanes their condition
// selected; one is worked off a scheduler cycle. The rules are those of the machine's 64-bit stack entries: BRANCH, CALL,
// BREAK, QUADON, JOINAT. Which side of a divergent branch runs first is sm.divergence_first.
//
// From:  cta_launcher (warp start), operand_collector (control events)
// To:    fetch, instruction_buffer, scoreboard (redirect, resolve), operand_collector (active masks), barrier (ended warps)
#pragma once
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/gpu/launch_state.h"
#include "hw/sm/sm_bundles.h"
#include "hw/sm/sm_log.h"

namespace g80 {

enum class StackEntryType : std::uint8_t { kBranch = 1, kCall = 2, kCallLimited = 3, kBreak = 4, kQuadon = 5, kJoinat = 6 };
struct StackEntry {
  std::uint32_t pc = 0;
  StackEntryType type = StackEntryType::kBranch;
  LaneMask mask = 0;
};

/// The lanes of one warp: which run, and what those that do not are waiting for.
struct LaneStates {
  LaneMask active = 0;    // execute the next instruction
  LaneMask runnable = 0;  // state 0: active or branched off
  LaneMask broke = 0;     // state 1: wait for their BREAK entry
  LaneMask returned = 0;  // state 2: wait for their CALL entry
};                        // in none of them: exited or never populated

/// What a control instruction does to a warp.
struct ControlOutcome {
  bool jumped = false;          // pc differs from the next instruction
  bool ended = false;
  bool diverged = false;        // a branch split the warp
  std::uint32_t pc = 0;
  FaultKind fault = FaultKind::kNone;
};

/// One warp's control state and the machine's rules on it. No clock: the unit tests call it directly.
class WarpControl {
 public:
  void start(std::uint32_t pc, LaneMask lanes, unsigned max_depth, unsigned call_limit_log);
  /// Executes the control part of `insn` at `pc`; `taken` = active lanes in which its condition holds.
  /// This is where lanes diverge and rejoin.
  ControlOutcome execute(const isa::Instruction& insn, std::uint32_t pc, LaneMask taken, DivergenceFirst first);
  const LaneStates& lanes() const { return lanes_; }
  const std::vector<StackEntry>& stack() const { return stack_; }
  std::uint64_t digest() const;

 private:
  bool push(const StackEntry& entry);
  ControlOutcome unwind();
  ControlOutcome join(std::uint32_t next);
  ControlOutcome leave(LaneMask lanes, LaneMask LaneStates::*state, std::uint32_t next);

  LaneStates lanes_;
  std::vector<StackEntry> stack_;
  unsigned max_depth_ = 0, call_limit_ = 0, limited_calls_ = 0;
};

struct ReconvergenceStackRegs {
  Redirect redirect;
  Resolve resolve;
  ActiveMasks masks;
  KernelFault fault;
  std::array<std::uint8_t, kMaxWarps> depth{};  // stack entries, saturated at 255
  std::array<std::uint32_t, kMaxWarps> pc{};    // after the last control instruction
  template <class S, class V>
  static void visit(S& s, V& v) {
    v("redirect", s.redirect);
    v("resolve", s.resolve);
    v("masks", s.masks);
    v("depth", s.depth);
    v("pc", s.pc, 24);
  }
};

class ReconvergenceStack final : public Clocked<ReconvergenceStackRegs> {
 public:
  ReconvergenceStack(const sc_core::sc_module_name& name, const Config& config, const LaunchState& launch);

  sc_core::sc_in<WarpStart> start_i{"start_i"};
  sc_core::sc_in<ControlEvent> control_i{"control_i"};
  sc_core::sc_out<Redirect> redirect_o{"redirect_o"};
  sc_core::sc_out<Resolve> resolve_o{"resolve_o"};
  sc_core::sc_out<ActiveMasks> masks_o{"masks_o"};
  sc_core::sc_out<KernelFault> fault_o{"fault_o"};

  struct Counters {
    std::uint64_t branches = 0, divergent_branches = 0, max_depth = 0;
  };
  const Counters& counters() const { return counters_; }
  const WarpControl& warp(unsigned w) const { return warps_[w]; }
  void attach_log(SmLog* log) { log_ = log; }

 private:
  void next() override;
  void drive() override;
  void reset() override { pending_.clear(); }

  struct Pending {
    ControlEvent event;
    Cycle due = 0;
  };
  const LaunchState& launch_;
  const DivergenceFirst first_;
  const unsigned stack_depth_, extra_cycles_;
  std::array<WarpControl, kMaxWarps> warps_;
  Fifo<Pending, kMaxWarps> pending_;  // a warp has one control instruction in flight
  SmLog* log_ = nullptr;
  Counters counters_;
};

}  // namespace g80
