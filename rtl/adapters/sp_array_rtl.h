// SPDX-License-Identifier: Apache-2.0
// rtl/exec/sp_array.sv in the place of hw/exec/sp_array.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "Vsp_array_sp_lane.h"
#include "sp_array_pins.h"

namespace g80 {

template <class Model>
class SpArrayTwin final : public VerilatedTwin<SpArray, Model> {
 public:
  static constexpr const char* kDecides = "results of the eight scalar processors";

  SpArrayTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<SpArray, Model>(name, config) {
    this->strap("cfg_stages_i", this->stages());
  }

  // For those who look at a processor: what the block's members hold is in the model.
  const SpRegisters& datapath() const override {
    if (this->beside()) return SpArray::datapath();
    const auto& root = *model_.rootp;
    SpRegisters& at = shown_datapath_;
    from_pin(root.sp_array__DOT__u_observer__DOT__entering, at.entering);
    show_control(0, at.unpacked);
    show_control(1, at.multiplied);
    show_control(2, at.product);
    show_control(3, at.aligned);
    show_control(4, at.sum);
    show_control(5, at.counted);
    show_control(6, at.normalised);
    unsigned lane = 0;
    for (const auto* sp : {root.__PVT__sp_array__DOT__gen_lane__BRA__0__KET____DOT__u_lane,
                           root.__PVT__sp_array__DOT__gen_lane__BRA__1__KET____DOT__u_lane,
                           root.__PVT__sp_array__DOT__gen_lane__BRA__2__KET____DOT__u_lane,
                           root.__PVT__sp_array__DOT__gen_lane__BRA__3__KET____DOT__u_lane,
                           root.__PVT__sp_array__DOT__gen_lane__BRA__4__KET____DOT__u_lane,
                           root.__PVT__sp_array__DOT__gen_lane__BRA__5__KET____DOT__u_lane,
                           root.__PVT__sp_array__DOT__gen_lane__BRA__6__KET____DOT__u_lane,
                           root.__PVT__sp_array__DOT__gen_lane__BRA__7__KET____DOT__u_lane}) {
      unpack_lane(sp->u_observer__DOT__unpacked.data(), lane, at.unpacked);
      unpack_lane(sp->u_observer__DOT__multiplied.data(), lane, at.multiplied);
      unpack_lane(sp->u_observer__DOT__product.data(), lane, at.product);
      unpack_lane(sp->u_observer__DOT__aligned.data(), lane, at.aligned);
      unpack_lane(sp->u_observer__DOT__sum.data(), lane, at.sum);
      unpack_lane(PackedBits(sp->u_observer__DOT__counted).words.data(), lane, at.counted);
      unpack_lane(PackedBits(sp->u_observer__DOT__normalised).words.data(), lane, at.normalised);
      ++lane;
    }
    return at;
  }
  SpResult result(unsigned i) const override {
    if (this->beside()) return SpArray::result(i);
    const auto& root = *model_.rootp;
    SpResult result;
    const PipeStage& stage = this->q_.stage[i];
    const bool computed = i + 1 == kSpFunctionalStages;
    if (!computed && !stage.valid) return result;
    constexpr unsigned kRows = 2 * ((kMaxExecStages + 3) / 4 + 3);  // of each bank: two of a slot
    const unsigned row = 2u * stage.slot + stage.group / 2u, width = packed_lane_width<SpResult>();
    for (unsigned lane = 0; lane < kNumSpLanes; ++lane) {
      const PackedBits bits = computed
                                  ? bits_of(root.sp_array__DOT__u_observer__DOT__result, lane * width, width)
                                  : bits_of(root.sp_array__DOT__u_observer__DOT__results,
                                            ((stage.group % 2u * kRows + row) * kNumSpLanes + lane) * width, width);
      unpack_lane(bits.words.data(), lane, result);
    }
    return result;
  }
  const ExecSlot& slot(unsigned index) const override {
    if (this->beside()) return SpArray::slot(index);
    const unsigned number = std::min<unsigned>(index, this->slots_.size() - 1);
    unsigned at = number * (packed_width<IssuedInstruction>() + 134);  // kept_t of rtl/exec/exec_pipe.sv, from its end
    const auto next = [&](unsigned width) {
      at += width;
      return bits_of(model_.rootp->sp_array__DOT__u_observer__DOT__slots, at - width, width);
    };
    shown_slot_.granted = next(32).words[0];
    shown_slot_.vote = next(1).words[0] % 2 != 0;
    next(32);  // loaded
    shown_slot_.lanes = next(32).words[0];
    unpack(next(packed_width<IssuedInstruction>()).words.data(), shown_slot_.fetched);
    shown_slot_.tag.bits = next(32).words[0];
    shown_slot_.warp = next(5).words[0] % 32;
    return shown_slot_;
  }

 private:
  using VerilatedTwin<SpArray, Model>::model_;

  void read_by_hand() override {
    const auto& root = *model_.rootp;
    auto events = this->events_;
    static_assert(sizeof root.sp_array__DOT__u_observer__DOT__events_q == sizeof events);
    std::memcpy(events.data(), root.sp_array__DOT__u_observer__DOT__events_q.data(), sizeof events);
    for (unsigned i = 0; i < events.size(); ++i) this->take("pmevent", events[i], this->events_[i]);
  }
  void show_by_hand() override { this->mark_sps(); }

  /// Control bits and verdict of a stage.
  template <class Stage>
  void show_control(unsigned stage, Stage& to) const {
    const auto& root = *model_.rootp;
    const unsigned width = packed_width<SpControl>();
    unpack(bits_of(root.sp_array__DOT__u_observer__DOT__control, stage * width, width).words.data(), to.control);
    to.verdict = static_cast<std::uint8_t>(root.sp_array__DOT__u_observer__DOT__verdict >> (8 * stage));
  }

  mutable SpRegisters shown_datapath_;
  mutable ExecSlot shown_slot_;
};

using SpArrayRtl = SpArrayTwin<Vsp_array>;

}  // namespace g80
