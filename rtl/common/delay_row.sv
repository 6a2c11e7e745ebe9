// SPDX-License-Identifier: Apache-2.0
// Registers in a row that only delay bundles whose most significant bit says whether they are valid. Twin of
// RegisterRow in hw/common/delay_registers.h. A strap says how many of them there are; without any, a bundle comes out
// as it goes in.
module delay_row #(
  parameter int unsigned Depth = 2,
  parameter int unsigned Width = 32,
  localparam int unsigned IndexW = $clog2(Depth),
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [CountW-1:0] cfg_stages_i,
  input  logic [Width-1:0]  data_i,
  output logic [Width-1:0]  data_o,
  output logic              empty_o        // after the coming edge
);
  logic [Depth-1:0][Width-1:0] stage_d, stage_q;
  logic [Depth-1:0]            valid;  // after the coming edge
  logic [Width-1:0]            incoming;
  logic [IndexW-1:0]           last;

  always_comb begin : shift
    for (int i = 0; i < Depth; i++) begin
      incoming   = i == 0 ? data_i : stage_q[i-1];
      stage_d[i] = stage_q[i];
      // Where neither is valid, the register keeps its bits.
      if (CountW'(i) < cfg_stages_i && (incoming[Width-1] || stage_q[i][Width-1])) stage_d[i] = incoming;
      valid[i] = stage_d[i][Width-1];
    end
  end

  assign last    = IndexW'(cfg_stages_i - CountW'(1));
  assign data_o  = cfg_stages_i == '0 ? data_i : stage_q[last];
  assign empty_o = valid == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      for (int i = 0; i < Depth; i++) stage_q[i] <= '0;
    end else begin
      stage_q <= stage_d;
    end
  end
endmodule
