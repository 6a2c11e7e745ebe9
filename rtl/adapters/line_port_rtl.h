// SPDX-License-Identifier: Apache-2.0
// rtl/cache/line_port.sv in the place of hw/cache/line_port.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "line_port_pins.h"

namespace g80 {

template <class Model>
class LinePortTwin final : public VerilatedTwin<LinePort, Model> {
 public:
  static constexpr const char* kDecides = "which cache's miss goes to the second level";

  LinePortTwin(const sc_core::sc_module_name& name, unsigned tpc, unsigned sm_in_tpc)
      : VerilatedTwin<LinePort, Model>(name, tpc, sm_in_tpc) {
    this->strap("cfg_tpc_i", tpc);
    this->strap("cfg_sm_in_tpc_i", sm_in_tpc);
  }
};

using LinePortRtl = LinePortTwin<Vline_port>;

}  // namespace g80
