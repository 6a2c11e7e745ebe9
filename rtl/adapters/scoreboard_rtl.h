// SPDX-License-Identifier: Apache-2.0
// rtl/sm/scoreboard.sv in the place of hw/sm/scoreboard.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "scoreboard_pins.h"

namespace g80 {

template <class Model>
class ScoreboardTwin final : public VerilatedTwin<Scoreboard, Model> {
 public:
  static constexpr const char* kDecides = "which warps may issue, or what they wait for";

  ScoreboardTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<Scoreboard, Model>(name, config) {
    this->strap("cfg_sfu_mul_i", config.sm.sfu_mul);
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
  static constexpr unsigned kCountBits = bits_for(kMaxBufferEntries + 1);
  const unsigned entry_bits_ = kCountBits + packed_width<FetchedInstruction>();

  PackedBits drawn(unsigned low, unsigned width) const { return bits_of(drawn_signal_, low, width); }
  void at_edge_by_hand() override {
    if (!this->beside()) this->report();
  }

  const Pin drawn_signal_ = this->signal("drawn");
};

using ScoreboardRtl = ScoreboardTwin<Vscoreboard>;

}  // namespace g80
