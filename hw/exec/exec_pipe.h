// SPDX-License-Identifier: Apache-2.0
// The common base of SP array, SFUs and fp64 unit: lanes enter in groups and pass through visible stages; the
// result goes to writeback when the last group has left.
//
// Full shader rate. A unit takes a dispatch on the shader edge after the scheduler edge that made it. The arithmetic of
// all lanes is done when the operands are taken; groups then move one stage a cycle.
#pragma once
#include <vector>

#include "hw/bundles/exec_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/config/pipeline_depth.h"

namespace g80 {

inline constexpr unsigned kMaxWaitingResults = 8;  // of SFU and fp64 unit, in writeback

struct PipeStage {
  bool valid = false;
  std::uint8_t slot = 0;
  std::uint8_t group = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("slot", s.slot);
    v("group", s.group, 6);
  }
};

struct ExecPipeRegs {
  std::array<PipeStage, kMaxExecStages + 1> stage{};  // stage 0 is the entry
  std::uint8_t entering = 0;                          // groups of the newest instruction still to enter
  std::uint8_t entering_slot = 0;
  std::uint8_t next_slot = 0;
  std::uint8_t occupied = 0;  // groups in the pipe, for sleeping
  ExecResult result;
  std::uint8_t result_held = 0;  // cycles the result has been shown
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("stage", s.stage);
    v("entering", s.entering, 6);
    v("entering_slot", s.entering_slot);
    v("next_slot", s.next_slot);
    v("occupied", s.occupied);
    v("result", s.result);
    v("result_held", s.result_held);
  }
};

class ExecPipe : public Clocked<ExecPipeRegs> {
 public:
  sc_core::sc_in<Dispatch> dispatch_i{"dispatch_i"};
  sc_core::sc_out<ExecResult> result_o{"result_o"};

  unsigned stages() const { return num_stages_; }
  const ExecSlot& slot(unsigned index) const { return slots_[std::min<std::size_t>(index, slots_.size() - 1)]; }

  struct Counters {
    std::uint64_t instructions = 0, lanes = 0;
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("instructions", s.instructions);
      v("lanes", s.lanes);
    }
  };
  const Counters& counters() const { return counters_; }

 protected:
  /// `groups` of kWarpSize / groups lanes enter on consecutive cycles.
  ExecPipe(const sc_core::sc_module_name& name, unsigned groups, unsigned stages)
      : Clocked(name), num_groups_(groups), num_stages_(stages), slots_(stages / groups + 3 + kMaxWaitingResults) {}
  /// Computes the instruction for all lanes into slot.out.
  virtual void compute(const Dispatch& dispatch, ExecSlot& slot) = 0;
  void drive() override { result_o.write(q_.result); }

  void next() override;
  void visit_members(FieldVisitor& visitor) const override { visitor.stored("slot", slots_); }
  void visit_members(FieldEditor& editor) override { editor.stored("slot", slots_); }

  const unsigned num_groups_, num_stages_;
  std::vector<ExecSlot>
      slots_;  // one for each instruction entering, in the pipe, on the result wire, or waiting behind it
  Counters counters_;
};

}  // namespace g80
