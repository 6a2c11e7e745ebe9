// SPDX-License-Identifier: Apache-2.0
// rtl/smem/shared_memory.sv in the place of hw/smem/shared_memory.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "shared_memory_pins.h"

namespace g80 {

template <class Model>
class SharedMemoryTwin final : public VerilatedTwin<SharedMemory, Model> {
 public:
  static constexpr const char* kDecides = "which words of s[] a pass reads, writes and locks";

  SharedMemoryTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<SharedMemory, Model>(name, config) {
    this->draws_what_the_chip_has();
    this->strap("cfg_stages_i", this->way_back_.stages());
    this->strap("cfg_flag_mask_i", config.sm.lock_flags - 1);
    this->strap("cfg_locks_per_warp_i", config.sm.locks_per_warp);
    this->strap("cfg_init_word_i", this->initial_.word());
    this->strap("cfg_init_differs_i", this->initial_.differ());
    for (unsigned b = 0; b < kNumSmemBanks; ++b) {
      bank_[b] = this->words_of(fmt::format("shared_memory.gen_memory[{}].u_memory", b), "word");
      written_[b] = this->words_of(fmt::format("shared_memory.gen_memory[{}].u_written", b), "written_q");
    }
  }
  std::uint32_t read_word(unsigned word) const override {
    if (this->beside()) return SharedMemory::read_word(word);
    const unsigned bank = word % kNumSmemBanks, row = word / kNumSmemBanks;
    if ((written_[bank][row / 32] >> row % 32 & 1) == 0) return this->initial_.of_shared(word);
    return bank_[bank][row];
  }

 private:
  using VerilatedTwin<SharedMemory, Model>::model_;

  void read_by_hand() override {
    const auto& root = *model_.rootp;
    if (this->beside()) return;
    const SmemPass& pass = this->pass_i.read();
    if (pass.request.lock || this->ended_i.read() != 0 || model_.rst_ni == 0) show_locks();
    if (model_.rst_ni == 0) return;
    std::array<std::uint32_t, kHalfWarp> read;
    for (unsigned l = 0; l < kHalfWarp; ++l) read[l] = root.shared_memory__DOT__u_observer__DOT__data_q[l];
    if (pass.valid) this->observe(pass, root.shared_memory__DOT__u_observer__DOT__granted_q, read);
    this->observe_ended();
  }
  void show_locks() {
    for (unsigned i = 0; i < this->locks_.num_flags(); ++i) {
      LockFlag flag;
      from_element(flags_signal_, i, flag);
      this->locks_.show(i, flag);
    }
  }

  std::array<const std::uint32_t*, kNumSmemBanks> bank_, written_;
  const Pin flags_signal_ = this->signal("flags");
};

using SharedMemoryRtl = SharedMemoryTwin<Vshared_memory>;

}  // namespace g80
