// SPDX-License-Identifier: Apache-2.0
// rtl/smem/shared_memory.sv in the place of hw/smem/shared_memory.h.
#pragma once
#include "hw/smem/shared_memory.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vshared_memory.h"
#include "Vshared_memory___024root.h"

namespace g80 {

template <class Model>
class SharedMemoryTwin final : public VerilatedTwin<SharedMemory, Model> {
 public:
  static constexpr const char* kDecides = "which words of s[] a pass reads, writes and locks";

  SharedMemoryTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<SharedMemory, Model>(name, config) {
    model_.cfg_stages_i = static_cast<std::uint8_t>(this->way_back_.stages());
    model_.cfg_flag_mask_i = static_cast<std::uint8_t>(config.sm.lock_flags - 1);
    model_.cfg_locks_per_warp_i = static_cast<std::uint8_t>(config.sm.locks_per_warp);
  }
  std::uint32_t read_word(unsigned word) const override {
    if (this->beside()) return SharedMemory::read_word(word);
    return model_.rootp->shared_memory__DOT__u_banks__DOT__word[word];
  }

 private:
  using VerilatedTwin<SharedMemory, Model>::model_;

  void write_pins(Cycle) override {
    to_pin(this->pass_i.read(), model_.pass_i);
    to_pin(this->ended_i.read(), model_.ended_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->shared_memory__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    const auto& root = *model_.rootp;
    this->take_pin("registers", root.shared_memory__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", root.shared_memory__DOT__u_observer__DOT__counters_q, this->counters_);
    if (this->start_i.read().valid) fill(this->start_i.read());
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
      from_element(model_.rootp->shared_memory__DOT__u_observer__DOT__flags, i, flag);
      this->locks_.show(i, flag);
    }
  }
  /// What the words of a new block hold is up to the simulator: sm.init.
  void fill(const SmemStart& start) {
    for (unsigned i = start.first; i < start.first + 0u + start.count; ++i)
      model_.rootp->shared_memory__DOT__u_banks__DOT__word[i] = this->initial_.of_shared(i);
  }
  /// Of the registers on the way back, those that this chip has.
  PackedBits inside() const override {
    return bits_of(model_.rootp->shared_memory__DOT__u_observer__DOT__way_back, 0,
                   this->way_back_.stages() * packed_width<SmemReply>());
  }
  void drive_pins() override {
    this->show(model_.reply_o, this->reply_o);
    this->show(model_.stored_o, this->stored_o);
  }
};

using SharedMemoryRtl = SharedMemoryTwin<Vshared_memory>;

}  // namespace g80
