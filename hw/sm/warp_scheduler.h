// SPDX-License-Identifier: Apache-2.0
// Picks, in each scheduler cycle (two shader cycles), the warp that issues, or gives the stall reason.
//
// Every instruction that needs the SPs or their operand path takes the issue port for four shader cycles (32 lanes over
// 8 SPs). SFU, fp64 and control instructions (branches, barriers) issue in the scheduler cycles in between and keep
// their own unit busy: sm.control_cycles is the interval at which the control unit takes one. With sm.sfu_mul an fp32
// multiply moves to the multipliers of the SFUs if the port is busy, or if another instruction needs the port.
// An instruction with an operand from s[] also needs the port that brings such operands to the SPs, which takes one in
// sm.shared_operand_cycles. One may wait there for the one before; further ones are not picked, and others go first.
// Of the instructions with more operand words than a collector unit has, one is in the collector at a time.
// An access to s[] with bank conflicts is issued again for the lanes that each pass leaves: sm.replay_cycles of the
// port. Two-cycle loop: a warp picked in cycle S is hidden in S+1, because the scoreboard shows its next instruction in
// S+2.
// Loose round robin alone is not fair, because a warp may issue only now and then, when its unit is free: others could
// have their turn each time. So one warp at a time is watched until it has issued. If kPickPatience others have issued
// in cycles in which it might have, it goes first. The other policies mean to keep the younger warps waiting.
//
// From:  scoreboard (ready), operand_collector and address_unit (credits), bank_conflict (replays)
// To:    instruction_buffer, scoreboard
#pragma once
#include "hw/bundles/sm_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/sm/pick_input.h"
#include "hw/sm/stall_account.h"

namespace g80 {

inline constexpr unsigned kPickPatience = 63;  // picks

/// The warp that issues. This is where the issuing warp is decided.
std::optional<unsigned> pick_warp(SchedulerPolicy policy, const PickInput& in);

struct WarpSchedulerRegs {
  Pick pick;
  WarpMask hidden = 0;
  std::uint8_t last = 0;                   // warp issued last
  WarpAges age = lowest_slot_is_oldest();  // place of each warp in the order of their starts: the lower, the older
  std::uint8_t watched = 0;                // warp
  std::uint8_t passed_over = 0;            // picks of others when it might have issued, kPickPatience or more
  // Shader cycles until each takes an instruction
  std::uint16_t port_wait = 0;
  std::uint8_t sfu_wait = 0, dp_wait = 0, control_wait = 0;
  std::uint8_t shared_work = 0;  // shader cycles in which the port of s[] operands serves what was picked
  std::uint8_t collector_used = 0, memory_used = 0, load_used = 0, wide_used = 0;  // picked, modulo 256: see Credits
  G80_FIELDS(pick, hidden, (last, 5), (age, 5), (watched, 5), (passed_over, 6), port_wait, (sfu_wait, 6), (dp_wait, 6),
             (control_wait, 7), (shared_work, 6), collector_used, memory_used, load_used, wide_used);
};

class WarpScheduler : public Clocked<WarpSchedulerRegs> {
 public:
  WarpScheduler(const sc_core::sc_module_name& name, const Config& config);

  In<WarpReady> ready_i{"ready_i"};
  In<Redirect> start_i{"start_i"};  // ages follow the order of warp starts
  In<Credits> collector_credit_i{"collector_credit_i"};
  In<Credits> memory_credit_i{"memory_credit_i"};  // from address_unit
  In<Credits> load_credit_i{"load_credit_i"};      // from load_table
  In<bool> replay_i{"replay_i"};                   // from bank_conflict
  Out<Pick> pick_o{"pick_o"};

  using Counters = StallAccount::Counters;
  /// Counters up to and including edge `now`. A domain that sleeps altogether stands at an earlier edge than its clock,
  /// so an outside caller passes the edge.
  Counters counters(Cycle now) const { return account_.counters(now); }
  Counters counters() const { return counters(edge()); }
  void report_to(RetirementPort* port) { account_.report_to(port); }
  /// The cycles asleep up to edge `now`, which counters(now) has as well and no report has told.
  SmReport::Stall unreported(Cycle now) const { return account_.unreported(now); }
  std::uint64_t issued() const { return account_.issued(); }
  /// A launch begins: first_issue() is that of the next issue.
  void begin_launch() { account_.begin_launch(); }
  std::optional<Cycle> first_issue() const { return account_.first_issue(); }

 protected:
  void next() override;
  void drive() override { pick_o.write_event(q_.pick.valid, q_.pick); }
  void reset() override { account_.reset(); }

  const SchedulerPolicy policy_;
  const unsigned collector_units_, memory_units_, load_entries_, sfu_cycles_, dp_cycles_, multiply_cycles_,
      control_cycles_, replay_cycles_, shared_cycles_;
  StallAccount account_;
};

/// Memory instructions that may occupy collector units at once: half of them, so that arithmetic always finds one.
inline unsigned memory_collector_limit(const Config& config) { return std::max(1u, config.sm.collector_units / 2); }

}  // namespace g80
