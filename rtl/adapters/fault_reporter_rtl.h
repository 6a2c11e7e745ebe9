// SPDX-License-Identifier: Apache-2.0
// rtl/sm/fault_reporter.sv in the place of hw/sm/fault_reporter.h.
#pragma once
#include "hw/sm/fault_reporter.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vfault_reporter.h"
#include "Vfault_reporter___024root.h"

namespace g80 {

template <class Model>
class FaultReporterTwin final : public VerilatedTwin<FaultReporter, Model> {
 public:
  static constexpr const char* kDecides = "the fault that ends a grid";

  FaultReporterTwin(const sc_core::sc_module_name& name, unsigned sm_id)
      : VerilatedTwin<FaultReporter, Model>(name, sm_id) {
    model_.cfg_sm_id_i = static_cast<std::uint8_t>(sm_id);
  }

 private:
  using VerilatedTwin<FaultReporter, Model>::model_;

  void write_pins(Cycle edge) override {
    to_pin(this->start_i.read(), model_.start_i);
    to_pin(this->stack_i.read(), model_.stack_i);
    to_pin(this->address_i.read(), model_.address_i);
    to_pin(this->load_i.read(), model_.load_i);
    to_pin(this->collector_i.read(), model_.collector_i);
    model_.fault_room_i = this->fault_o->can_push_at(edge);
  }
  void at_edge() override {
    this->push(model_.fault_push_o != 0, model_.fault_o, this->fault_o);
    this->sleep_if(true);
  }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->fault_reporter__DOT__u_observer__DOT__registers, this->d_);
  }
  void drive_pins() override {}
};

using FaultReporterRtl = FaultReporterTwin<Vfault_reporter>;

}  // namespace g80
