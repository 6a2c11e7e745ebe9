// SPDX-License-Identifier: Apache-2.0
// rtl/sm/scoreboard.sv in the place of hw/sm/scoreboard.h.
#pragma once
#include "hw/sm/scoreboard.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vscoreboard.h"
#include "Vscoreboard___024root.h"

namespace g80 {

template <class Model>
class ScoreboardTwin final : public VerilatedTwin<Scoreboard, Model> {
 public:
  static constexpr const char* kDecides = "which warps may issue, or what they wait for";

  ScoreboardTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<Scoreboard, Model>(name, config) {
    model_.cfg_sfu_mul_i = config.sm.sfu_mul;
  }

  ThreadState pending(unsigned warp) const override {
    if (this->beside()) return Scoreboard::pending(warp);
    const unsigned width = packed_width<ThreadState>();
    ThreadState state;
    unpack(drawn(kMaxWarps * (entry_bits_ + width) + width * warp, width).words.data(), state);
    return state;
  }
  const DecodedInstruction* head(unsigned warp) const override {
    if (this->beside()) return Scoreboard::head(warp);
    const PackedBits entry = drawn(entry_bits_ * warp, entry_bits_);
    packed_detail::Unpacker at(entry.words.data(), entry_bits_);
    if (at.take(kCountBits) == 0) return nullptr;
    FetchedInstruction front;
    visit_fields(front, at);
    return &front.decoded();
  }

 private:
  using VerilatedTwin<Scoreboard, Model>::model_;
  static constexpr unsigned kCountBits = bits_for(kMaxBufferEntries + 1);
  const unsigned entry_bits_ = kCountBits + packed_width<FetchedInstruction>();

  PackedBits drawn(unsigned low, unsigned width) const {
    return bits_of(model_.rootp->scoreboard__DOT__u_observer__DOT__drawn, low, width);
  }
  void write_pins(Cycle) override {
    to_pin(this->decoded_i.read(), model_.decoded_i);
    to_pin(this->start_i.read(), model_.start_i);
    to_pin(this->redirect_i.read(), model_.redirect_i);
    to_pin(this->pick_i.read(), model_.pick_i);
    to_pin(this->resolve_i.read(), model_.resolve_i);
    to_pin(this->barrier_open_i.read(), model_.barrier_open_i);
    to_pin(this->barrier_waiting_i.read(), model_.barrier_waiting_i);
    to_pin(this->release_i.read(), model_.release_i);
  }
  void at_edge() override {
    this->sleep_if(model_.rootp->scoreboard__DOT__u_observer__DOT__sleep != 0);
    if (!this->beside()) this->report();
  }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->scoreboard__DOT__u_observer__DOT__registers, this->d_);
  }
  PackedBits inside() const override { return model_.rootp->scoreboard__DOT__u_observer__DOT__drawn; }
  void drive_pins() override {
    this->show(model_.ready_o, this->ready_o);
    this->show(model_.drained_o, this->drained_o);
  }
};

using ScoreboardRtl = ScoreboardTwin<Vscoreboard>;

}  // namespace g80
