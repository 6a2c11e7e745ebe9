// SPDX-License-Identifier: Apache-2.0
// Flops in a row, in the clock of the side that reads: they bring over a word of the other clock of which at most one
// bit changes at an edge.
module synchroniser #(
  parameter int unsigned Width = 1,
  parameter int unsigned Flops = 1  // 0: a wire
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
  if (Flops == 0) begin : gen_wire
    logic unused;

    assign unused = clk_i & rst_ni;
    assign data_o = data_i;
  end else begin : gen_flops
    localparam int unsigned All = Flops * Width;
    logic [All-1:0] flop_q;

    assign data_o = flop_q[All-1-:Width];

    always_ff @(posedge clk_i or negedge rst_ni) begin : registers
      if (!rst_ni) flop_q <= '0;
      else flop_q <= All'({flop_q, data_i});
    end
  end
endmodule
