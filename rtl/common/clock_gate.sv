// SPDX-License-Identifier: Apache-2.0
// A clock that only has the edges at which enable_i is set: the latch holds it while the clock is high, so that the
// gated clock has no short pulses.
module clock_gate (
  input  logic clk_i,
  input  logic enable_i,
  output logic clk_o
);
  logic enable_q;

  always_latch begin : hold
    if (!clk_i) enable_q = enable_i;
  end

  assign clk_o = clk_i && enable_q;
endmodule
