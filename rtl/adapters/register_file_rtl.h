// SPDX-License-Identifier: Apache-2.0
// rtl/sm/register_file.sv in the place of hw/sm/register_file.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "register_file_pins.h"

namespace g80 {

template <class Model>
class RegisterFileTwin final : public VerilatedTwin<RegisterFile, Model> {
 public:
  static constexpr const char* kDecides = "which register each bank reads or writes";

  RegisterFileTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<RegisterFile, Model>(name, config) {
    this->strap("cfg_num_banks_i", this->num_banks_);
    this->strap("cfg_init_word_i", this->initial_.word());
    this->strap("cfg_init_differs_i", this->initial_.differ());
    for (unsigned b = 0; b < config.sm.register_banks; ++b) {
      bank_.push_back(this->words_of(fmt::format("register_file.gen_bank[{}].u_memory", b), "word"));
    }
  }

  LaneWords read(unsigned warp, unsigned reg) const override {
    if (this->beside()) return RegisterFile::read(warp, reg);
    LaneWords words{};
    if (reg >= registers(warp)) return words;
    const unsigned number = base_row(warp) + reg;
    if (!is_set(model_.rootp->register_file__DOT__u_written__DOT__written_q, number)) {
      this->fill_row(number, words);
    } else {
      const std::uint32_t* const row = bank_[this->bank(warp, reg)] + std::size_t{kWarpSize} * number;
      std::copy_n(row, kWarpSize, &words[0]);
    }
    return words;
  }
  LaneFlags flags(unsigned warp, unsigned index) const override {
    if (this->beside()) return RegisterFile::flags(warp, index);
    LaneFlags flags{};
    const unsigned number = 4 * warp + index;
    if (!is_set(model_.rootp->register_file__DOT__u_flags__DOT__written_q, number)) return flags;
    const auto& row = model_.rootp->register_file__DOT__u_flags__DOT__u_memory__DOT__word[number];
    for (unsigned l = 0; l < kWarpSize; ++l) flags[l] = row[l / 8] >> (4 * (l % 8)) & 0xf;
    return flags;
  }
  LaneWords addr(unsigned warp, unsigned index) const override {
    if (this->beside()) return RegisterFile::addr(warp, index);
    LaneWords words{};
    if (index == 0 || index >= kNumAddressRegisters) return words;
    const unsigned number = 4 * warp + index - 1;
    if (!is_set(model_.rootp->register_file__DOT__u_addrs__DOT__written_q, number)) return words;
    const auto& row = model_.rootp->register_file__DOT__u_addrs__DOT__u_memory__DOT__word[number];
    for (unsigned l = 0; l < kWarpSize; ++l) words[l] = row[l / 2] >> (16 * (l % 2)) & 0xffff;
    return words;
  }
  unsigned registers(unsigned warp) const override {
    if (this->beside()) return RegisterFile::registers(warp);
    return bits_of(allocated_signal_, 8 * warp, 8).words[0] & 0xff;
  }

 private:
  using VerilatedTwin<RegisterFile, Model>::model_;
  static constexpr unsigned kMaxRows = kMaxRegistersPerSm / kWarpSize, kRowBits = bits_for(kMaxRows);

  template <class Bits>
  static bool is_set(const Bits& bits, unsigned number) {
    return (bits[number / 32] >> number % 32 & 1) != 0;
  }
  unsigned base_row(unsigned warp) const {
    return bits_of(base_signal_, kRowBits * warp, kRowBits).words[0] & (kMaxRows - 1);
  }
  /// Of the ports that write: the others keep what they had.
  void write_by_hand() override {
    for (std::uint32_t rest = this->written_ports_i.read(); rest != 0; rest &= rest - 1) {
      const auto port = static_cast<unsigned>(__builtin_ctz(rest));
      to_element(this->write_i[port].read(), port, write_);
    }
  }
  void show_by_hand() override {
    for (std::uint32_t rest = model_.read_banks_o; rest != 0; rest &= rest - 1) {
      const auto bank = static_cast<unsigned>(__builtin_ctz(rest));
      RegisterRead value;
      std::memset(static_cast<void*>(&value), 0, sizeof value);  // padding too: wires compare it
      from_element(read_, bank, value);
      this->show(value, this->read_o[bank]);
    }
  }

  const Pin write_ = this->pin_by_hand("write_i"), read_ = this->pin_by_hand("read_o");

  std::vector<const std::uint32_t*> bank_;  // its rows, a word for each lane
  const Pin allocated_signal_ = this->signal("allocated"), base_signal_ = this->signal("base");
};

using RegisterFileRtl = RegisterFileTwin<Vregister_file>;

}  // namespace g80
