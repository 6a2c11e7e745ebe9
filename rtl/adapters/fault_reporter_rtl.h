// SPDX-License-Identifier: Apache-2.0
// rtl/sm/fault_reporter.sv in the place of hw/sm/fault_reporter.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "fault_reporter_pins.h"

namespace g80 {

template <class Model>
class FaultReporterTwin final : public VerilatedTwin<FaultReporter, Model> {
 public:
  static constexpr const char* kDecides = "the fault that ends a grid";

  FaultReporterTwin(const sc_core::sc_module_name& name, unsigned sm_id)
      : VerilatedTwin<FaultReporter, Model>(name, sm_id) {
    this->strap("cfg_sm_id_i", sm_id);
  }
};

using FaultReporterRtl = FaultReporterTwin<Vfault_reporter>;

}  // namespace g80
