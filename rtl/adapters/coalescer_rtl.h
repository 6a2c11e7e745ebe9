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
    model_.cfg_cycles_per_transaction_i = static_cast<std::uint8_t>(config.coalescer.cycles_per_transaction);
    model_.cfg_queue_i = static_cast<std::uint8_t>(config.coalescer.queue);
    model_.cfg_tpc_i = static_cast<std::uint8_t>(tpc);
    model_.cfg_sm_in_tpc_i = static_cast<std::uint8_t>(sm_in_tpc);
  }

 private:
  using VerilatedTwin<Coalescer, Model>::model_;

  void write_pins(Cycle edge) override {
    model_.now_i = edge;
    model_.request_ready_i = this->request_ready_i.read();
    model_.access_valid_i = this->access_i->available_at(edge);
    if (!model_.access_valid_i) return;  // the other pins are don't care
    const HalfWarpAccess& access = this->access_i->front();
    front_pc_ = access.origin.pc;
    model_.access_op_i = static_cast<std::uint8_t>(access.op);
    model_.access_client_i = static_cast<std::uint8_t>(access.client);
    model_.access_half_i = access.half;
    model_.access_lanes_i = access.lanes;
    model_.access_bytes_i = access.bytes;
    model_.access_atom_op_i = access.atom_op;
    model_.access_atom_signed_i = access.atom_signed;
    model_.access_id_i = access.id;
    model_.access_origin_uid_i = access.origin.tag.bits;
    model_.access_origin_sm_i = access.origin.sm;
    model_.access_origin_warp_i = access.origin.warp;
    model_.access_origin_pc_i = access.origin.pc;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      model_.access_address_i[l] = access.address[l];
      for (unsigned w = 0; w < 4; ++w) model_.access_data_i[l][w] = access.data[l][w];
    }
  }

  void at_edge() override {
    this->pop(model_.access_pop_o != 0, this->access_i);
    this->sleep_if(model_.sleep_o != 0);
  }

  void read_pins() override {
    const auto& root = *model_.rootp;
    CoalescerRegs registers;
    registers.offered = root.coalescer__DOT__offered_q;
    registers.idle = root.coalescer__DOT__idle_q;
    registers.busy = root.coalescer__DOT__busy_q;
    registers.pending = root.coalescer__DOT__pending_q;
    registers.made = root.coalescer__DOT__made_q;
    registers.free_from = root.coalescer__DOT__free_from_q;
    this->take("registers", registers, this->d_);
    const std::uint64_t transactions = this->counters_.transactions;
    Coalescer::Counters counters;
    CounterPins pins{&root.coalescer__DOT__counter_q[0]};
    visit_fields(counters, pins);
    this->take("counters", counters, this->counters_);
    if (this->profile_ != nullptr && this->counters_.transactions > transactions)
      this->profile_->transaction(front_pc_);
  }

  void drive_pins() override {
    MemRequest request;
    request.valid = model_.request_valid_o;
    request.op = static_cast<MemOp>(model_.request_op_o);
    request.client = static_cast<MemClient>(model_.request_client_o);
    request.port = model_.request_port_o;
    request.sm_in_tpc = model_.request_sm_in_tpc_o;
    request.id = model_.request_id_o;
    request.half = model_.request_half_o;
    request.lanes = model_.request_lanes_o;
    request.bytes = model_.request_bytes_o;
    request.atom_op = model_.request_atom_op_o;
    request.atom_signed = model_.request_atom_signed_o;
    request.atom_bytes = model_.request_atom_bytes_o;
    request.origin.tag.bits = model_.request_origin_uid_o;
    request.origin.sm = model_.request_origin_sm_o;
    request.origin.warp = model_.request_origin_warp_o;
    request.origin.pc = model_.request_origin_pc_o;
    request.virtual_address = model_.request_virtual_address_o;
    for (unsigned i = 0; i < 2; ++i) request.byte_enable[i] = model_.request_byte_enable_o[i];
    for (unsigned i = 0; i < kMaxTransactionBytes / 4; ++i) request.data[i] = model_.request_data_o[i];
    this->show_value(request, this->request_o);
    this->show(model_.idle_o, this->idle_o);
  }

  std::uint32_t front_pc_ = 0;  // of the access that a transaction is made for
};

using CoalescerRtl = CoalescerTwin<Vcoalescer>;

}  // namespace g80
