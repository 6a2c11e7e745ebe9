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
      from_pin(waited_signal_, this->waited_);
      from_pin(loaded_signal_, this->loaded_);
    }
    this->observe();
  }

  const Pin retired_signal_ = this->signal("retired_q"), rows_signal_ = this->signal("rows"),
            waited_signal_ = this->signal("waited"), loaded_signal_ = this->signal("loaded");
};

using WritebackRtl = WritebackTwin<Vwriteback>;

}  // namespace g80
