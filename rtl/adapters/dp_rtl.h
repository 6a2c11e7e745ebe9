// SPDX-License-Identifier: Apache-2.0
// rtl/exec/dp.sv in the place of hw/exec/dp.h.
#pragma once
#include "hw/exec/dp.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vdp.h"
#include "Vdp___024root.h"
#include "Vdp_dp_lane.h"

namespace g80 {

template <class Model>
class DpTwin final : public VerilatedTwin<Dp, Model> {
 public:
  static constexpr const char* kDecides = "results of the fp64 unit";

  DpTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<Dp, Model>(name, config) {
    model_.cfg_stages_i = static_cast<std::uint8_t>(this->stages());
    model_.cfg_log2_lanes_i = static_cast<std::uint8_t>(__builtin_ctz(config.sm.num_dps));
  }

 private:
  using VerilatedTwin<Dp, Model>::model_;

  void write_pins(Cycle edge) override {
    model_.issue_en_i = edge % 2 == 0;
    to_pin(this->dispatch_i.read(), model_.dispatch_i);
    to_pin(this->operands_i.read(), model_.operands_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->dp__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->dp__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", model_.rootp->dp__DOT__u_observer__DOT__counters_q, this->counters_);
  }
  void drive_pins() override {
    this->show(model_.ahead_o, this->ahead_o);
    this->show(model_.result_o, this->result_o);
  }
  /// The registers of all stages, and those behind them that only delay.
  PackedBits inside() const override {
    const auto& root = *model_.rootp;
    dp::Datapath datapath;
    dp::Header* const headers[] = {&datapath.unpacked.header, &datapath.low.header,     &datapath.middle.header,
                                   &datapath.high.header,     &datapath.aligned.header, &datapath.added.header,
                                   &datapath.counted.header,  &datapath.shifted.header, &datapath.rounded.header};
    const unsigned control_bits = packed_width<dp::Control>(), header_bits = packed_lane_width<dp::Header>();
    for (unsigned i = 0; i < std::size(headers); ++i) {
      unpack(bits_of(root.dp__DOT__u_observer__DOT__control, control_bits * i, control_bits).words.data(),
             headers[i]->control);
    }
    unsigned lane = 0;
    for (const auto* at : {root.__PVT__dp__DOT__gen_lane__BRA__0__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__1__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__2__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__3__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__4__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__5__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__6__KET____DOT__u_lane,
                           root.__PVT__dp__DOT__gen_lane__BRA__7__KET____DOT__u_lane}) {
      for (unsigned i = 0; i < std::size(headers); ++i)
        unpack_lane(bits_of(at->u_observer__DOT__header, header_bits * i, header_bits).words.data(), lane, *headers[i]);
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
    std::vector<dp::Result> results(this->stages() + 2 - dp::Datapath::kStages);
    const unsigned result_bits = packed_lane_width<dp::Result>();
    for (unsigned i = 0; i < results.size(); ++i) {
      for (unsigned l = 0; l < dp::kMaxLanes; ++l)
        unpack_lane(bits_of(root.dp__DOT__u_observer__DOT__results, (i * dp::kMaxLanes + l) * result_bits, result_bits)
                        .words.data(),
                    l, results[i]);
    }
    datapath.result = results[0];

    const unsigned delays = static_cast<unsigned>(results.size()) - 1;
    const unsigned width = packed_width<dp::Datapath>() + delays * packed_width<dp::Result>();
    PackedBits bits;
    bits.words.resize((width + 31) / 32);
    packed_detail::Packer at(bits.words.data(), width);
    visit_fields(datapath, at);
    for (unsigned i = delays; i > 0; --i) visit_fields(results[i], at);
    return bits;
  }
};

using DpRtl = DpTwin<Vdp>;

}  // namespace g80
