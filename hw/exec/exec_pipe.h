// SPDX-License-Identifier: Apache-2.0
// The common base of SP array, SFUs and fp64 unit: lanes enter in groups, pass through visible stages and leave.
//
// Full shader rate. A unit takes a dispatch on the shader edge after the scheduler edge that made it, and with it the
// first group of lanes from its operand port; the port shows two groups for two shader cycles. In the same way two
// groups leave together for writeback. Groups move one stage a cycle, and each stage computes (advance()).
#pragma once
#include <vector>

#include "hw/bundles/exec_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/config/pipeline_depth.h"

namespace g80 {

struct PipeStage {
  bool valid = false;
  std::uint8_t slot = 0;
  std::uint8_t group = 0;
  G80_FIELDS(valid, slot, (group, 6));
};

/// Results of a warp's lanes.
struct LaneResults {
  LaneWords lo{};  // 16-bit results in bits 15:0; low word of 64-bit results; new $a in bits 15:0
  LaneWords hi{};  // high word of 64-bit results
  LaneFlags flags{};
  G80_FIELDS(lo, hi, flags);
};

/// What stays with an instruction while its lanes are in the pipe.
struct ExecSlot {
  IssuedInstruction fetched;
  Tag tag;
  std::uint8_t warp = 0;
  bool vote = false;
  LaneMask lanes = 0;
  LaneMask granted = 0;
  LaneResults out{};
  G80_FIELDS((insn, fetched, 0), (uid, tag.bits, 0), (warp, 5), vote, lanes, granted, out);
};

struct ExecPipeRegs {
  std::array<PipeStage, kMaxExecStages + 1> stage{};  // stage 0 is the entry
  std::uint8_t entering = 0;                          // groups of the newest instruction still to enter
  std::uint8_t entering_slot = 0;
  std::uint8_t next_slot = 0;
  std::uint8_t occupied = 0;      // groups in the pipe, for sleeping
  std::uint8_t ahead_slot = 0;    // the instruction whose result is announced, and
  std::uint8_t ahead_left = 0;    // shader cycles for which the announcement is still shown
  std::uint8_t result_slot = 0;   // the result on the wire: instruction,
  std::uint8_t result_group = 0;  // and the second of its two groups
  std::uint8_t result_left = 0;   // shader cycles for which the result is still shown
  G80_FIELDS(stage, (entering, 6), entering_slot, next_slot, occupied, ahead_slot, (ahead_left, 2), result_slot,
             (result_group, 6), (result_left, 2));
};

class ExecPipe : public Clocked<ExecPipeRegs> {
 public:
  In<Dispatch> dispatch_i{"dispatch_i"};
  Out<ResultAhead> ahead_o{"ahead_o"};
  Out<ExecResult> result_o{"result_o"};

  unsigned stages() const { return num_stages_; }
  unsigned groups() const { return num_groups_; }
  virtual const ExecSlot& slot(unsigned index) const { return slots_[std::min(index, num_slots_ - 1)]; }

  struct Counters {
    std::uint64_t instructions = 0, lanes = 0;
    G80_FIELDS(instructions, lanes);
  };
  const Counters& counters() const { return counters_; }

 protected:
  /// `groups` of kWarpSize / groups lanes enter on consecutive cycles.
  ExecPipe(const sc_core::sc_module_name& name, unsigned groups, unsigned stages)
      : Clocked(name),
        num_groups_(groups),
        group_lanes_(kWarpSize / groups),
        num_stages_(stages),
        num_slots_((stages + 2) / groups + 3),
        slots_(num_slots_) {}
  /// Takes the operands of the lanes from `first` on, as many as a group has, from word `from` of the port on, into the
  /// first stage.
  virtual void enter(unsigned slot, unsigned first, unsigned from) = 0;
  /// Moves the groups on that the stages hold; the one in the last stage into the result register, and from there into
  /// its slot.
  virtual void advance() = 0;

  void next() override;
  void drive() override;
  // next(), piece by piece: what is in the pipe moves on, a dispatch is taken, and its lanes enter.
  void move_on();
  void take_dispatch();
  void let_lanes_in();
  void drive_ahead();
  void reset() override { counters_ = {}; }
  void visit_members(FieldVisitor& visitor) const override { visitor.stored("slot", slots_); }
  void visit_members(FieldEditor& editor) override { editor.stored("slot", slots_); }

  const unsigned num_groups_, group_lanes_, num_stages_, num_slots_;
  std::vector<ExecSlot> slots_;  // one for each instruction entering, in the pipe, or on the result wire
  Unwritten unwritten_{*this, [this](FieldEditor& filler) { filler.fill(slots_); }};
  Counters counters_;
};

}  // namespace g80
