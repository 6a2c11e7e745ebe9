// SPDX-License-Identifier: Apache-2.0
// The eight scalar processors of an SM: integer, logic, compare, conversion and fp32 add, multiply, multiply-add.
//
// A warp enters as four groups of eight lanes on four consecutive shader cycles. Eight stages compute
// (hw/exec/sp_datapath.h). The result goes from the last one into the memory of results, at the place of its slot and
// group, and rests there until sm.alu_latency is over: the stages behind hold slot and group alone. `Sp` is one of the
// processors: it shows for each of its stages the warp, the lane and what the register holds, or the result, and has no
// process of its own.
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

  /// How often a warp executed pmevent, by the number of the event: what the profiler's triggers count.
  const std::array<std::uint64_t, 16>& events() const { return events_; }
  /// Registers of the stages before the last one that computes; those from it on have results. A twin has its own.
  virtual const SpRegisters& datapath() const { return datapath_; }
  virtual SpResult result(unsigned stage) const;

 protected:
  void enter(ExecSlot& slot, unsigned first, unsigned from) override;
  void advance() override;
  void drive() override;
  void reset() override;
  void keep_result(const PipeStage& stage);
  void mark_sps();
  void visit_members(FieldVisitor& visitor) const override { visit_all(*this, visitor); }
  void visit_members(FieldEditor& editor) override { visit_all(*this, editor); }
  template <class S, class V>
  static void visit_all(S& s, V& v) {
    v.stored("slot", s.slots_);
    v.stored("datapath", s.datapath_);  // in waves each Sp shows its lane of them
    v.stored("result", s.result_);
  }

  SpRegisters datapath_;
  SpResult result_;  // the register behind the last stage that computes; the slots are the memory
  std::vector<std::unique_ptr<Sp>> sps_;
  std::array<std::uint64_t, 16> events_{};
};

}  // namespace g80
