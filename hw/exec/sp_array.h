// SPDX-License-Identifier: Apache-2.0
// The eight scalar processors of an SM: integer, logic, compare, conversion and fp32 add, multiply, multiply-add.
//
// A warp enters as four groups of eight lanes on four consecutive shader cycles. `Sp` is one processor: it shows, for
// each of its pipeline stages, the warp, lane and result passing through, and has no process of its own.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "hw/exec/exec_pipe.h"

namespace g80 {

class SpArray;

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

  sc_core::sc_in<SpLanes> operands_i{"operands_i"};

  /// How often a warp executed pmevent, by the number of the event: what the profiler's triggers count.
  const std::array<std::uint64_t, 16>& events() const { return events_; }

 protected:
  void enter(ExecSlot& slot, unsigned first, unsigned from) override;
  void drive() override;
  std::vector<std::unique_ptr<Sp>> sps_;
  std::array<std::uint64_t, 16> events_{};
};

}  // namespace g80
