// SPDX-License-Identifier: Apache-2.0
// An execution pipe whose registers hold what the stages of its arithmetic compute.
//
// Stage j of the datapath writes register j. The last register is the one on the result wire; between it and the last
// stage that computes lie as many registers that only delay, padding, as the latency key asks for.
#pragma once
#include <vector>

#include "hw/exec/exec_pipe.h"

namespace g80 {

/// `Datapath` has the registers of all stages, kStages, kMaxLanes, `operands`, `result`, and compute(stage, lanes).
template <class Datapath>
class StagedPipe : public ExecPipe {
 protected:
  using Result = decltype(Datapath::result);

  StagedPipe(const sc_core::sc_module_name& name, unsigned groups, unsigned stages)
      : ExecPipe(name, groups, stages), padding_(stages + 1 - Datapath::kStages) {
    CHECK(group_lanes_ <= Datapath::kMaxLanes, "{}: {} lanes a cycle, the datapath has {}", this->name(), group_lanes_,
          Datapath::kMaxLanes);
  }

  /// Puts the operands of a group into datapath_.operands.
  virtual void load(const ExecSlot& slot, unsigned from) = 0;
  /// Puts a group's result into the words of its lanes.
  virtual void deliver(const Result& result, ExecSlot& slot, unsigned first) const = 0;

  void advance() override {
    // From the back: each register takes what the one before it held.
    for (unsigned to = num_stages_; to > 0; --to) {
      if (q_.stage[to - 1].valid) move_into(to);
    }
    if (const PipeStage& last = q_.stage[num_stages_ - 1]; last.valid) {
      deliver(padding_.empty() ? datapath_.result : padding_.back(), slots_[last.slot], last.group * group_lanes_);
    }
  }
  void enter(unsigned slot, unsigned, unsigned from) override {
    load(slots_[slot], from);
    move_into(0);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override { members(*this, editor); }

  Datapath datapath_;

 private:
  template <class S, class V>
  static void members(S& s, V& v) {
    v.stored("slot", s.slots_);
    v("datapath", s.datapath_);
    v("padding", s.padding_);
  }
  void move_into(unsigned number) {
    if (number < Datapath::kStages) {
      datapath_.compute(number, group_lanes_);
    } else {
      const unsigned at = number - Datapath::kStages;
      padding_[at] = at == 0 ? datapath_.result : padding_[at - 1];
    }
  }

  std::vector<Result> padding_;
};

}  // namespace g80
