// SPDX-License-Identifier: Apache-2.0
// rtl/cache/constant_cache.sv in the place of hw/cache/constant_cache.h.
#pragma once
#include "rtl/adapters/cache_straps.h"
#include "rtl/adapters/verilated_twin.h"

#include "constant_cache_pins.h"

namespace g80 {

template <class Model>
class ConstantCacheTwin final : public VerilatedTwin<ConstantCache, Model> {
 public:
  static constexpr const char* kDecides = "which lanes share one read of c[], and which line leaves";

  ConstantCacheTwin(const sc_core::sc_module_name& name, const Config& config)
      : VerilatedTwin<ConstantCache, Model>(name, config) {
    const auto& ccache = config.ccache;
    strap_cache(*this, {ccache.l1_bytes, ccache.l1_ways, ccache.line_bytes, ccache.l1_replacement}, ccache.mshrs,
                "ccache.l1_replacement", "constant_cache");
    this->strap("cfg_rests_i", this->half_rate_);
  }

 private:
  void read_by_hand() override { this->take("idle", idle_signal_.is_high(), this->idle_); }

  const Pin idle_signal_ = this->signal("idle");
};

using ConstantCacheRtl = ConstantCacheTwin<Vconstant_cache>;

}  // namespace g80
