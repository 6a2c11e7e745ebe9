// SPDX-License-Identifier: Apache-2.0
// rtl/smem/bank_conflict.sv in the place of hw/smem/bank_conflict.h.
#pragma once
#include "hw/bundles/retirement_port.h"
#include "hw/smem/bank_conflict.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vbank_conflict.h"
#include "Vbank_conflict___024root.h"

namespace g80 {

template <class Model>
class BankConflictTwin final : public VerilatedTwin<BankConflict, Model> {
 public:
  static constexpr const char* kDecides = "passes of a half-warp's access to s[]";

  BankConflictTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<BankConflict, Model>(name, config) {
    model_.cfg_pass_interval_i = smem_pass_interval(config);
  }

 private:
  using VerilatedTwin<BankConflict, Model>::model_;

  void write_pins(Cycle) override { to_pin(this->request_i.read(), model_.request_i); }
  void at_edge() override { this->sleep_if(model_.rootp->bank_conflict__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    const auto& root = *model_.rootp;
    const std::uint64_t conflicts = this->counters_.conflicts;
    this->take_pin("registers", root.bank_conflict__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", root.bank_conflict__DOT__u_observer__DOT__counters_q, this->counters_);
    if (this->reports_ != nullptr && this->counters_.conflicts > conflicts)
      this->reports_->at(this->edge()).conflict.add().pc = this->d_.pass.request.origin.pc;
  }
  PackedBits inside() const override { return model_.rootp->bank_conflict__DOT__u_observer__DOT__queue; }
  void drive_pins() override {
    this->show(model_.request_ready_o, this->request_ready_o);
    this->show(model_.pass_o, this->pass_o);
    this->show(model_.replay_o, this->replay_o);
  }
};

using BankConflictRtl = BankConflictTwin<Vbank_conflict>;

}  // namespace g80
