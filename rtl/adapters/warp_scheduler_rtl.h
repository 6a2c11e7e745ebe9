// SPDX-License-Identifier: Apache-2.0
// rtl/sm/warp_scheduler.sv in the place of hw/sm/warp_scheduler.h.
#pragma once
#include "hw/config/pipeline_depth.h"
#include "rtl/adapters/verilated_twin.h"

#include "warp_scheduler_pins.h"

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
    this->strap("cfg_policy_i", static_cast<std::uint64_t>(config.sm.scheduler));
    this->strap("cfg_collector_units_i", config.sm.collector_units);
    this->strap("cfg_memory_units_i", memory_collector_limit(config));
    this->strap("cfg_load_entries_i", config.sm.load_table_entries);
    this->strap("cfg_sfu_cycles_i", sfu_occupancy(config));
    this->strap("cfg_multiply_cycles_i", multiply_occupancy(config));
    this->strap("cfg_shared_cycles_i", config.sm.shared_operand_cycles);
    this->strap("cfg_dp_cycles_i", dp_occupancy(config));
    this->strap("cfg_control_cycles_i", config.sm.control_cycles);
    this->strap("cfg_replay_cycles_i", config.sm.replay_cycles);
  }

 private:
  void read_by_hand() override {
    if (this->beside()) return;  // the block charges its account itself
    if (this->model_.rst_ni != 0) {
      this->account_.charge(this->edge(), this->d_.pick, this->ready_i.read(), this->q_.hidden);
    } else {
      this->account_.reset();
    }
  }
};

using WarpSchedulerRtl = WarpSchedulerTwin<Vwarp_scheduler>;

}  // namespace g80
