// SPDX-License-Identifier: Apache-2.0
// rtl/sm/operand_collector.sv in the place of hw/sm/operand_collector.h.
#pragma once
#include "hw/sm/operand_collector.h"
#include "rtl/adapters/verilated_twin.h"

#include "Voperand_collector.h"
#include "Voperand_collector___024root.h"

namespace g80 {

template <class Model>
class OperandCollectorTwin final : public VerilatedTwin<OperandCollector, Model> {
 public:
  static constexpr const char* kDecides = "which instructions leave for their unit, and with which operands";

  OperandCollectorTwin(const sc_core::sc_module_name& name, const Config& config, unsigned tpc, unsigned sm_in_tpc)
      : VerilatedTwin<OperandCollector, Model>(name, config, tpc, sm_in_tpc) {
    const auto log2_lanes = [](Cycle cycles) {  // that leave in a scheduler cycle; without the unit it does not matter
      return static_cast<std::uint8_t>(cycles == 0 ? 0 : __builtin_ctz(kSchedulerPeriod * kWarpSize / cycles));
    };
    model_.cfg_place_i = static_cast<std::uint16_t>(tpc << 4 | sm_in_tpc);
    model_.cfg_log2_sfu_lanes_i = log2_lanes(this->sfu_cycles_);
    model_.cfg_log2_multiply_lanes_i = log2_lanes(this->multiply_cycles_);
    model_.cfg_log2_dp_lanes_i = log2_lanes(this->dp_cycles_);
    model_.cfg_shared_parts_i = static_cast<std::uint8_t>((this->shared_operand_cycles_ + 1) / kSchedulerPeriod);
    model_.cfg_const_stages_i = static_cast<std::uint8_t>(this->const_way_.stages());
  }

 private:
  using VerilatedTwin<OperandCollector, Model>::model_;

  void write_pins(Cycle edge) override {
    model_.clock_i = static_cast<std::uint32_t>(edge);
    to_pin(this->issue_i.read(), model_.issue_i);
    to_pin(this->masks_i.read(), model_.masks_i);
    model_.reading_i = this->reading_i.read();
    model_.read_banks_i = this->read_banks_i.read();
    for (std::uint32_t rest = this->read_banks_i.read(); rest != 0; rest &= rest - 1) {
      const auto bank = static_cast<unsigned>(__builtin_ctz(rest));
      to_element(this->read_i[bank].read(), bank, model_.read_i);
    }
    to_pin(this->side_i.read(), model_.side_i);
    to_pin(this->smem_i.read(), model_.smem_i);
    to_pin(this->const_i.read(), model_.const_i);
    model_.freed_i = this->freed_i.read();
    model_.answered_i = this->answered_i.read();
    model_.sfu_dp_results_i = this->sfu_dp_results_i.read();
  }
  void at_edge() override {
    this->sleep_if(model_.rootp->operand_collector__DOT__u_observer__DOT__sleep != 0);
    issued_ = this->q_.issued;
  }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->operand_collector__DOT__u_observer__DOT__registers, this->d_);
    const bool issued = std::exchange(issued_, false);
    if (this->beside() || this->reports_ == nullptr) return;
    for (std::uint32_t rest = this->read_banks_i.read(); rest != 0; rest &= rest - 1)
      this->note_register(this->read_i[static_cast<unsigned>(__builtin_ctz(rest))].read());
    if (issued) this->report_issue(look_into(this->q_.newest));
    const OperandCollectorRegs& d = this->d_;
    if (d.address) {
      from_pin(model_.address_o, this->address_latch_);
      const isa::Unit unit = this->address_latch_.fetched.decoded().unit;
      if (unit == isa::Unit::kMemory || unit == isa::Unit::kTexture) report(this->address_latch_.unit);
    }
    if (d.sp.valid) report(d.sp_port.unit);
    if (d.sfu.valid) report(d.sfu_port.unit);
    if (d.multiply.valid) report(d.multiply_port.unit);
    if (d.dp.valid) report(d.dp_port.unit);
  }
  void report(unsigned index) {
    look_into(index);
    this->report_operands(index);
  }
  /// Fills in a unit as the model has it.
  const typename OperandCollector::Unit& look_into(unsigned index) {
    const auto& root = *model_.rootp;
    auto& unit = this->units_[index];
    from_element(root.operand_collector__DOT__u_observer__DOT__insn, index, unit.fetched);
    unit.warp = static_cast<std::uint8_t>(
        bits_of(root.operand_collector__DOT__u_observer__DOT__warp, 5 * index, 5).words[0] & 31);
    unit.tag.bits = root.operand_collector__DOT__u_observer__DOT__uid[index];
    unit.operands.active = root.operand_collector__DOT__u_observer__DOT__active[index];
    unit.operands.lanes = root.operand_collector__DOT__u_observer__DOT__lanes[index];
    for (unsigned number = 0; number < kOperandWords; ++number)
      from_element(root.operand_collector__DOT__u_observer__DOT__word, index * kOperandWords + number,
                   unit.operands.word(number));
    return unit;
  }
  /// Of the registers behind the constant cache, those that this chip has.
  PackedBits inside() const override {
    const unsigned queue = 6 + packed_width<typename OperandCollector::AddressJob>();
    return bits_of(model_.rootp->operand_collector__DOT__u_observer__DOT__drawn, 0,
                   queue + this->const_way_.stages() * packed_width<ConstReply>());
  }
  void drive_pins() override {
    this->show(model_.unit_o, this->unit_o);
    this->show(model_.sp_o, this->sp_o);
    this->show(model_.sfu_o, this->sfu_o);
    this->show(model_.multiply_o, this->multiply_o);
    this->show(model_.dp_o, this->dp_o);
    this->show(model_.address_o, this->address_o);
    this->show(model_.sp_operands_o, this->sp_operands_o);
    this->show(model_.sfu_operands_o, this->sfu_operands_o);
    this->show(model_.multiply_operands_o, this->multiply_operands_o);
    this->show(model_.dp_operands_o, this->dp_operands_o);
    this->show(model_.address_operands_o, this->address_operands_o);
    this->show(model_.control_o, this->control_o);
    this->show(model_.credit_o, this->credit_o);
    this->show(model_.fault_o, this->fault_o);
  }

  bool issued_ = false;  // the instruction whose $c and $a arrive at this edge
};

using OperandCollectorRtl = OperandCollectorTwin<Voperand_collector>;

}  // namespace g80
