// SPDX-License-Identifier: Apache-2.0
// rtl/sm/cta_launcher.sv in the place of hw/sm/cta_launcher.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "cta_launcher_pins.h"

namespace g80 {

template <class Model>
class CtaLauncherTwin final : public VerilatedTwin<CtaLauncher, Model> {
 public:
  static constexpr const char* kDecides = "when a block's warps start, and when it is over";

  CtaLauncherTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<CtaLauncher, Model>(name, config) {
    this->strap("cfg_max_warps_i", config.sm.max_warps);
    this->strap("cfg_max_ctas_i", config.sm.max_ctas);
    this->strap("cfg_granule_mask_i", config.sm.shared_granule - 1);
    this->strap("cfg_words_i", config.sm.launch_words);
    this->strap("cfg_lanes_i", config.sm.launch_lanes);
  }

 private:
  void read_by_hand() override {
    if (!this->beside()) this->observe();
  }
};

using CtaLauncherRtl = CtaLauncherTwin<Vcta_launcher>;

}  // namespace g80
