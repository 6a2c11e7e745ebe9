// SPDX-License-Identifier: Apache-2.0
// rtl/sm/warp_scheduler.sv in the place of hw/sm/warp_scheduler.h.
#pragma once
#include "hw/config/pipeline_depth.h"
#include "hw/sm/warp_scheduler.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vwarp_scheduler.h"
#include "Vwarp_scheduler___024root.h"

namespace g80 {

template <class Model>
class WarpSchedulerTwin final : public VerilatedTwin<WarpScheduler, Model> {
 public:
  static constexpr const char* kDecides = "the warp that issues, or the stall reason";

  WarpSchedulerTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<WarpScheduler, Model>(name, config) {
    if (static_cast<std::size_t>(config.sm.scheduler) >= kSchedulerPoliciesOfTheTwin.size()) {
      throw ConfigError(fmt::format("sm.scheduler = {}: the RTL twin of warp_scheduler has no such policy",
                                    to_text(config.sm.scheduler)));
    }
    model_.cfg_policy_i = static_cast<std::uint8_t>(config.sm.scheduler);
    model_.cfg_collector_units_i = static_cast<std::uint8_t>(config.sm.collector_units);
    model_.cfg_memory_units_i = static_cast<std::uint8_t>(memory_collector_limit(config));
    model_.cfg_load_entries_i = static_cast<std::uint8_t>(config.sm.load_table_entries);
    model_.cfg_sfu_cycles_i = static_cast<std::uint8_t>(sfu_occupancy(config));
    model_.cfg_multiply_cycles_i = static_cast<std::uint8_t>(multiply_occupancy(config));
    model_.cfg_shared_cycles_i = static_cast<std::uint8_t>(config.sm.shared_operand_cycles);
    model_.cfg_dp_cycles_i = static_cast<std::uint8_t>(dp_occupancy(config));
    model_.cfg_control_cycles_i = static_cast<std::uint8_t>(config.sm.control_cycles);
    model_.cfg_replay_cycles_i = static_cast<std::uint8_t>(config.sm.replay_cycles);
  }

 private:
  using VerilatedTwin<WarpScheduler, Model>::model_;

  void write_pins(Cycle) override {
    to_pin(this->start_i.read(), model_.start_i);
    to_pin(this->ready_i.read(), model_.ready_i);
    to_pin(this->collector_credit_i.read(), model_.collector_credit_i);
    to_pin(this->memory_credit_i.read(), model_.memory_credit_i);
    to_pin(this->load_credit_i.read(), model_.load_credit_i);
    model_.replay_i = this->replay_i.read();
  }
  void at_edge() override { this->sleep_if(model_.rootp->warp_scheduler__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->warp_scheduler__DOT__u_observer__DOT__registers, this->d_);
    if (this->beside()) return;  // the block charges its account itself
    if (model_.rst_ni != 0) {
      this->account_.charge(this->edge(), this->d_.pick, this->ready_i.read(), this->q_.hidden);
    } else {
      this->account_.reset();
    }
  }
  void drive_pins() override { this->show(model_.pick_o, this->pick_o); }
};

using WarpSchedulerRtl = WarpSchedulerTwin<Vwarp_scheduler>;

}  // namespace g80
