// SPDX-License-Identifier: Apache-2.0
// rtl/sm/reconvergence_stack.sv in the place of hw/sm/reconvergence_stack.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "reconvergence_stack_pins.h"

namespace g80 {

template <class Model>
class ReconvergenceStackTwin final : public VerilatedTwin<ReconvergenceStack, Model> {
 public:
  static constexpr const char* kDecides = "where lanes diverge and reconverge";

  ReconvergenceStackTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<ReconvergenceStack, Model>(name, config) {
    this->draws_what_the_chip_has();
    if (config.sm.divergence_first > DivergenceFirst::kFallthrough) {
      throw ConfigError(fmt::format("sm.divergence_first = {}: the RTL twin of reconvergence_stack has no such policy",
                                    to_text(config.sm.divergence_first)));
    }
    this->strap("cfg_delay_i", this->resolving_.stages());
    this->strap("cfg_taken_first_i", config.sm.divergence_first == DivergenceFirst::kTaken);
    this->strap("cfg_on_chip_i", config.sm.stack_on_chip);
    this->strap("cfg_depth_i", config.sm.stack_depth);
  }

  ReconvergenceStack::Shown warp(unsigned w) const override {
    if (this->beside()) return ReconvergenceStack::warp(w);
    const ControlState state = state_of(w);
    const PackedBits digest = bits_of(digest_signal_, 64 * w, 64);
    return {{this->q_.masks.mask[w], state.runnable, state.broke, state.returned},
            state.in_memory + unsigned{state.count},
            state.in_memory,
            std::uint64_t{digest.words[1]} << 32 | digest.words[0]};
  }
  StackEntry entry(unsigned w, unsigned number) const override {
    if (this->beside()) return ReconvergenceStack::entry(w, number);
    const ControlState state = state_of(w);
    const unsigned place = (state.oldest + number - state.in_memory) % WarpControl::kMaxOnChip;
    const unsigned width = packed_width<StackEntry>();
    StackEntry found;
    unpack(bits_of(stack_signal_, (w * WarpControl::kMaxOnChip + place) * width, width).words.data(), found);
    return found;
  }

 private:
  ControlState state_of(unsigned w) const {
    const unsigned width = packed_width<ControlState>();
    ControlState state;
    unpack(bits_of(state_signal_, w * width, width).words.data(), state);
    return state;
  }
  void read_by_hand() override {
    const Resolve& resolve = this->d_.resolve;
    if (this->beside() || this->reports_ == nullptr || resolve.warps == 0) return;
    const auto warp = static_cast<std::uint8_t>(__builtin_ctz(resolve.warps));
    this->reports_->at(this->edge()).control.add() = {
        {this->model_.rootp->reconvergence_stack__DOT__u_observer__DOT__uid_q},
        warp,
        resolve.ended,
        this->d_.pc[warp],
        this->d_.masks.mask[warp]};
  }

  const Pin digest_signal_ = this->signal("digest_q"), stack_signal_ = this->signal("stack"),
            state_signal_ = this->signal("state");
};

using ReconvergenceStackRtl = ReconvergenceStackTwin<Vreconvergence_stack>;

}  // namespace g80
