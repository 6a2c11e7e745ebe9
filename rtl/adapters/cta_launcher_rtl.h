// SPDX-License-Identifier: Apache-2.0
// rtl/sm/cta_launcher.sv in the place of hw/sm/cta_launcher.h.
#pragma once
#include "hw/sm/cta_launcher.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vcta_launcher.h"
#include "Vcta_launcher___024root.h"

namespace g80 {

template <class Model>
class CtaLauncherTwin final : public VerilatedTwin<CtaLauncher, Model> {
 public:
  static constexpr const char* kDecides = "when a block's warps start, and when it is over";

  CtaLauncherTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<CtaLauncher, Model>(name, config) {
    model_.cfg_max_warps_i = static_cast<std::uint8_t>(config.sm.max_warps);
    model_.cfg_max_ctas_i = static_cast<std::uint8_t>(config.sm.max_ctas);
    model_.cfg_granule_mask_i = static_cast<std::uint16_t>(config.sm.shared_granule - 1);
    model_.cfg_words_i = static_cast<std::uint8_t>(config.sm.launch_words);
    model_.cfg_lanes_i = static_cast<std::uint8_t>(config.sm.launch_lanes);
  }

 private:
  using VerilatedTwin<CtaLauncher, Model>::model_;

  void write_pins(Cycle edge) override {
    to_pin(this->launch_i.read(), model_.launch_i);
    model_.cta_valid_i = this->cta_i->available_at(edge);
    if (model_.cta_valid_i != 0) to_pin(this->cta_i->front(), model_.cta_i);
    model_.cta_done_room_i = this->cta_done_o->can_push_at(edge);
    to_pin(this->drained_i.read(), model_.drained_i);
    to_pin(this->fetch_waits_i.read(), model_.fetch_waits_i);
    to_pin(this->accesses_busy_i.read(), model_.accesses_busy_i);
    to_pin(this->fill_ready_i.read(), model_.fill_ready_i);
    to_pin(this->numbers_room_i.read(), model_.numbers_room_i);
  }
  void at_edge() override {
    this->pop(model_.cta_pop_o != 0, this->cta_i);
    this->push(model_.cta_done_push_o != 0, model_.cta_done_o, this->cta_done_o);
    this->sleep_if(model_.rootp->cta_launcher__DOT__u_observer__DOT__sleep != 0);
  }
  void read_pins() override {
    const auto& root = *model_.rootp;
    this->take_pin("registers", root.cta_launcher__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", root.cta_launcher__DOT__u_observer__DOT__counters_q, this->counters_);
    if (!this->beside()) this->observe();
  }
  void drive_pins() override {
    this->show(model_.launch_o, this->launch_o);
    this->show(model_.start_o, this->start_o);
    this->show(model_.redirect_o, this->redirect_o);
    this->show(model_.kernel_o, this->kernel_o);
    this->show(model_.ended_o, this->ended_o);
    this->show(model_.smem_start_o, this->smem_start_o);
    this->show(model_.fill_o, this->fill_o);
    this->show(model_.registers_o, this->registers_o);
    this->show(model_.numbers_o, this->numbers_o);
  }
};

using CtaLauncherRtl = CtaLauncherTwin<Vcta_launcher>;

}  // namespace g80
