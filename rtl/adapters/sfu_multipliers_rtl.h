// SPDX-License-Identifier: Apache-2.0
// rtl/exec/sfu_multipliers.sv in the place of hw/exec/sfu_multipliers.h.
#pragma once
#include "hw/exec/sfu_multipliers.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vsfu_multipliers.h"
#include "Vsfu_multipliers___024root.h"
#include "Vsfu_multipliers_multiplier_lane.h"

namespace g80 {

template <class Model>
class SfuMultipliersTwin final : public VerilatedTwin<SfuMultipliers, Model> {
 public:
  static constexpr const char* kDecides = "results of fp32 multiplies that the SFUs execute";

  SfuMultipliersTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<SfuMultipliers, Model>(name, config) {
    model_.cfg_stages_i = static_cast<std::uint8_t>(this->stages());
    model_.cfg_log2_lanes_i = static_cast<std::uint8_t>(__builtin_ctz(this->group_lanes_));
  }

 private:
  using VerilatedTwin<SfuMultipliers, Model>::model_;

  void write_pins(Cycle edge) override {
    model_.issue_en_i = edge % 2 == 0;
    to_pin(this->dispatch_i.read(), model_.dispatch_i);
    to_pin(this->operands_i.read(), model_.operands_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->sfu_multipliers__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->sfu_multipliers__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", model_.rootp->sfu_multipliers__DOT__u_observer__DOT__counters_q, this->counters_);
  }
  void drive_pins() override {
    this->show(model_.ahead_o, this->ahead_o);
    this->show(model_.result_o, this->result_o);
  }
  /// The registers of all stages, and those behind them that only delay.
  PackedBits inside() const override {
    const auto& root = *model_.rootp;
    multiplier::Datapath datapath;
    multiplier::Header* const headers[] = {&datapath.unpacked.header,   &datapath.half.header,
                                           &datapath.product.header,    &datapath.sum.header,
                                           &datapath.normalised.header, &datapath.rounded.header};
    const unsigned control_bits = packed_width<multiplier::Control>(),
                   header_bits = packed_lane_width<multiplier::Header>();
    for (unsigned i = 0; i < std::size(headers); ++i) {
      const PackedBits control(root.sfu_multipliers__DOT__u_observer__DOT__control >> (control_bits * i));
      packed_detail::Unpacker at(control.words.data(), control_bits);
      visit_fields(headers[i]->control, at);
    }
    unsigned lane = 0;
    for (const auto* unit : {root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__0__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__1__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__2__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__3__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__4__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__5__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__6__KET____DOT__u_lane,
                             root.__PVT__sfu_multipliers__DOT__gen_lane__BRA__7__KET____DOT__u_lane}) {
      for (unsigned i = 0; i < std::size(headers); ++i)
        unpack_lane(bits_of(unit->u_observer__DOT__header, header_bits * i, header_bits).words.data(), lane,
                    *headers[i]);
      unpack_lane(PackedBits(unit->u_observer__DOT__unpacked).words.data(), lane, datapath.unpacked);
      unpack_lane(unit->u_observer__DOT__half.data(), lane, datapath.half);
      unpack_lane(unit->u_observer__DOT__product.data(), lane, datapath.product);
      unpack_lane(PackedBits(unit->u_observer__DOT__sum).words.data(), lane, datapath.sum);
      unpack_lane(PackedBits(unit->u_observer__DOT__normalised).words.data(), lane, datapath.normalised);
      unpack_lane(PackedBits(unit->u_observer__DOT__rounded).words.data(), lane, datapath.rounded);
      ++lane;
    }
    std::vector<multiplier::Result> results(this->stages() + 2 - multiplier::Datapath::kStages);
    const unsigned result_bits = packed_lane_width<multiplier::Result>();
    for (unsigned i = 0; i < results.size(); ++i) {
      for (unsigned l = 0; l < multiplier::kMaxLanes; ++l)
        unpack_lane(bits_of(root.sfu_multipliers__DOT__u_observer__DOT__results,
                            (i * multiplier::kMaxLanes + l) * result_bits, result_bits)
                        .words.data(),
                    l, results[i]);
    }
    datapath.result = results[0];

    const unsigned delays = static_cast<unsigned>(results.size()) - 1;
    const unsigned width = packed_width<multiplier::Datapath>() + delays * packed_width<multiplier::Result>();
    PackedBits bits;
    bits.words.resize((width + 31) / 32);
    packed_detail::Packer at(bits.words.data(), width);
    visit_fields(datapath, at);
    for (unsigned i = delays; i > 0; --i) visit_fields(results[i], at);
    return bits;
  }
};

using SfuMultipliersRtl = SfuMultipliersTwin<Vsfu_multipliers>;

}  // namespace g80
