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
  logic [Depth-1:0]            valid_q, valid_d, incoming;  // a bundle is in the register; comes to it
  logic [IndexW-1:0]           last;

  always_comb begin : find_valid
    for (int i = 0; i < Depth; i++) valid_q[i] = stage_q[i][Width-1];
    incoming = {valid_q[Depth-2:0], data_i[Width-1]};
    for (int i = 0; i < Depth; i++) valid_d[i] = CountW'(i) < cfg_stages_i ? incoming[i] : valid_q[i];
  end

  // Where neither is valid, the register keeps its bits.
  always_comb begin : shift
    stage_d = stage_q;
    for (int i = 0; i < Depth; i++) begin
      if (CountW'(i) < cfg_stages_i && (incoming[i] || valid_q[i])) stage_d[i] = i == 0 ? data_i : stage_q[i-1];
    end
  end

  assign last    = IndexW'(cfg_stages_i - CountW'(1));
  assign data_o  = cfg_stages_i == '0 ? data_i : stage_q[last];
  assign empty_o = valid_d == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      for (int i = 0; i < Depth; i++) stage_q[i] <= '0;
    end else begin
      stage_q <= stage_d;
    end
  end
endmodule
