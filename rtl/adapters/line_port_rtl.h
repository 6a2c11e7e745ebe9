// SPDX-License-Identifier: Apache-2.0
// rtl/cache/line_port.sv in the place of hw/cache/line_port.h.
#pragma once
#include "hw/cache/line_port.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vline_port.h"
#include "Vline_port___024root.h"

namespace g80 {

template <class Model>
class LinePortTwin final : public VerilatedTwin<LinePort, Model> {
 public:
  static constexpr const char* kDecides = "which cache's miss goes to the second level";

  LinePortTwin(const sc_core::sc_module_name& name, unsigned tpc, unsigned sm_in_tpc)
      : VerilatedTwin<LinePort, Model>(name, tpc, sm_in_tpc) {
    model_.cfg_tpc_i = static_cast<std::uint8_t>(tpc);
    model_.cfg_sm_in_tpc_i = static_cast<std::uint8_t>(sm_in_tpc);
  }

 private:
  using VerilatedTwin<LinePort, Model>::model_;

  void write_pins(Cycle edge) override {
    to_pin(this->instruction_i.read(), model_.instruction_i);
    to_pin(this->instruction_fill_ready_i.read(), model_.instruction_fill_ready_i);
    to_pin(this->constant_i.read(), model_.constant_i);
    to_pin(this->constant_fill_ready_i.read(), model_.constant_fill_ready_i);
    model_.line_room_i = this->line_o->can_push_at(edge);
    model_.line_valid_i = this->line_i->available_at(edge);
    if (model_.line_valid_i != 0) to_pin(this->line_i->front(), model_.line_i);
  }
  void at_edge() override {
    this->push(this->line_o->can_push() && model_.line_push_o != 0, model_.line_o, this->line_o);
    this->pop(model_.line_pop_o != 0, this->line_i);
    this->sleep_if(model_.rootp->line_port__DOT__u_observer__DOT__sleep != 0);
  }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->line_port__DOT__u_observer__DOT__registers, this->d_);
  }
  PackedBits inside() const override { return model_.rootp->line_port__DOT__u_observer__DOT__queues; }
  void drive_pins() override {
    this->show(model_.instruction_ready_o, this->instruction_ready_o);
    this->show(model_.instruction_fill_o, this->instruction_fill_o);
    this->show(model_.constant_ready_o, this->constant_ready_o);
    this->show(model_.constant_fill_o, this->constant_fill_o);
  }
};

using LinePortRtl = LinePortTwin<Vline_port>;

}  // namespace g80
