// SPDX-License-Identifier: Apache-2.0
// A block by itself: its own process on clk_i.
#include "hw/common/clocked.h"

namespace g80 {

void ClockedBase::end_of_elaboration() {
  if (clk_i.size() == 0) return;
  CHECK(domain_ == nullptr, "{}: clk_i is bound although the block belongs to a clock domain", name());
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&clk_i->posedge_event());
  sc_core::sc_spawn([this] { clock_edge(); }, "edge", &options);
  hold_reset();
  commit();
}

void ClockedBase::clock_edge() {
  own_now_ = {own_now_.edge + 1, sc_core::sc_time_stamp().value()};
  if (rst_ni.size() != 0 && !rst_ni->read()) {
    hold_reset();
  } else {
    step();
  }
  sleep_requested = false;
  commit();
}

}  // namespace g80
