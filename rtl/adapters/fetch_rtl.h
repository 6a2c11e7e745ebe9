// SPDX-License-Identifier: Apache-2.0
// rtl/sm/fetch.sv in the place of hw/sm/fetch.h.
#pragma once
#include "rtl/adapters/verilated_twin.h"

#include "fetch_pins.h"

namespace g80 {

template <class Model>
class FetchTwin final : public VerilatedTwin<Fetch, Model> {
 public:
  static constexpr const char* kDecides = "the warp that fetches, and how many bytes";

  FetchTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<Fetch, Model>(name, config) {
    this->strap("cfg_fetch_bytes_i", config.sm.fetch_bytes);
    this->strap("cfg_ibuffer_entries_i", config.sm.ibuffer_entries);
  }
};

using FetchRtl = FetchTwin<Vfetch>;

}  // namespace g80
