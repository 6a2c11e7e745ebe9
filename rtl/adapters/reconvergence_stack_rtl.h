// SPDX-License-Identifier: Apache-2.0
// rtl/sm/reconvergence_stack.sv in the place of hw/sm/reconvergence_stack.h.
#pragma once
#include "hw/sm/reconvergence_stack.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vreconvergence_stack.h"
#include "Vreconvergence_stack___024root.h"

namespace g80 {

template <class Model>
class ReconvergenceStackTwin final : public VerilatedTwin<ReconvergenceStack, Model> {
 public:
  static constexpr const char* kDecides = "where lanes diverge and reconverge";

  ReconvergenceStackTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<ReconvergenceStack, Model>(name, config) {
    if (config.sm.divergence_first > DivergenceFirst::kFallthrough) {
      throw ConfigError(fmt::format("sm.divergence_first = {}: the RTL twin of reconvergence_stack has no such policy",
                                    to_text(config.sm.divergence_first)));
    }
    model_.cfg_delay_i = static_cast<std::uint8_t>(this->resolving_.stages());
    model_.cfg_taken_first_i = config.sm.divergence_first == DivergenceFirst::kTaken;
    model_.cfg_on_chip_i = static_cast<std::uint8_t>(config.sm.stack_on_chip);
    model_.cfg_depth_i = static_cast<std::uint16_t>(config.sm.stack_depth);
  }

  ReconvergenceStack::Shown warp(unsigned w) const override {
    if (this->beside()) return ReconvergenceStack::warp(w);
    const ControlState state = state_of(w);
    const PackedBits digest = bits_of(model_.rootp->reconvergence_stack__DOT__u_observer__DOT__digest_q, 64 * w, 64);
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
    unpack(bits_of(model_.rootp->reconvergence_stack__DOT__u_observer__DOT__stack,
                   (w * WarpControl::kMaxOnChip + place) * width, width)
               .words.data(),
           found);
    return found;
  }

 private:
  using VerilatedTwin<ReconvergenceStack, Model>::model_;

  ControlState state_of(unsigned w) const {
    const unsigned width = packed_width<ControlState>();
    ControlState state;
    unpack(bits_of(model_.rootp->reconvergence_stack__DOT__u_observer__DOT__state, w * width, width).words.data(),
           state);
    return state;
  }
  void write_pins(Cycle) override {
    model_.launch_stack_depth_i = this->launch_i.read().stack_depth;
    model_.launch_call_limit_log_i = this->launch_i.read().call_limit_log;
    to_pin(this->start_i.read(), model_.start_i);
    to_pin(this->control_i.read(), model_.control_i);
    to_pin(this->fill_i.read(), model_.fill_i);
    model_.access_ready_i = this->access_ready_i.read();
  }
  void at_edge() override { this->sleep_if(model_.rootp->reconvergence_stack__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    const auto& root = *model_.rootp;
    this->take_pin("registers", root.reconvergence_stack__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", root.reconvergence_stack__DOT__u_observer__DOT__counters_q, this->counters_);
    const Resolve& resolve = this->d_.resolve;
    if (this->beside() || this->reports_ == nullptr || resolve.warps == 0) return;
    const auto warp = static_cast<std::uint8_t>(__builtin_ctz(resolve.warps));
    this->reports_->at(this->edge()).control.add() = {{root.reconvergence_stack__DOT__u_observer__DOT__uid_q},
                                                      warp,
                                                      resolve.ended,
                                                      this->d_.pc[warp],
                                                      this->d_.masks.mask[warp]};
  }
  /// Of the registers in front of the stack, those that this chip has.
  PackedBits inside() const override {
    const unsigned queues = 6 + packed_width<ControlTurn>() + 6 + packed_width<StackAccess>();
    return bits_of(model_.rootp->reconvergence_stack__DOT__u_observer__DOT__drawn, 0,
                   this->resolving_.stages() * packed_width<ControlEvent>() + queues);
  }
  void drive_pins() override {
    this->show(model_.redirect_o, this->redirect_o);
    this->show(model_.resolve_o, this->resolve_o);
    this->show(model_.arrival_o, this->arrival_o);
    this->show(model_.masks_o, this->masks_o);
    this->show(model_.fault_o, this->fault_o);
    this->show(model_.access_o, this->access_o);
  }
};

using ReconvergenceStackRtl = ReconvergenceStackTwin<Vreconvergence_stack>;

}  // namespace g80
