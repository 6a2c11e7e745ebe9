// SPDX-License-Identifier: Apache-2.0
// rtl/exec/sfu_multipliers.sv in the place of hw/exec/sfu_multipliers.h.
#pragma once
#include "rtl/adapters/staged_bits.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vsfu_multipliers_multiplier_lane.h"
#include "sfu_multipliers_pins.h"

namespace g80 {

template <class Model>
class SfuMultipliersTwin final : public VerilatedTwin<SfuMultipliers, Model> {
 public:
  static constexpr const char* kDecides = "results of fp32 multiplies that the SFUs execute";

  SfuMultipliersTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<SfuMultipliers, Model>(name, config) {
    this->strap("cfg_stages_i", this->stages());
    this->strap("cfg_log2_lanes_i", __builtin_ctz(this->group_lanes_));
  }

 private:
  using VerilatedTwin<SfuMultipliers, Model>::model_;

  /// The registers of all stages, and those behind them that only delay.
  PackedBits inside() const override {
    const auto& root = *model_.rootp;
    multiplier::Datapath datapath;
    multiplier::Header* const headers[] = {&datapath.unpacked.header,   &datapath.half.header,
                                           &datapath.product.header,    &datapath.sum.header,
                                           &datapath.normalised.header, &datapath.rounded.header};
    unpack_controls(control_signal_, headers);
    unsigned lane = 0;
    for (const auto* unit : {root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__0__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__1__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__2__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__3__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__4__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__5__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__6__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__7__KET____DOT__u_lane}) {
      unpack_headers(unit->u_observer__DOT__header, lane, headers);
      unpack_lane(PackedBits(unit->u_observer__DOT__unpacked).words.data(), lane, datapath.unpacked);
      unpack_lane(unit->u_observer__DOT__half.data(), lane, datapath.half);
      unpack_lane(unit->u_observer__DOT__product.data(), lane, datapath.product);
      unpack_lane(PackedBits(unit->u_observer__DOT__sum).words.data(), lane, datapath.sum);
      unpack_lane(PackedBits(unit->u_observer__DOT__normalised).words.data(), lane, datapath.normalised);
      unpack_lane(PackedBits(unit->u_observer__DOT__rounded).words.data(), lane, datapath.rounded);
      ++lane;
    }
    return staged_bits(datapath, results_signal_, this->stages());
  }

  const Pin control_signal_ = this->signal("control"), results_signal_ = this->signal("results");
};

using SfuMultipliersRtl = SfuMultipliersTwin<Vsfu_multipliers>;

}  // namespace g80
