// SPDX-License-Identifier: Apache-2.0
// rtl/smem/bank_conflict.sv behind the ports of hw/smem/bank_conflict.h.
#pragma once
#include "hw/bundles/pc_profile.h"
#include "hw/smem/bank_conflict.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vbank_conflict.h"
#include "Vbank_conflict___024root.h"

namespace g80 {

template <class Model>
class BankConflictTwin final : public VerilatedTwin<BankConflictPorts, Model> {
 public:
  BankConflictTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<BankConflictPorts, Model>(name) {
    model_.cfg_pass_interval_i = smem_pass_interval(config);
  }

 private:
  using VerilatedTwin<BankConflictPorts, Model>::model_;

  void write_pins(Cycle) override {
    const SmemRequest& request = this->request_i.read();
    model_.request_valid_i = request.valid;
    if (!request.valid) return;  // the other pins mean nothing
    model_.request_write_i = request.write;
    model_.request_lock_i = request.lock;
    model_.request_unit_i = request.unit;
    model_.request_half_i = request.half;
    model_.request_bytes_i = request.bytes;
    model_.request_sign_extend_i = request.sign_extend;
    model_.request_lanes_i = request.lanes;
    model_.request_origin_uid_i = request.origin.tag.bits;
    model_.request_origin_sm_i = request.origin.sm;
    model_.request_origin_warp_i = request.origin.warp;
    model_.request_origin_pc_i = request.origin.pc;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      model_.request_address_i[l] = request.address[l];
      model_.request_data_i[l] = request.data[l];
    }
  }

  void at_edge() override {
    if (model_.sleep_o != 0) this->sleep();
  }

  void read_pins() override {
    const auto& root = *model_.rootp;
    this->d_.pending = root.bank_conflict__DOT__pending_q;
    this->d_.ready = model_.request_ready_o;
    this->d_.wait = root.bank_conflict__DOT__wait_q;
    SmemPass& pass = this->d_.pass;
    pass.valid = model_.pass_valid_o;
    pass.last = model_.pass_last_o;
    pass.lanes = model_.pass_lanes_o;
    pass.request.valid = model_.pass_request_valid_o;
    pass.request.write = model_.pass_request_write_o;
    pass.request.lock = model_.pass_request_lock_o;
    pass.request.unit = model_.pass_request_unit_o;
    pass.request.half = model_.pass_request_half_o;
    pass.request.bytes = model_.pass_request_bytes_o;
    pass.request.sign_extend = model_.pass_request_sign_extend_o;
    pass.request.lanes = model_.pass_request_lanes_o;
    pass.request.origin.tag.bits = model_.pass_request_origin_uid_o;
    pass.request.origin.sm = model_.pass_request_origin_sm_o;
    pass.request.origin.warp = model_.pass_request_origin_warp_o;
    pass.request.origin.pc = model_.pass_request_origin_pc_o;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      pass.request.address[l] = model_.pass_request_address_o[l];
      pass.request.data[l] = model_.pass_request_data_o[l];
    }
    const std::uint64_t conflicts = this->counters_.conflicts;
    CounterPins counters{&root.bank_conflict__DOT__counter_q[0]};
    BankConflictPorts::Counters::visit(this->counters_, counters);
    if (this->profile_ != nullptr && this->counters_.conflicts > conflicts)
      this->profile_->conflict(pass.request.origin.pc);
  }
};

extern template class BankConflictTwin<Vbank_conflict>;
using BankConflictRtl = BankConflictTwin<Vbank_conflict>;

}  // namespace g80
