// SPDX-License-Identifier: Apache-2.0
// rtl/exec/address_unit.sv in the place of hw/exec/address_unit.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "address_unit_pins.h"

namespace g80 {

template <class Model>
class AddressUnitTwin final : public VerilatedTwin<AddressUnit, Model> {
 public:
  static constexpr const char* kDecides = "the address of each lane, and which half-warp leaves";

  AddressUnitTwin(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id, unsigned sm_in_tpc)
      : VerilatedTwin<AddressUnit, Model>(name, config, sm_id, sm_in_tpc) {
    this->strap("cfg_sm_id_i", sm_id);
    this->strap("cfg_sm_in_tpc_i", sm_in_tpc);
    this->strap("cfg_first_warp_i", sm_id * config.sm.max_warps);
    this->strap("cfg_address_cycles_i", this->address_cycles_);
  }

 private:
  void at_edge_by_hand() override {
    if (this->beside() || this->model_.access_push_o == 0) return;
    HalfWarpAccess access;
    from_pin(this->model_.access_o, access);
    this->report_access(access);
  }
  void read_by_hand() override {
    if (this->beside() || this->model_.rst_ni == 0) return;
    if (this->start_i.read().valid) this->start_warp(this->start_i.read());
    AddrIncrement increment;
    from_pin(this->model_.increment_o, increment);
    if (increment.valid) this->report_increment(increment);
  }
};

using AddressUnitRtl = AddressUnitTwin<Vaddress_unit>;

}  // namespace g80
