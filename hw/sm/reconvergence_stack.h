// SPDX-License-Identifier: Apache-2.0
// Program counters, active masks and control stacks of all warps: where lanes diverge and reconverge.
//
// Control instructions, and any instruction with a join or exit flag, arrive in order with the lanes their condition
// selected; the block executes one per scheduler cycle by the rules of warp_control.h. In their turn it passes bar
// instructions on to the barrier. A warp keeps its youngest sm.stack_on_chip entries here. An entry for which there is
// no room goes to memory, and its warp goes on at once.
// An instruction that needs an entry from there sends a read and is executed again when the entry has come back.
//
// From:  cta_launcher (warp start), operand_collector (control events), load_table (entries from memory)
// To:    fetch, instruction_buffer, scoreboard (redirect, resolve), operand_collector (active masks), barrier
// (arrivals, ended warps), address_unit (entries to memory, and reads)
#pragma once
#include "hw/bundles/launch_state.h"
#include "hw/bundles/retirement_port.h"
#include "hw/bundles/sm_bundles.h"
#include "hw/bundles/stack_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/delay_memory.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/sm/warp_control.h"

namespace g80 {

struct ReconvergenceStackRegs {
  Redirect redirect;
  Resolve resolve;
  ControlEvent arrival;  // a bar instruction
  ActiveMasks masks;
  KernelFault fault;
  StackAccess access;                           // to memory
  WarpMask refilling = 0;                       // wait for an entry from memory
  std::array<std::uint8_t, kMaxWarps> depth{};  // stack entries, saturated at 255
  std::array<std::uint32_t, kMaxWarps> pc{};    // after the last control instruction
  G80_FIELDS(redirect, resolve, arrival, masks, fault, access, refilling, depth, (pc, 24));
};

/// A warp whose control instruction can be executed.
struct ControlTurn {
  std::uint8_t warp = 0;
  G80_FIELDS((warp, 5));
};

class ReconvergenceStack : public Clocked<ReconvergenceStackRegs> {
 public:
  ReconvergenceStack(const sc_core::sc_module_name& name, const Config& config);

  In<LaunchState> launch_i{"launch_i"};
  In<WarpStart> start_i{"start_i"};
  In<ControlEvent> control_i{"control_i"};
  Out<Redirect> redirect_o{"redirect_o"};
  Out<Resolve> resolve_o{"resolve_o"};
  Out<ControlEvent> arrival_o{"arrival_o"};
  Out<ActiveMasks> masks_o{"masks_o"};
  Out<KernelFault> fault_o{"fault_o"};
  Out<StackAccess> access_o{"access_o"};
  In<bool> access_ready_i{"access_ready_i"};
  In<StackFill> fill_i{"fill_i"};

  struct Counters {
    std::uint64_t branches = 0, divergent_branches = 0, max_depth = 0;
    std::uint64_t spills = 0, refills = 0;  // entries to memory and back
    G80_FIELDS(branches, divergent_branches, max_depth, spills, refills);
  };
  const Counters& counters() const { return counters_; }
  /// For those who look at a warp's stack.
  struct Shown {
    LaneStates lanes;
    unsigned depth = 0, in_memory = 0;
    std::uint64_t memory_digest = 0;
  };
  virtual Shown warp(unsigned w) const;
  /// An entry on chip, counted from the oldest of the whole stack.
  virtual StackEntry entry(unsigned w, unsigned number) const { return warps_[w].entry(number); }
  void report_to(RetirementPort* port) { reports_ = port; }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void execute();
  void resolve(const ControlEvent& event, const ControlOutcome& out);
  template <class S, class V>
  static void members(S& s, V& v) {
    v.stored("warp", s.warps_);
    v.stored("in_turn", s.in_turn_);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override { members(*this, editor); }

  ControlRules rules() const;

  const ControlRules chip_;  // without what the grid sets
  std::array<WarpControl, kMaxWarps> warps_;
  DelayMemory<ControlEvent> resolving_;                 // in front of the stack; sm.branch_latency says how many
  std::array<ControlEvent, kMaxWarps> in_turn_{};       // the control instruction that a warp has in flight
  Fifo<ControlTurn, kMaxWarps> turns_{*this, "turns"};  // in the order in which instructions or their entries came
  Unwritten unwritten_{*this, [this](FieldEditor& filler) {
                         for (WarpControl& warp : warps_) warp.fill(filler);
                         filler.fill(in_turn_);
                       }};
  Fifo<StackAccess, kMaxWarps> to_memory_{*this, "to_memory"};
  RetirementPort* reports_ = nullptr;
  Counters counters_;
};

}  // namespace g80
