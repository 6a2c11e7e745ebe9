// SPDX-License-Identifier: Apache-2.0
// rtl/sm/instruction_buffer.sv in the place of hw/sm/instruction_buffer.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "instruction_buffer_pins.h"

namespace g80 {

template <class Model>
class InstructionBufferTwin final : public VerilatedTwin<InstructionBuffer, Model> {
 public:
  static constexpr const char* kDecides = "the order of a warp's instructions, and the number of each issue";

  InstructionBufferTwin(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id)
      : VerilatedTwin<InstructionBuffer, Model>(name, config, sm_id) {
    this->strap("cfg_sm_id_i", sm_id);
    this->strap("cfg_most_with_room_i", this->most_with_room_);
  }
  std::uint32_t head_pc(unsigned warp) const override {
    if (this->beside()) return InstructionBuffer::head_pc(warp);
    const unsigned insn_bits = packed_width<FetchedInstruction>(), count_bits = bits_for(kMaxBufferEntries + 1);
    PackedBits entries = this->inside();
    packed_detail::Unpacker at(entries.words.data(), (count_bits + insn_bits) * warp + insn_bits);
    FetchedInstruction front;
    visit_fields(front, at);
    return front.pc;
  }

 private:
  void read_by_hand() override {
    if (!this->beside() && this->reports_ != nullptr && this->d_.issue.valid)
      this->reports_->at(this->edge()).hand_out.add() = {this->d_.issue.warp, this->d_.issue.fetched.pc};
  }
};

using InstructionBufferRtl = InstructionBufferTwin<Vinstruction_buffer>;

}  // namespace g80
