// SPDX-License-Identifier: Apache-2.0
// The signals inside a twin for waves, events and the shell: <block>.rtl.<signal of the SystemVerilog source>.
//
// They are declared at the first request; without observers the machine does not hold their names.
#pragma once
#include <memory>
#include <string>

#include "hw/common/clocked.h"
#include "rtl/adapters/rtl_trace.h"
#include "tb/twins/low_phase.h"

namespace g80 {

class RtlSignals : public sc_core::sc_module, public Traceable, public LowPhase {
 public:
  const char* trace_name() const override { return name(); }
  void trace_fields(FieldVisitor& visitor) const override;
  bool clock_low(Cycle edge) override;
  const Domain* clock() const override { return block_.domain(); }
  /// The input pins that are not zero, without clock and straps: "start_valid_i = 1, start_warp_i = 3".
  std::string inputs_text() const;
  /// The block has been clocked.
  void clocked() {
    if (traced()) mark_changed();
  }

 protected:
  /// A child of `block`, which is being constructed.
  explicit RtlSignals(const ClockedBase& block) : sc_module(sc_core::sc_module_name("rtl")), block_(block) {}
  /// Has the model declare its signals.
  virtual void connect(RtlTraceFile& file) const = 0;
  /// Sets the pins for `edge` with the clock low and evaluates the model.
  virtual void settle(Cycle edge) = 0;

 private:
  const ClockedBase& block_;
  mutable std::unique_ptr<RtlTrace> trace_;
};

}  // namespace g80
