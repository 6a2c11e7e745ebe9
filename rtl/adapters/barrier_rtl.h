// SPDX-License-Identifier: Apache-2.0
// rtl/sm/barrier.sv in the place of hw/sm/barrier.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "barrier_pins.h"

namespace g80 {

template <class Model>
class BarrierTwin final : public VerilatedTwin<Barrier, Model> {
 public:
  static constexpr const char* kDecides = "when a barrier opens, and for which warps";

  BarrierTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<Barrier, Model>(name, config) {
    if (config.sm.barrier_expected > BarrierExpected::kLaunched) {
      throw ConfigError(fmt::format("sm.barrier_expected = {}: the RTL twin of barrier has no such policy",
                                    to_text(config.sm.barrier_expected)));
    }
    this->strap("cfg_expect_launched_i", config.sm.barrier_expected == BarrierExpected::kLaunched);
  }
};

using BarrierRtl = BarrierTwin<Vbarrier>;

}  // namespace g80
