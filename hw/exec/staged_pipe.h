// SPDX-License-Identifier: Apache-2.0
// An execution pipe whose registers hold what the stages of its arithmetic compute.
//
// Stage j of the datapath writes register j; registers behind the last stage pass its result on. A pipe with fewer
// registers than the datapath has stages computes several stages in a cycle: its latency key asks for less time than
// one stage a cycle takes.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/exec/exec_pipe.h"

namespace g80 {

/// `Datapath` has the registers of all stages, kStages, kMaxLanes, `operands`, `result`, and compute(stage, lanes).
template <class Datapath>
class StagedPipe : public ExecPipe {
 protected:
  using Result = decltype(Datapath::result);

  StagedPipe(const sc_core::sc_module_name& name, unsigned groups, unsigned stages)
      : ExecPipe(name, groups, stages), padding_(stages - std::min(stages, Datapath::kStages)) {
    CHECK(group_lanes_ <= Datapath::kMaxLanes, "{}: {} lanes a cycle, the datapath has {}", this->name(), group_lanes_,
          Datapath::kMaxLanes);
  }

  /// Puts the operands of a group into datapath_.operands.
  virtual void load(const ExecSlot& slot, unsigned from) = 0;
  /// Puts a group's result into the words of its lanes.
  virtual void deliver(const Result& result, ExecSlot& slot, unsigned first) const = 0;

  void advance() override {
    if (const PipeStage& last = q_.stage[num_stages_ - 1]; last.valid) {
      deliver(padding_.empty() ? datapath_.result : padding_.back(), slots_[last.slot], last.group * group_lanes_);
    }
    // From the back: each register takes what the one before it held.
    for (unsigned to = num_stages_ - 1; to > 0; --to) {
      if (q_.stage[to - 1].valid) move_into(to);
    }
  }
  void enter(ExecSlot& slot, unsigned, unsigned from) override {
    load(slot, from);
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
  /// First stage that writes register `number` or one behind it.
  unsigned first_stage(unsigned number) const {
    if (num_stages_ >= Datapath::kStages) return std::min(number, Datapath::kStages);
    return (number * Datapath::kStages + num_stages_ - 1) / num_stages_;
  }
  void move_into(unsigned number) {
    if (number >= Datapath::kStages) {
      const unsigned at = number - Datapath::kStages;
      padding_[at] = at == 0 ? datapath_.result : padding_[at - 1];
      return;
    }
    for (unsigned stage = first_stage(number); stage < first_stage(number + 1); ++stage) {
      datapath_.compute(stage, group_lanes_);
    }
  }

  std::vector<Result> padding_;
};

}  // namespace g80
