// SPDX-License-Identifier: Apache-2.0
// rtl/sm/fetch.sv in the place of hw/sm/fetch.h.
#pragma once
#include "hw/sm/fetch.h"
#include "rtl/adapters/verilated_twin.h"

#include "Vfetch.h"
#include "Vfetch___024root.h"

namespace g80 {

template <class Model>
class FetchTwin final : public VerilatedTwin<Fetch, Model> {
 public:
  static constexpr const char* kDecides = "the warp that fetches, and how many bytes";

  FetchTwin(const sc_core::sc_module_name& name, const Config& config) : VerilatedTwin<Fetch, Model>(name, config) {
    model_.cfg_fetch_bytes_i = static_cast<std::uint8_t>(config.sm.fetch_bytes);
    model_.cfg_ibuffer_entries_i = static_cast<std::uint8_t>(config.sm.ibuffer_entries);
  }

 private:
  using VerilatedTwin<Fetch, Model>::model_;

  void write_pins(Cycle) override {
    to_pin(this->launch_i.read().code_base, model_.launch_code_base_i);
    to_pin(this->start_i.read(), model_.start_i);
    to_pin(this->redirect_i.read(), model_.redirect_i);
    to_pin(this->level_i.read(), model_.level_i);
    to_pin(this->decoded_i.read(), model_.decoded_i);
    to_pin(this->cache_ready_i.read(), model_.cache_ready_i);
  }
  void at_edge() override { this->sleep_if(model_.rootp->fetch__DOT__u_observer__DOT__sleep != 0); }
  void read_pins() override {
    this->take_pin("registers", model_.rootp->fetch__DOT__u_observer__DOT__registers, this->d_);
  }
  void drive_pins() override { this->show(model_.request_o, this->request_o); }
};

using FetchRtl = FetchTwin<Vfetch>;

}  // namespace g80
