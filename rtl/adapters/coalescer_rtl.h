// SPDX-License-Identifier: Apache-2.0
// rtl/mem/coalescer.sv in the place of hw/mem/coalescer.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "coalescer_pins.h"

namespace g80 {

template <class Model>
class CoalescerTwin final : public VerilatedTwin<Coalescer, Model> {
 public:
  static constexpr const char* kDecides = "memory transactions of a half-warp";

  CoalescerTwin(const sc_core::sc_module_name& name, const Config& config, unsigned tpc, unsigned sm_in_tpc)
      : VerilatedTwin<Coalescer, Model>(name, config, tpc, sm_in_tpc) {
    this->strap("cfg_segment_rule_i", config.coalescer.segment_rule);
    this->strap("cfg_share_words_i", config.coalescer.share_words);
    this->strap("cfg_cycles_per_transaction_i", config.coalescer.cycles_per_transaction);
    this->strap("cfg_queue_i", config.coalescer.queue);
    this->strap("cfg_tpc_i", tpc);
    this->strap("cfg_sm_in_tpc_i", sm_in_tpc);
  }

 private:
  void at_edge_by_hand() override {
    transactions_ = this->counters_.transactions;
    if (this->access_i->available()) front_pc_ = this->access_i->front().origin.pc;
  }
  void read_by_hand() override {
    if (!this->beside() && this->profile_ != nullptr && this->counters_.transactions > transactions_)
      this->profile_->transaction(front_pc_);
  }

  std::uint64_t transactions_ = 0;  // before the edge
  std::uint32_t front_pc_ = 0;      // of the access that a transaction is made for
};

using CoalescerRtl = CoalescerTwin<Vcoalescer>;

}  // namespace g80
