// SPDX-License-Identifier: Apache-2.0
// rtl/exec/sfu.sv in the place of hw/exec/sfu.h.
#pragma once
#include "hw/exec/sfu.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vsfu.h"
#include "Vsfu___024root.h"
#include "Vsfu_sfu_lane.h"

namespace g80 {

template <class Model>
class SfuTwin final : public VerilatedTwin<Sfu, Model> {
 public:
  static constexpr const char* kDecides = "results of the special function units";

  SfuTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<Sfu, Model>(name, config) {
    model_.cfg_stages_i = static_cast<std::uint8_t>(this->stages());
    model_.cfg_log2_units_i = static_cast<std::uint8_t>(__builtin_ctz(config.sm.num_sfus));
  }

 private:
  using VerilatedTwin<Sfu, Model>::model_;

  void write_pins(Cycle edge) override {
    model_.issue_en_i = edge % 2 == 0;
    to_pin(this->dispatch_i.read(), model_.dispatch_i);
    to_pin(this->operands_i.read(), model_.operands_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->sfu__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->sfu__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", model_.rootp->sfu__DOT__u_observer__DOT__counters_q, this->counters_);
  }
  void drive_pins() override {
    this->show(model_.ahead_o, this->ahead_o);
    this->show(model_.result_o, this->result_o);
  }
  /// The registers of all stages, and those behind them that only delay.
  PackedBits inside() const override {
    const auto& root = *model_.rootp;
    sfu::Datapath datapath;
    sfu::Header* const headers[] = {&datapath.looked_up.header, &datapath.squared.header, &datapath.products.header,
                                    &datapath.sum.header, &datapath.counted.header};
    const unsigned control_bits = packed_width<sfu::Control>(), header_bits = packed_lane_width<sfu::Header>();
    for (unsigned i = 0; i < std::size(headers); ++i) {
      const PackedBits control(root.sfu__DOT__u_observer__DOT__control >> (control_bits * i));
      packed_detail::Unpacker at(control.words.data(), control_bits);
      visit_fields(headers[i]->control, at);
    }
    unsigned lane = 0;
    for (const auto* unit : {root.__PVT__sfu__DOT__gen_unit__BRA__0__KET____DOT__u_lane,
                             root.__PVT__sfu__DOT__gen_unit__BRA__1__KET____DOT__u_lane,
                             root.__PVT__sfu__DOT__gen_unit__BRA__2__KET____DOT__u_lane,
                             root.__PVT__sfu__DOT__gen_unit__BRA__3__KET____DOT__u_lane}) {
      for (unsigned i = 0; i < std::size(headers); ++i)
        unpack_lane(bits_of(unit->u_observer__DOT__header, header_bits * i, header_bits).words.data(), lane,
                    *headers[i]);
      unpack_lane(unit->u_observer__DOT__looked_up.data(), lane, datapath.looked_up);
      unpack_lane(unit->u_observer__DOT__squared.data(), lane, datapath.squared);
      unpack_lane(unit->u_observer__DOT__products.data(), lane, datapath.products);
      unpack_lane(PackedBits(unit->u_observer__DOT__sum).words.data(), lane, datapath.sum);
      unpack_lane(PackedBits(unit->u_observer__DOT__counted).words.data(), lane, datapath.counted);
      ++lane;
    }
    std::vector<sfu::Result> results(this->stages() + 2 - sfu::Datapath::kStages);
    const unsigned result_bits = packed_lane_width<sfu::Result>();
    for (unsigned i = 0; i < results.size(); ++i) {
      for (unsigned l = 0; l < sfu::kMaxLanes; ++l)
        unpack_lane(
            bits_of(root.sfu__DOT__u_observer__DOT__results, (i * sfu::kMaxLanes + l) * result_bits, result_bits)
                .words.data(),
            l, results[i]);
    }
    datapath.result = results[0];

    const unsigned delays = static_cast<unsigned>(results.size()) - 1;
    const unsigned width = packed_width<sfu::Datapath>() + delays * packed_width<sfu::Result>();
    PackedBits bits;
    bits.words.resize((width + 31) / 32);
    packed_detail::Packer at(bits.words.data(), width);
    visit_fields(datapath, at);
    for (unsigned i = delays; i > 0; --i) visit_fields(results[i], at);
    return bits;
  }
};

using SfuRtl = SfuTwin<Vsfu>;

}  // namespace g80
