// SPDX-License-Identifier: Apache-2.0
// An edge of a Verilated model that has the clock clk_i.
#pragma once

namespace g80::testing {

/// The rising edge, behind a low half in which the inputs settle.
template <class Model>
void clock_edge(Model& model) {
  model.clk_i = 0;
  model.eval();
  model.clk_i = 1;
  model.eval();
}

}  // namespace g80::testing
