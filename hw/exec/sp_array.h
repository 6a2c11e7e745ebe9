// SPDX-License-Identifier: Apache-2.0
// The eight scalar processors of an SM: integer, logic, compare, conversion and fp32 add, multiply, multiply-add.
//
// A warp enters as four groups of eight lanes on four consecutive shader cycles. Eight stages compute
// (hw/exec/sp_datapath.h). The result goes from the last one into the memory of results, at the place of its slot and
// group, and rests there until sm.alu_latency is over: the stages behind hold slot and group alone. `Sp` is one of the
// processors: it shows for each of its stages the warp, the lane and what the register holds, or the result, and has no
// process of its own.
//
// What is between the stages matters only to those who look at it: waves of the Sps, faults, snapshots, twins. While
// nobody has asked for every cycle, the operands of a warp rest, and all stages are computed at once when its first
// lanes leave the last one. Who looks all the same sees the registers filled in: by the lanes that are on their way, up
// to their stages, and before them by the last lanes of each kind of instruction that has passed, because a register
// keeps what an instruction does not write.
//
// Operands come and results leave at odd edges; at the even ones lanes only move on. So an array that may, and at which
// nobody looks, sleeps through an even edge and makes up for it at the odd one behind it. It is never late: what wakes
// it was written at an even edge. Who looks between them sees the registers of that edge, and from then on it runs at
// each one.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "hw/exec/exec_pipe.h"
#include "hw/exec/sp_datapath.h"

namespace g80 {

class SpArray;

/// The registers behind the stages that compute; the control bits of the instruction that enters.
struct SpRegisters {
  SpControl entering;
  SpUnpacked unpacked;
  SpMultiplied multiplied;
  SpProduct product;
  SpAligned aligned;
  SpSum sum;
  SpCounted counted;
  SpNormalised normalised;
  G80_FIELDS(entering, unpacked, multiplied, product, aligned, sum, counted, normalised);
};

class Sp final : public sc_core::sc_module, public Traceable {
 public:
  Sp(const sc_core::sc_module_name& name, const SpArray& array, unsigned index);
  const char* trace_name() const override { return name(); }
  void trace_fields(FieldVisitor& visitor) const override;
  TraceLevel trace_level() const override { return TraceLevel::kAll; }
  void mark() { mark_changed(); }
  bool is_traced() const { return traced(); }

 private:
  const SpArray& array_;
  const unsigned index_;
};

class SpArray : public ExecPipe {
 public:
  SpArray(const sc_core::sc_module_name& name, const Config& config);

  In<SpLanes> operands_i{"operands_i"};

  /// It may sleep through even edges: no twin runs beside it.
  void run_at_odd_edges() { may_skip_ = true; }

  /// How often a warp executed pmevent, by the number of the event: what the profiler's triggers count.
  const std::array<std::uint64_t, 16>& events() const { return events_; }
  /// Registers of the stages before the last one that computes; those from it on have results. A twin has its own.
  virtual const SpRegisters& datapath() const {
    fill_in();
    return datapath_;
  }
  virtual SpResult result(unsigned stage) const;
  void trace_fields(FieldVisitor& visitor) const override {
    fill_in();
    ExecPipe::trace_fields(visitor);
  }
  void edit_fields(FieldEditor& editor) override {
    fill_in();
    ExecPipe::edit_fields(editor);
  }

 protected:
  void next() override;
  void enter(unsigned number, unsigned first, unsigned from) override;
  void advance() override;
  void drive() override;
  void reset() override;
  void keep_result(const PipeStage& stage, const SpResult& result);
  void mark_sps();
  void visit_members(FieldVisitor& visitor) const override {
    fill_in();
    visit_all(*this, visitor);
  }
  void visit_members(FieldEditor& editor) override { visit_all(*this, editor); }
  template <class S, class V>
  static void visit_all(S& s, V& v) {
    v.stored("slot", s.slots_);
    v.stored("datapath", s.datapath_);  // in waves each Sp shows its lane of them
    v.stored("result", s.result_);
  }

  mutable SpRegisters datapath_;
  mutable SpResult result_;  // the register behind the last stage that computes; the slots are the memory
  std::vector<std::unique_ptr<Sp>> sps_;
  std::array<std::uint64_t, 16> events_{};

 private:
  /// A warp whose stages are not computed one by one.
  struct Resting {
    SpControl control;
    SpLaneOperands operands[kSpGroups];
    SpResult results[kSpGroups];  // once its first group has left the last stage that computes
  };
  /// The last lanes that passed the stages with these control bits.
  struct Passed {
    std::uint64_t number = 0;
    SpControl control;
    SpLaneOperands operands;
  };
  bool is_looked_at() const {
    return traced() || sps_[0]->is_traced() || (may_skip_ && domain() != nullptr && domain()->is_watched());
  }
  /// Sleeps through the even edges now.
  bool skips() const { return may_skip_ && !runs_stages_; }
  void move_twice();
  void catch_up();
  void leave_stages(const PipeStage& last);
  void begin(unsigned number);
  void compute(Resting& warp) const;
  void note_passed(const Resting& warp);
  /// Brings the registers up to date. From here on, until the pipe is empty, each stage computes in its cycle: what the
  /// lanes on their way leave in a register must not be there when those before them are filled in once more.
  void fill_in() const;

  const SpControl& control_of(const isa::Instruction& insn, std::uint32_t pc);

  /// Control bits follow from the instruction alone, so those made last are kept.
  struct Made {
    const isa::Instruction* insn = nullptr;
    SpControl control;
  };
  std::array<Made, 64> made_{};  // by address
  mutable bool runs_stages_ = true;
  bool may_skip_ = false;
  Cycle last_run_ = 0;            // while it skips edges
  std::vector<Resting> resting_;  // by slot
  std::uint64_t num_passed_ = 0;
  mutable std::vector<Passed> passed_;
};

}  // namespace g80
