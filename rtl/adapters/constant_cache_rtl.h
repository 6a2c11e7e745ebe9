// SPDX-License-Identifier: Apache-2.0
// rtl/cache/constant_cache.sv in the place of hw/cache/constant_cache.h.
#pragma once
#include "hw/cache/constant_cache.h"
#include "rtl/adapters/cache_straps.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vconstant_cache.h"
#include "Vconstant_cache___024root.h"

namespace g80 {

template <class Model>
class ConstantCacheTwin final : public VerilatedTwin<ConstantCache, Model> {
 public:
  static constexpr const char* kDecides = "which lanes share one read of c[], and which line leaves";

  ConstantCacheTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<ConstantCache, Model>(name, config) {
    const auto& ccache = config.ccache;
    strap_cache(model_, {ccache.l1_bytes, ccache.l1_ways, ccache.line_bytes, ccache.l1_replacement}, ccache.mshrs,
                "ccache.l1_replacement", "constant_cache");
    model_.cfg_rests_i = static_cast<std::uint8_t>(this->rests_);
  }

 private:
  using VerilatedTwin<ConstantCache, Model>::model_;

  void write_pins(Cycle) override {
    to_pin(this->request_i.read(), model_.request_i);
    to_pin(this->kernel_i.read(), model_.kernel_i);
    to_pin(this->line_ready_i.read(), model_.line_ready_i);
    to_pin(this->fill_i.read(), model_.fill_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->constant_cache__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    const auto& root = *model_.rootp;
    this->take_pin("registers", root.constant_cache__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", root.constant_cache__DOT__u_observer__DOT__counters_q, this->counters_);
    this->take("idle", root.constant_cache__DOT__u_observer__DOT__idle != 0, this->idle_);
  }
  PackedBits inside() const override { return model_.rootp->constant_cache__DOT__u_observer__DOT__queues; }
  void drive_pins() override {
    this->show(model_.request_ready_o, this->request_ready_o);
    this->show(model_.reply_o, this->reply_o);
    this->show(model_.line_o, this->line_o);
    this->show(model_.fill_ready_o, this->fill_ready_o);
  }
};

using ConstantCacheRtl = ConstantCacheTwin<Vconstant_cache>;

}  // namespace g80
