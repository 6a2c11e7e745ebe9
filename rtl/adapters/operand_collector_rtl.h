// SPDX-License-Identifier: Apache-2.0
// rtl/sm/operand_collector.sv in the place of hw/sm/operand_collector.h.
#pragma once
#include "hw/common/delay_registers.h"
#include "rtl/adapters/verilated_twin.h"

#include "operand_collector_pins.h"

namespace g80 {

template <class Model>
class OperandCollectorTwin final : public VerilatedTwin<OperandCollector, Model> {
 public:
  static constexpr const char* kDecides = "which instructions leave for their unit, and with which operands";

  OperandCollectorTwin(const sc_core::sc_module_name& name, const Config& config, unsigned tpc, unsigned sm_in_tpc)
      : VerilatedTwin<OperandCollector, Model>(name, config, tpc, sm_in_tpc) {
    this->draws_what_the_chip_has();
    const auto log2_lanes = [](Cycle cycles) {  // that leave in a scheduler cycle; without the unit it does not matter
      return static_cast<std::uint8_t>(cycles == 0 ? 0 : __builtin_ctz(kSchedulerPeriod * kWarpSize / cycles));
    };
    this->strap("cfg_place_i", tpc << 4 | sm_in_tpc);
    this->strap("cfg_log2_sfu_lanes_i", log2_lanes(this->sfu_cycles_));
    this->strap("cfg_log2_multiply_lanes_i", log2_lanes(this->multiply_cycles_));
    this->strap("cfg_log2_dp_lanes_i", log2_lanes(this->dp_cycles_));
    this->strap("cfg_shared_parts_i", (this->shared_operand_cycles_ + 1) / kSchedulerPeriod);
    this->strap("cfg_const_stages_i", this->const_way_.stages());
  }

 private:
  using VerilatedTwin<OperandCollector, Model>::model_;

  /// Of the registers that the banks have read, those that are new: the others keep what they had.
  void write_by_hand() override {
    for (std::uint32_t rest = this->read_banks_i.read(); rest != 0; rest &= rest - 1) {
      const auto bank = static_cast<unsigned>(__builtin_ctz(rest));
      to_element(this->read_i[bank].read(), bank, read_);
    }
  }
  void at_edge_by_hand() override { issued_ = this->q_.issued; }
  void read_by_hand() override {
    const bool issued = std::exchange(issued_, false);
    if (this->beside() || this->reports_ == nullptr) return;
    for (std::uint32_t rest = this->read_banks_i.read(); rest != 0; rest &= rest - 1)
      this->note_register(this->read_i[static_cast<unsigned>(__builtin_ctz(rest))].read());
    if (issued) this->report_issue(look_into(this->q_.newest));
    const OperandCollectorRegs& d = this->d_;
    if (d.address) {
      const isa::Unit unit = look_into(d.access.unit).fetched.decoded().unit;
      if (unit == isa::Unit::kMemory || unit == isa::Unit::kTexture) report(d.access.unit);
    }
    for (const PortState* port : {&d.sp_port, &d.sfu_port, &d.multiply_port, &d.dp_port}) {
      if (port->begins()) report(port->unit);
    }
  }
  void report(unsigned index) {
    look_into(index);
    this->report_operands(index);
  }
  /// Fills in a unit as the model has it.
  const typename OperandCollector::Unit& look_into(unsigned index) {
    auto& unit = this->units_[index];
    from_element(insn_signal_, index, unit.fetched);
    unit.warp = static_cast<std::uint8_t>(bits_of(warp_signal_, 5 * index, 5).words[0] & 31);
    unit.tag.bits = bits_of(uid_signal_, 32 * index, 32).words[0];
    unit.operands.active = bits_of(active_signal_, 32 * index, 32).words[0];
    unit.operands.lanes = bits_of(lanes_signal_, 32 * index, 32).words[0];
    OperandSet& ops = unit.operands;
    ops.uniform = static_cast<std::uint8_t>(bits_of(uniform_signal_, 3 * index, 3).words[0] & 7);
    ops.scalar = bits_of(scalar_signal_, 32 * index, 32).words[0];
    ops.numbered = (bits_of(numbered_signal_, index, 1).words[0] & 1) != 0;
    for (unsigned slot = 0; slot < kHighWords; ++slot)
      from_element(word_signal_, index * kHighWords + slot, ops.source[slot]);
    for (unsigned i = 0; i < this->wide_.size(); ++i) from_element(wide_word_signal_, i, this->wide_[i]);
    return unit;
  }

  const Pin read_ = this->pin_by_hand("read_i");
  bool issued_ = false;  // the instruction whose $c and $a arrive at this edge

  const Pin insn_signal_ = this->signal("insn"), warp_signal_ = this->signal("warp"), uid_signal_ = this->signal("uid"),
            active_signal_ = this->signal("active"), lanes_signal_ = this->signal("lanes"),
            word_signal_ = this->signal("word"), wide_word_signal_ = this->signal("wide_word"),
            uniform_signal_ = this->signal("uniform"), scalar_signal_ = this->signal("scalar"),
            numbered_signal_ = this->signal("numbered");
};

using OperandCollectorRtl = OperandCollectorTwin<Voperand_collector>;

}  // namespace g80
