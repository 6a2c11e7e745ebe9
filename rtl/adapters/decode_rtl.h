// SPDX-License-Identifier: Apache-2.0
// rtl/sm/decode.sv in the place of hw/sm/decode.h.
#pragma once
#include "hw/sm/decode.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vdecode.h"
#include "Vdecode___024root.h"

namespace g80 {

template <class Model>
class DecodeTwin final : public VerilatedTwin<Decode, Model> {
 public:
  static constexpr const char* kDecides = "where instructions begin and which the chip lacks";

  DecodeTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<Decode, Model>(name, config) {
    model_.cfg_arch_i = static_cast<std::uint8_t>(config.device.compute_minor);
    model_.cfg_has_dp_i = config.sm.num_dps != 0;
  }

 private:
  using VerilatedTwin<Decode, Model>::model_;

  void write_pins(Cycle) override {
    to_pin(this->launch_i.read().code_base, model_.launch_code_base_i);
    to_pin(this->reply_i.read(), model_.reply_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->decode__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->decode__DOT__u_observer__DOT__registers, this->d_);
  }
  void drive_pins() override { this->show(model_.decoded_o, this->decoded_o); }
};

using DecodeRtl = DecodeTwin<Vdecode>;

}  // namespace g80
