// SPDX-License-Identifier: Apache-2.0
// rtl/cache/instruction_cache.sv in the place of hw/cache/instruction_cache.h.
#pragma once
#include "rtl/adapters/cache_straps.h"
#include "rtl/adapters/verilated_twin.h"

#include "instruction_cache_pins.h"

namespace g80 {

template <class Model>
class InstructionCacheTwin final : public VerilatedTwin<InstructionCache, Model> {
 public:
  static constexpr const char* kDecides = "whether a fetch hits, and which line leaves";

  InstructionCacheTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<InstructionCache, Model>(name, config) {
    const auto& icache = config.icache;
    strap_cache(*this, {icache.l1_bytes, icache.l1_ways, icache.line_bytes, icache.l1_replacement}, config.ccache.mshrs,
                "icache.l1_replacement", "instruction_cache");
    this->strap("cfg_stages_i", config.icache.l1_latency - 1);
  }

 private:
  void read_by_hand() override { this->take("idle", idle_signal_.is_high(), this->idle_); }

  const Pin idle_signal_ = this->signal("idle");
};

using InstructionCacheRtl = InstructionCacheTwin<Vinstruction_cache>;

}  // namespace g80
