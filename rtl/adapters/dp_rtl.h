// SPDX-License-Identifier: Apache-2.0
// rtl/exec/dp.sv in the place of hw/exec/dp.h.
#pragma once
#include "rtl/adapters/staged_bits.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vdp_dp_lane.h"
#include "dp_pins.h"

namespace g80 {

template <class Model>
class DpTwin final : public VerilatedTwin<Dp, Model> {
 public:
  static constexpr const char* kDecides = "results of the fp64 unit";

  DpTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<Dp, Model>(name, config) {
    this->strap("cfg_stages_i", this->stages());
    this->strap("cfg_log2_lanes_i", __builtin_ctz(config.sm.num_dps));
  }

 private:
  using VerilatedTwin<Dp, Model>::model_;

  /// The registers of all stages, and those behind them that only delay.
  PackedBits inside() const override {
    const auto& root = *model_.rootp;
    dp::Datapath datapath;
    dp::Header* const headers[] = {&datapath.unpacked.header, &datapath.low.header,     &datapath.middle.header,
                                   &datapath.high.header,     &datapath.aligned.header, &datapath.added.header,
                                   &datapath.counted.header,  &datapath.shifted.header, &datapath.rounded.header};
    unpack_controls(control_signal_, headers);
    unsigned lane = 0;
    for (const auto* at : {root.__PVT__dp__DOT__gen_lane__BRA__0__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__1__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__2__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__3__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__4__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__5__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__6__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__7__KET____DOT__u_lane}) {
      unpack_headers(at->u_observer__DOT__header, lane, headers);
      unpack_lane(at->u_observer__DOT__unpacked.data(), lane, datapath.unpacked);
      unpack_lane(at->u_observer__DOT__low.data(), lane, datapath.low);
      unpack_lane(at->u_observer__DOT__middle.data(), lane, datapath.middle);
      unpack_lane(at->u_observer__DOT__high.data(), lane, datapath.high);
      unpack_lane(at->u_observer__DOT__aligned.data(), lane, datapath.aligned);
      unpack_lane(at->u_observer__DOT__added.data(), lane, datapath.added);
      unpack_lane(at->u_observer__DOT__counted.data(), lane, datapath.counted);
      unpack_lane(at->u_observer__DOT__shifted.data(), lane, datapath.shifted);
      unpack_lane(at->u_observer__DOT__rounded.data(), lane, datapath.rounded);
      ++lane;
    }
    return staged_bits(datapath, results_signal_, this->stages());
  }

  const Pin control_signal_ = this->signal("control"), results_signal_ = this->signal("results");
};

using DpRtl = DpTwin<Vdp>;

}  // namespace g80
