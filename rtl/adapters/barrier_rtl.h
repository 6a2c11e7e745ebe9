// SPDX-License-Identifier: Apache-2.0
// rtl/sm/barrier.sv in the place of hw/sm/barrier.h.
#pragma once
#include "hw/sm/barrier.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vbarrier.h"
#include "Vbarrier___024root.h"

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
    model_.cfg_expect_launched_i = config.sm.barrier_expected == BarrierExpected::kLaunched;
  }

 private:
  using VerilatedTwin<Barrier, Model>::model_;

  void write_pins(Cycle) override {
    to_pin(this->start_i.read(), model_.start_i);
    to_pin(this->arrival_i.read(), model_.arrival_i);
    to_pin(this->resolve_i.read(), model_.resolve_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->barrier__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->barrier__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", model_.rootp->barrier__DOT__u_observer__DOT__counters_q, this->counters_);
  }
  void drive_pins() override {
    this->show(model_.opened_o, this->opened_o);
    this->show(model_.waiting_o, this->waiting_o);
  }
};

using BarrierRtl = BarrierTwin<Vbarrier>;

}  // namespace g80
