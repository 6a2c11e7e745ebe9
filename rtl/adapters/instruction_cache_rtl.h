// SPDX-License-Identifier: Apache-2.0
// rtl/cache/instruction_cache.sv in the place of hw/cache/instruction_cache.h.
#pragma once
#include "hw/cache/instruction_cache.h"
#include "rtl/adapters/cache_straps.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vinstruction_cache.h"
#include "Vinstruction_cache___024root.h"

namespace g80 {

template <class Model>
class InstructionCacheTwin final : public VerilatedTwin<InstructionCache, Model> {
 public:
  static constexpr const char* kDecides = "whether a fetch hits, and which line leaves";

  InstructionCacheTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<InstructionCache, Model>(name, config) {
    const auto& icache = config.icache;
    strap_cache(model_, {icache.l1_bytes, icache.l1_ways, icache.line_bytes, icache.l1_replacement},
                config.ccache.mshrs, "icache.l1_replacement", "instruction_cache");
    model_.cfg_stages_i = static_cast<std::uint8_t>(config.icache.l1_latency - 1);
  }

 private:
  using VerilatedTwin<InstructionCache, Model>::model_;

  void write_pins(Cycle) override {
    to_pin(this->fetch_i.read(), model_.fetch_i);
    to_pin(this->kernel_i.read(), model_.kernel_i);
    to_pin(this->line_ready_i.read(), model_.line_ready_i);
    to_pin(this->fill_i.read(), model_.fill_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->instruction_cache__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    const auto& root = *model_.rootp;
    this->take_pin("registers", root.instruction_cache__DOT__u_observer__DOT__registers, this->d_);
    this->take_pin("counters", root.instruction_cache__DOT__u_observer__DOT__counters_q, this->counters_);
    this->take("idle", root.instruction_cache__DOT__u_observer__DOT__idle != 0, this->idle_);
  }
  PackedBits inside() const override { return model_.rootp->instruction_cache__DOT__u_observer__DOT__queues; }
  void drive_pins() override {
    this->show(model_.fetch_ready_o, this->fetch_ready_o);
    this->show(model_.reply_o, this->reply_o);
    this->show(model_.line_o, this->line_o);
    this->show(model_.fill_ready_o, this->fill_ready_o);
    this->show(model_.waits_o, this->waits_o);
  }
};

using InstructionCacheRtl = InstructionCacheTwin<Vinstruction_cache>;

}  // namespace g80
