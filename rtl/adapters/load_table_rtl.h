// SPDX-License-Identifier: Apache-2.0
// rtl/sm/load_table.sv in the place of hw/sm/load_table.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "load_table_pins.h"

namespace g80 {

template <class Model>
class LoadTableTwin final : public VerilatedTwin<LoadTable, Model> {
 public:
  static constexpr const char* kDecides = "which bytes of a reply a lane gets, and when a load is complete";

  LoadTableTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<LoadTable, Model>(name, config) {
    this->draws_what_the_chip_has();
    this->strap("cfg_stages_i", this->way_back_.stages());
  }
};

using LoadTableRtl = LoadTableTwin<Vload_table>;

}  // namespace g80
