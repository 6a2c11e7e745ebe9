// SPDX-License-Identifier: Apache-2.0
// rtl/sm/writeback.sv in the place of hw/sm/writeback.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "writeback_pins.h"

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
    this->strap("cfg_num_banks_i", this->num_banks_);
    this->strap("cfg_log2_sfu_lanes_i", log2_lanes(ExecUnit::kSfu));
    this->strap("cfg_log2_multiply_lanes_i", log2_lanes(ExecUnit::kMultiply));
    this->strap("cfg_log2_dp_lanes_i", log2_lanes(ExecUnit::kDp));
  }

 private:
  void read_by_hand() override {
    if (this->beside()) return;
    if (this->reports_ != nullptr) {
      from_pin(retired_signal_, this->retired_);
      for (unsigned i = 0; i < kExecUnits; ++i) from_element(rows_signal_, i, this->rows_[i]);
      from_pin(waited_signal_, this->kept_[this->d_.waited_place]);
      from_pin(loaded_signal_, this->load_words_[this->d_.loaded_place]);
    }
    this->observe();
  }

  /// The ports that write: the others keep what they had.
  void show_by_hand() override {
    for (std::uint32_t rest = this->model_.written_ports_o; rest != 0; rest &= rest - 1) {
      const auto port = static_cast<unsigned>(__builtin_ctz(rest));
      RegisterWrite value;
      std::memset(static_cast<void*>(&value), 0, sizeof value);  // padding too: wires compare it
      from_element(write_, port, value);
      this->show(value, this->write_o[port]);
    }
  }

  const Pin write_ = this->pin_by_hand("write_o");
  const Pin retired_signal_ = this->signal("retired_q"), rows_signal_ = this->signal("rows"),
            waited_signal_ = this->signal("waited"), loaded_signal_ = this->signal("loaded");
};

using WritebackRtl = WritebackTwin<Vwriteback>;

}  // namespace g80
