// SPDX-License-Identifier: Apache-2.0
// rtl/sm/warp_scheduler.sv in the place of hw/sm/warp_scheduler.h.
#pragma once
#include <algorithm>

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

  void write_pins(Cycle edge) override {
    model_.now_i = edge;
    const WarpReady& ready = this->ready_i.read();
    model_.ready_resident_i = ready.resident;
    model_.ready_has_head_i = ready.has_head;
    model_.ready_ready_i = ready.ready;
    model_.ready_sfu_i = ready.sfu;
    model_.ready_dp_i = ready.dp;
    model_.ready_memory_i = ready.memory;
    model_.ready_texture_i = ready.texture;
    model_.ready_control_i = ready.control;
    model_.ready_multiply_i = ready.multiply;
    model_.ready_shared_i = ready.shared;
    model_.ready_load_i = ready.load;
    model_.ready_wait_control_i = ready.wait_control;
    model_.ready_wait_barrier_i = ready.wait_barrier;
    model_.ready_wait_memory_i = ready.wait_memory;
    model_.ready_wait_alu_i = ready.wait_alu;
    model_.ready_wait_drain_i = ready.wait_drain;
    const Redirect& start = this->start_i.read();
    model_.start_valid_i = start.valid;
    model_.start_warp_i = start.warp;
    model_.collector_credit_collector_i = this->collector_credit_i.read().collector;
    model_.memory_credit_memory_i = this->memory_credit_i.read().memory;
    model_.load_credit_load_i = this->load_credit_i.read().load;
    model_.replay_i = this->replay_i.read();
  }

  void at_edge() override {
    if (!this->beside() && model_.sleep_o != 0 && model_.wake_valid_o != 0) this->wake_at(model_.wake_edge_o);
    this->sleep_if(model_.sleep_o != 0);
  }

  void read_pins() override {
    const auto& root = *model_.rootp;
    WarpSchedulerRegs registers = this->d_;
    registers.pick.valid = model_.pick_valid_o;
    registers.pick.warp = model_.pick_warp_o;
    registers.pick.to_multipliers = model_.pick_to_multipliers_o;
    registers.pick.stall = static_cast<StallReason>(model_.pick_stall_o);
    registers.hidden = root.warp_scheduler__DOT__hidden_q;
    registers.order.last = root.warp_scheduler__DOT__last_q;
    std::copy_n(&root.warp_scheduler__DOT__age_q[0], kMaxWarps, registers.order.age.begin());
    registers.starts = root.warp_scheduler__DOT__starts_q;
    registers.port_free = root.warp_scheduler__DOT__port_free_q;
    registers.sfu_free = root.warp_scheduler__DOT__sfu_free_q;
    registers.dp_free = root.warp_scheduler__DOT__dp_free_q;
    registers.control_free = root.warp_scheduler__DOT__control_free_q;
    registers.shared_free = root.warp_scheduler__DOT__shared_free_q;
    registers.collector_used = root.warp_scheduler__DOT__collector_used_q;
    registers.memory_used = root.warp_scheduler__DOT__memory_used_q;
    registers.load_used = root.warp_scheduler__DOT__load_used_q;
    this->take("registers", registers, this->d_);
    StallAccount::Counters counters;
    for (unsigned i = 0; i < kNumStallReasons; ++i) counters.stall[i] = root.warp_scheduler__DOT__counter_q[i];
    if (this->beside()) {
      if (this->domain()->in_reset()) return;  // the account counts the edges of the reset only when it ends
      this->compare("counters", this->account_.counters(this->edge()), counters);
    } else {
      this->account_.charge_counted(root.warp_scheduler__DOT__charged_q, counters, this->d_.pick, this->ready_i.read(),
                                    this->q_.hidden);
    }
  }

  void drive_pins() override {
    Pick pick = this->q_.pick;  // padding too: wires compare it
    pick.valid = model_.pick_valid_o;
    pick.warp = model_.pick_warp_o;
    pick.to_multipliers = model_.pick_to_multipliers_o;
    pick.stall = static_cast<StallReason>(model_.pick_stall_o);
    this->show_value(pick, this->pick_o);
  }
};

using WarpSchedulerRtl = WarpSchedulerTwin<Vwarp_scheduler>;

}  // namespace g80
