// SPDX-License-Identifier: Apache-2.0
// rtl/mem/coalescer.sv in the place of hw/mem/coalescer.h.
#pragma once
#include "hw/bundles/pc_profile.h"
#include "hw/mem/coalescer.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vcoalescer.h"
#include "Vcoalescer___024root.h"

namespace g80 {

template <class Model>
class CoalescerTwin final : public VerilatedTwin<Coalescer, Model> {
 public:
  static constexpr const char* kDecides = "memory transactions of a half-warp";

  CoalescerTwin(const sc_core::sc_module_name& name, const Config& config, unsigned tpc, unsigned sm_in_tpc)
      : VerilatedTwin<Coalescer, Model>(name, config, tpc, sm_in_tpc) {
    model_.cfg_segment_rule_i = config.coalescer.segment_rule;
    model_.cfg_share_words_i = config.coalescer.share_words;
    model_.cfg_cycles_per_transaction_i = static_cast<std::uint8_t>(config.coalescer.cycles_per_transaction);
    model_.cfg_queue_i = static_cast<std::uint8_t>(config.coalescer.queue);
    model_.cfg_tpc_i = static_cast<std::uint8_t>(tpc);
    model_.cfg_sm_in_tpc_i = static_cast<std::uint8_t>(sm_in_tpc);
  }

 private:
  using VerilatedTwin<Coalescer, Model>::model_;

  void write_pins(Cycle edge) override {
    model_.request_ready_i = this->request_ready_i.read();
    model_.access_valid_i = this->access_i->available_at(edge);
    if (model_.access_valid_i == 0) return;  // access_i does not count
    front_pc_ = this->access_i->front().origin.pc;
    to_pin(this->access_i->front(), model_.access_i);
  }
  void at_edge() override {
    this->pop(model_.access_pop_o != 0, this->access_i);
    this->sleep_if(model_.rootp->coalescer__DOT__u_observer__DOT__sleep != 0);
  }
  void read_pins() override {
    const auto& root = *model_.rootp;
    this->take_pin("registers", root.coalescer__DOT__u_observer__DOT__registers, this->d_);
    const std::uint64_t transactions = this->counters_.transactions;
    this->take_pin("counters", root.coalescer__DOT__u_observer__DOT__counters_q, this->counters_);
    if (this->profile_ != nullptr && this->counters_.transactions > transactions)
      this->profile_->transaction(front_pc_);
  }
  void drive_pins() override {
    this->show(model_.request_o, this->request_o);
    this->show(model_.idle_o, this->idle_o);
  }

  std::uint32_t front_pc_ = 0;  // of the access that a transaction is made for
};

using CoalescerRtl = CoalescerTwin<Vcoalescer>;

}  // namespace g80
