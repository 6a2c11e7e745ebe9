// SPDX-License-Identifier: Apache-2.0
// rtl/exec/address_unit.sv in the place of hw/exec/address_unit.h.
#pragma once
#include "hw/exec/address_unit.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vaddress_unit.h"
#include "Vaddress_unit___024root.h"

namespace g80 {

template <class Model>
class AddressUnitTwin final : public VerilatedTwin<AddressUnit, Model> {
 public:
  static constexpr const char* kDecides = "the address of each lane, and which half-warp leaves";

  AddressUnitTwin(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id, unsigned sm_in_tpc)
      : VerilatedTwin<AddressUnit, Model>(name, config, sm_id, sm_in_tpc) {
    model_.cfg_sm_id_i = static_cast<std::uint8_t>(sm_id);
    model_.cfg_sm_in_tpc_i = static_cast<std::uint8_t>(sm_in_tpc);
    model_.cfg_first_warp_i = static_cast<std::uint16_t>(sm_id * config.sm.max_warps);
    model_.cfg_address_cycles_i = static_cast<std::uint8_t>(this->address_cycles_);
  }

 private:
  using VerilatedTwin<AddressUnit, Model>::model_;

  void write_pins(Cycle edge) override {
    to_pin(this->launch_i.read(), model_.launch_i);
    to_pin(this->start_i.read(), model_.start_i);
    to_pin(this->dispatch_i.read(), model_.dispatch_i);
    to_pin(this->operands_i.read(), model_.operands_i);
    to_pin(this->stack_i.read(), model_.stack_i);
    to_pin(this->fill_i.read(), model_.fill_i);
    to_pin(this->smem_ready_i.read(), model_.smem_ready_i);
    to_pin(this->smem_stored_i.read(), model_.smem_stored_i);
    to_pin(this->const_ready_i.read(), model_.const_ready_i);
    to_pin(this->load_freed_i.read(), model_.load_freed_i);
    model_.access_room_i = this->access_o->can_push_at(edge);
    model_.access_all_free_i = this->access_o->all_free_at(edge);
    model_.tex_room_i = this->tex_o->can_push_at(edge);
    model_.tex_all_free_i = this->tex_o->all_free_at(edge);
  }
  void at_edge() override {
    if (!this->beside() && model_.access_push_o != 0) {
      HalfWarpAccess access;
      from_pin(model_.access_o, access);
      this->report_access(access);
    }
    this->push(model_.access_push_o != 0, model_.access_o, this->access_o);
    this->push(model_.tex_push_o != 0, model_.tex_o, this->tex_o);
    this->sleep_if(model_.rootp->address_unit__DOT__u_observer__DOT__sleep != 0);
  }
  void read_pins() override {
    const auto& root = *model_.rootp;
    this->take_pin("registers", root.address_unit__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", root.address_unit__DOT__u_observer__DOT__counters_q, this->counters_);
    if (this->beside() || model_.rst_ni == 0) return;
    if (this->start_i.read().valid) this->start_warp(this->start_i.read());
    if (this->d_.increment.valid) this->report_increment(this->d_.increment);
  }
  PackedBits inside() const override { return model_.rootp->address_unit__DOT__u_observer__DOT__queues; }
  void drive_pins() override {
    this->show(model_.smem_o, this->smem_o);
    this->show(model_.const_o, this->const_o);
    this->show(model_.open_o, this->open_o);
    this->show(model_.lanes_o, this->lanes_o);
    this->show(model_.increment_o, this->increment_o);
    this->show(model_.done_o, this->done_o);
    this->show(model_.freed_o, this->freed_o);
    this->show(model_.answered_o, this->answered_o);
    this->show(model_.credit_o, this->credit_o);
    this->show(model_.fault_o, this->fault_o);
    this->show(model_.stack_ready_o, this->stack_ready_o);
    this->show(model_.fill_ready_o, this->fill_ready_o);
    this->show(model_.busy_o, this->busy_o);
  }
};

using AddressUnitRtl = AddressUnitTwin<Vaddress_unit>;

}  // namespace g80
