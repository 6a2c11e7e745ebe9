// SPDX-License-Identifier: Apache-2.0
// rtl/sm/instruction_buffer.sv in the place of hw/sm/instruction_buffer.h.
#pragma once
#include "hw/sm/instruction_buffer.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vinstruction_buffer.h"
#include "Vinstruction_buffer___024root.h"

namespace g80 {

template <class Model>
class InstructionBufferTwin final : public VerilatedTwin<InstructionBuffer, Model> {
 public:
  static constexpr const char* kDecides = "the order of a warp's instructions, and the number of each issue";

  InstructionBufferTwin(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id)
      : VerilatedTwin<InstructionBuffer, Model>(name, config, sm_id) {
    model_.cfg_sm_id_i = static_cast<std::uint8_t>(sm_id);
    model_.cfg_most_with_room_i = static_cast<std::uint8_t>(this->most_with_room_);
  }

 private:
  using VerilatedTwin<InstructionBuffer, Model>::model_;

  void write_pins(Cycle) override {
    to_pin(this->decoded_i.read(), model_.decoded_i);
    to_pin(this->start_i.read(), model_.start_i);
    to_pin(this->redirect_i.read(), model_.redirect_i);
    to_pin(this->pick_i.read(), model_.pick_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->instruction_buffer__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->instruction_buffer__DOT__u_observer__DOT__registers, this->d_);
    if (!this->beside() && this->reports_ != nullptr && this->d_.issue.valid)
      this->reports_->at(this->edge()).hand_out.add() = {this->d_.issue.warp, this->d_.issue.fetched.pc};
  }
  PackedBits inside() const override { return model_.rootp->instruction_buffer__DOT__u_observer__DOT__entries; }
  void drive_pins() override {
    this->show(model_.issue_o, this->issue_o);
    this->show(model_.level_o, this->level_o);
  }
  std::uint32_t head_pc(unsigned warp) const override {
    if (this->beside()) return InstructionBuffer::head_pc(warp);
    const unsigned insn_bits = packed_width<FetchedInstruction>(), count_bits = bits_for(kMaxBufferEntries + 1);
    PackedBits entries = inside();
    packed_detail::Unpacker at(entries.words.data(), (count_bits + insn_bits) * warp + insn_bits);
    FetchedInstruction front;
    visit_fields(front, at);
    return front.pc;
  }
};

using InstructionBufferRtl = InstructionBufferTwin<Vinstruction_buffer>;

}  // namespace g80
