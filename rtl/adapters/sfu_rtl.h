// SPDX-License-Identifier: Apache-2.0
// rtl/exec/sfu.sv in the place of hw/exec/sfu.h.
#pragma once
#include "rtl/adapters/staged_bits.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vsfu_sfu_lane.h"
#include "sfu_pins.h"

namespace g80 {

template <class Model>
class SfuTwin final : public VerilatedTwin<Sfu, Model> {
 public:
  static constexpr const char* kDecides = "results of the special function units";

  SfuTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<Sfu, Model>(name, config) {
    this->strap("cfg_stages_i", this->stages());
    this->strap("cfg_log2_units_i", __builtin_ctz(config.sm.num_sfus));
  }

 private:
  using VerilatedTwin<Sfu, Model>::model_;

  /// The registers of all stages, and those behind them that only delay.
  PackedBits inside() const override {
    const auto& root = *model_.rootp;
    sfu::Datapath datapath;
    sfu::Header* const headers[] = {&datapath.looked_up.header, &datapath.squared.header, &datapath.products.header,
                                    &datapath.sum.header, &datapath.counted.header};
    unpack_controls(control_signal_, headers);
    unsigned lane = 0;
    for (const auto* unit : {root.__PVT__sfu__DOT__gen_unit__BRA__0__KET____DOT__u_lane,
                             root.__PVT__sfu__DOT__gen_unit__BRA__1__KET____DOT__u_lane,
                             root.__PVT__sfu__DOT__gen_unit__BRA__2__KET____DOT__u_lane,
                             root.__PVT__sfu__DOT__gen_unit__BRA__3__KET____DOT__u_lane}) {
      unpack_headers(unit->u_observer__DOT__header, lane, headers);
      unpack_lane(unit->u_observer__DOT__looked_up.data(), lane, datapath.looked_up);
      unpack_lane(unit->u_observer__DOT__squared.data(), lane, datapath.squared);
      unpack_lane(unit->u_observer__DOT__products.data(), lane, datapath.products);
      unpack_lane(PackedBits(unit->u_observer__DOT__sum).words.data(), lane, datapath.sum);
      unpack_lane(PackedBits(unit->u_observer__DOT__counted).words.data(), lane, datapath.counted);
      ++lane;
    }
    return staged_bits(datapath, results_signal_, this->stages());
  }

  const Pin control_signal_ = this->signal("control"), results_signal_ = this->signal("results");
};

using SfuRtl = SfuTwin<Vsfu>;

}  // namespace g80
