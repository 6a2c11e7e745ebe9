// SPDX-License-Identifier: Apache-2.0
// rtl/smem/bank_conflict.sv in the place of hw/smem/bank_conflict.h.
#pragma once
#include "hw/bundles/retirement_port.h"
#include "rtl/adapters/verilated_twin.h"

#include "bank_conflict_pins.h"

namespace g80 {

template <class Model>
class BankConflictTwin final : public VerilatedTwin<BankConflict, Model> {
 public:
  static constexpr const char* kDecides = "passes of a half-warp's access to s[]";

  BankConflictTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<BankConflict, Model>(name, config) {
    this->strap("cfg_pass_interval_i", smem_pass_interval(config));
  }

 private:
  void at_edge_by_hand() override { conflicts_ = this->counters_.conflicts; }
  void read_by_hand() override {
    if (!this->beside() && this->reports_ != nullptr && this->counters_.conflicts > conflicts_)
      this->reports_->at(this->edge()).conflict.add().pc = this->d_.pass.request.origin.pc;
  }

  std::uint64_t conflicts_ = 0;  // before the edge
};

using BankConflictRtl = BankConflictTwin<Vbank_conflict>;

}  // namespace g80
