// SPDX-License-Identifier: Apache-2.0
// Pipeline registers that only delay, each with its own enable. The strap says which of them is the last one.
module delay_line #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 2,
  localparam int unsigned IndexW = $clog2(Depth)
) (
  input  logic              clk_i,
  input  logic [IndexW-1:0] cfg_last_i,   // index of the last register
  input  logic [Depth-1:0]  enable_i,     // a register takes what is in front of it
  input  logic [Width-1:0]  data_i,
  output logic [Width-1:0]  first_o,      // the first register
  output logic [Width-1:0]  last_o,       // the last one
  output logic [Width-1:0]  last_next_o   // ... and what it holds after the coming edge
);
  logic [Depth-1:0][Width-1:0] data_d, data_q;

  always_comb begin : shift
    data_d = data_q;
    if (enable_i[0]) data_d[0] = data_i;
    for (int i = 1; i < Depth; i++) begin
      if (enable_i[i]) data_d[i] = data_q[i-1];
    end
  end

  assign first_o     = data_q[0];
  assign last_o      = data_q[cfg_last_i];
  assign last_next_o = data_d[cfg_last_i];

  always_ff @(posedge clk_i) begin : registers
    data_q <= data_d;
  end
endmodule
