// SPDX-License-Identifier: Apache-2.0
// rtl/sm/decode.sv in the place of hw/sm/decode.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "decode_pins.h"

namespace g80 {

template <class Model>
class DecodeTwin final : public VerilatedTwin<Decode, Model> {
 public:
  static constexpr const char* kDecides = "where instructions begin and which the chip lacks";

  DecodeTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<Decode, Model>(name, config) {
    this->strap("cfg_arch_i", config.device.compute_minor);
    this->strap("cfg_has_dp_i", config.sm.num_dps != 0);
  }
};

using DecodeRtl = DecodeTwin<Vdecode>;

}  // namespace g80
