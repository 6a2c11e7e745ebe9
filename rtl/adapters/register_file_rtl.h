// SPDX-License-Identifier: Apache-2.0
// rtl/sm/register_file.sv in the place of hw/sm/register_file.h.
#pragma once
#include "hw/sm/register_file.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vregister_file.h"
#include "Vregister_file___024root.h"

namespace g80 {

template <class Model>
class RegisterFileTwin final : public VerilatedTwin<RegisterFile, Model> {
 public:
  static constexpr const char* kDecides = "which register each bank reads or writes";

  RegisterFileTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<RegisterFile, Model>(name, config) {
    model_.cfg_num_banks_i = static_cast<std::uint8_t>(this->num_banks_);
  }

  LaneWords read(unsigned warp, unsigned reg) const override {
    if (this->beside()) return RegisterFile::read(warp, reg);
    LaneWords words{};
    if (reg >= registers(warp)) return words;
    const auto& row = model_.rootp->register_file__DOT__u_banks__DOT__word[base_row(warp) + reg];
    for (unsigned l = 0; l < kWarpSize; ++l) words[l] = row[l];
    return words;
  }
  LaneFlags flags(unsigned warp, unsigned index) const override {
    if (this->beside()) return RegisterFile::flags(warp, index);
    LaneFlags flags{};
    const auto& row = model_.rootp->register_file__DOT__u_flags__DOT__word[4 * warp + index];
    for (unsigned l = 0; l < kWarpSize; ++l) flags[l] = row[l / 8] >> (4 * (l % 8)) & 0xf;
    return flags;
  }
  LaneWords addr(unsigned warp, unsigned index) const override {
    if (this->beside()) return RegisterFile::addr(warp, index);
    LaneWords words{};
    if (index == 0 || index >= kNumAddressRegisters) return words;
    const auto& row = model_.rootp->register_file__DOT__u_addrs__DOT__word[4 * warp + index - 1];
    for (unsigned l = 0; l < kWarpSize; ++l) words[l] = row[l / 2] >> (16 * (l % 2)) & 0xffff;
    return words;
  }
  unsigned registers(unsigned warp) const override {
    if (this->beside()) return RegisterFile::registers(warp);
    return bits_of(model_.rootp->register_file__DOT__u_observer__DOT__allocated, 8 * warp, 8).words[0] & 0xff;
  }

 private:
  using VerilatedTwin<RegisterFile, Model>::model_;
  static constexpr unsigned kMaxRows = kMaxRegistersPerSm / kWarpSize, kRowBits = bits_for(kMaxRows);

  unsigned base_row(unsigned warp) const {
    return bits_of(model_.rootp->register_file__DOT__u_observer__DOT__base, kRowBits * warp, kRowBits).words[0] &
           (kMaxRows - 1);
  }
  void write_pins(Cycle) override {
    to_pin(this->issue_i.read(), model_.issue_i);
    model_.unit_i = this->unit_i.read();
    to_pin(this->start_i.read(), model_.start_i);
    to_pin(this->numbers_i.read(), model_.numbers_i);
    model_.busy_banks_i = this->busy_banks_i.read();
    model_.written_banks_i = this->written_banks_i.read();
    for (std::uint32_t rest = model_.written_banks_i; rest != 0; rest &= rest - 1) {
      const auto bank = static_cast<unsigned>(__builtin_ctz(rest));
      to_element(this->write_i[bank].read(), bank, model_.write_i);
    }
    for (unsigned i = 0; i < kFlagWrites; ++i) to_element(this->flag_write_i[i].read(), i, model_.flag_write_i);
    to_pin(this->addr_write_i.read(), model_.addr_write_i);
    to_pin(this->increment_i.read(), model_.increment_i);
    to_pin(this->result_i[unit_number(ExecUnit::kSp)].read(), model_.sp_result_i);
    to_pin(this->result_i[unit_number(ExecUnit::kSfu)].read(), model_.sfu_result_i);
    to_pin(this->result_i[unit_number(ExecUnit::kMultiply)].read(), model_.multiply_result_i);
    to_pin(this->result_i[unit_number(ExecUnit::kDp)].read(), model_.dp_result_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->register_file__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    const auto& root = *model_.rootp;
    this->take_pin("registers", root.register_file__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", root.register_file__DOT__u_observer__DOT__counters_q, this->counters_);
    if (this->start_i.read().valid) fill(this->start_i.read());
  }
  /// What the cells of a new warp hold is up to the simulator: sm.init.
  void fill(const RegisterStart& start) {
    auto& root = *model_.rootp;
    for (unsigned row = start.base_row; row < start.base_row + start.registers; ++row) {
      for (unsigned l = 0; l < kWarpSize; ++l)
        root.register_file__DOT__u_banks__DOT__word[row][l] = this->initial_.of_register(row, l);
    }
    for (unsigned i = 4 * start.warp; i < 4u * (start.warp + 1); ++i) {
      for (unsigned word = 0; word < kWarpSize / 8; ++word) root.register_file__DOT__u_flags__DOT__word[i][word] = 0;
      for (unsigned word = 0; word < kWarpSize / 2; ++word) root.register_file__DOT__u_addrs__DOT__word[i][word] = 0;
    }
  }
  PackedBits inside() const override { return model_.rootp->register_file__DOT__u_observer__DOT__readers; }
  void drive_pins() override {
    this->show(model_.reading_o, this->reading_o);
    this->show(model_.read_banks_o, this->read_banks_o);
    for (std::uint32_t rest = model_.read_banks_o; rest != 0; rest &= rest - 1) {
      const auto bank = static_cast<unsigned>(__builtin_ctz(rest));
      this->show_element(model_.read_o, bank, this->read_o[bank]);
    }
    this->show(model_.side_o, this->side_o);
    this->show(model_.numbers_room_o, this->numbers_room_o);
  }
};

using RegisterFileRtl = RegisterFileTwin<Vregister_file>;

}  // namespace g80
