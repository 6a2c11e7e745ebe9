// SPDX-License-Identifier: Apache-2.0
// rtl/sm/load_table.sv in the place of hw/sm/load_table.h.
#pragma once
#include "hw/sm/load_table.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vload_table.h"
#include "Vload_table___024root.h"

namespace g80 {

template <class Model>
class LoadTableTwin final : public VerilatedTwin<LoadTable, Model> {
 public:
  static constexpr const char* kDecides = "which bytes of a reply a lane gets, and when a load is complete";

  LoadTableTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<LoadTable, Model>(name, config) {
    model_.cfg_stages_i = static_cast<std::uint8_t>(this->way_back_.stages());
  }

 private:
  using VerilatedTwin<LoadTable, Model>::model_;
  using typename LoadTable::Completed;

  void write_pins(Cycle edge) override {
    to_pin(this->open_i.read(), model_.open_i);
    to_pin(this->lanes_i.read(), model_.lanes_i);
    to_pin(this->rows_written_i.read(), model_.rows_written_i);
    model_.reply_valid_i = this->reply_i->available_at(edge);
    if (model_.reply_valid_i != 0) to_pin(this->reply_i->front(), model_.reply_i);
    model_.tex_valid_i = this->tex_i->available_at(edge);
    if (model_.tex_valid_i != 0) to_pin(this->tex_i->front(), model_.tex_i);
  }
  void at_edge() override {
    this->pop(model_.reply_pop_o != 0, this->reply_i);
    this->pop(model_.tex_pop_o != 0, this->tex_i);
    this->sleep_if(model_.rootp->load_table__DOT__u_observer__DOT__sleep != 0);
  }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->load_table__DOT__u_observer__DOT__registers, this->d_);
  }
  /// Of the registers in front of writeback, those that this chip has.
  PackedBits inside() const override {
    const unsigned queue = 7 + 8;
    return bits_of(model_.rootp->load_table__DOT__u_observer__DOT__queues, 0,
                   this->way_back_.stages() * packed_width<Completed>() + queue);
  }
  void drive_pins() override {
    this->show(model_.result_o, this->result_o);
    this->show(model_.freed_o, this->freed_o);
    this->show(model_.stack_o, this->stack_o);
    this->show(model_.credit_o, this->credit_o);
    this->show(model_.fault_o, this->fault_o);
  }
};

using LoadTableRtl = LoadTableTwin<Vload_table>;

}  // namespace g80
