// SPDX-License-Identifier: Apache-2.0
// rtl/sm/writeback.sv in the place of hw/sm/writeback.h.
#pragma once
#include "hw/sm/writeback.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vwriteback.h"
#include "Vwriteback___024root.h"

namespace g80 {

template <class Model>
class WritebackTwin final : public VerilatedTwin<Writeback, Model> {
 public:
  static constexpr const char* kDecides = "when results are written, and what is released";

  WritebackTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<Writeback, Model>(name, config) {
    const auto log2_lanes = [this](ExecUnit unit) {
      const unsigned lanes = this->unit_lanes_[unit_number(unit)];
      return static_cast<std::uint8_t>(lanes == 0 ? 0 : __builtin_ctz(lanes));  // without the unit it does not matter
    };
    model_.cfg_num_banks_i = static_cast<std::uint8_t>(this->num_banks_);
    model_.cfg_log2_sfu_lanes_i = log2_lanes(ExecUnit::kSfu);
    model_.cfg_log2_multiply_lanes_i = log2_lanes(ExecUnit::kMultiply);
    model_.cfg_log2_dp_lanes_i = log2_lanes(ExecUnit::kDp);
  }

 private:
  using VerilatedTwin<Writeback, Model>::model_;

  void write_pins(Cycle) override {
    to_pin(this->ahead_i[unit_number(ExecUnit::kSp)].read(), model_.sp_ahead_i);
    to_pin(this->ahead_i[unit_number(ExecUnit::kSfu)].read(), model_.sfu_ahead_i);
    to_pin(this->ahead_i[unit_number(ExecUnit::kMultiply)].read(), model_.multiply_ahead_i);
    to_pin(this->ahead_i[unit_number(ExecUnit::kDp)].read(), model_.dp_ahead_i);
    to_pin(this->result_i[unit_number(ExecUnit::kSp)].read(), model_.sp_result_i);
    to_pin(this->result_i[unit_number(ExecUnit::kSfu)].read(), model_.sfu_result_i);
    to_pin(this->result_i[unit_number(ExecUnit::kMultiply)].read(), model_.multiply_result_i);
    to_pin(this->result_i[unit_number(ExecUnit::kDp)].read(), model_.dp_result_i);
    to_pin(this->load_i.read(), model_.load_i);
    to_pin(this->store_i.read(), model_.store_i);
    to_pin(this->control_i.read(), model_.control_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->writeback__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    const auto& root = *model_.rootp;
    this->take_pin("registers", root.writeback__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", root.writeback__DOT__u_observer__DOT__counters_q, this->counters_);
    if (this->beside()) return;
    if (this->reports_ != nullptr) {
      from_pin(root.writeback__DOT__u_observer__DOT__retired_q, this->retired_);
      for (unsigned i = 0; i < kExecUnits; ++i)
        from_element(root.writeback__DOT__u_observer__DOT__rows, i, this->rows_[i]);
      from_pin(root.writeback__DOT__u_observer__DOT__waited, this->waited_);
      from_pin(root.writeback__DOT__u_observer__DOT__loaded, this->loaded_);
    }
    this->observe();
  }
  PackedBits inside() const override { return model_.rootp->writeback__DOT__u_observer__DOT__queues; }
  void drive_pins() override {
    this->show(model_.release_o, this->release_o);
    this->show(model_.load_rows_o, this->load_rows_o);
    this->show(model_.sfu_dp_results_o, this->sfu_dp_results_o);
    this->show(model_.busy_banks_o, this->busy_banks_o);
    this->show(model_.written_banks_o, this->written_banks_o);
    for (unsigned bank = 0; bank < this->num_banks_; ++bank)
      this->show_element(model_.write_o, bank, this->write_o[bank]);
    for (unsigned i = 0; i < kFlagWrites; ++i) this->show_element(model_.flag_write_o, i, this->flag_write_o[i]);
    this->show(model_.addr_write_o, this->addr_write_o);
  }
};

using WritebackRtl = WritebackTwin<Vwriteback>;

}  // namespace g80
