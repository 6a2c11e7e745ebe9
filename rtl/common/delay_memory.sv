// SPDX-License-Identifier: Apache-2.0
// A memory that only delays bundles whose most significant bit says whether they are valid. Twin of DelayWords in
// hw/common/delay_memory.h. A strap says after how many cycles they come out; after none, a bundle comes out as it
// goes in.
module delay_memory #(
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
  logic [Depth-1:0]  valid_d, valid_q;
  logic [IndexW-1:0] next_d, next_q;  // the word that leaves in this cycle: its place is free for what comes
  logic [Width-2:0]  word;
  logic              comes, moves;

  assign comes = data_i[Width-1] && cfg_stages_i != '0;
  assign moves = comes || valid_q != '0;

  always_comb begin : next
    valid_d = valid_q;
    if (moves) valid_d[next_q] = comes;
  end
  assign next_d = !moves ? next_q : CountW'(next_q) + CountW'(1) == cfg_stages_i ? '0 : next_q + IndexW'(1);

  sram_1r1w #(
    .Words(Depth),
    .Width(Width - 1)
  ) u_memory (
    .clk_i,
    .write_i        (comes),
    .write_address_i(next_q),
    .write_data_i   (data_i[Width-2:0]),
    .read_address_i (next_q),
    .read_data_o    (word)
  );

  assign data_o  = cfg_stages_i == '0 ? data_i : valid_q[next_q] ? {1'b1, word} : '0;
  assign empty_o = valid_d == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      valid_q <= '0;
      next_q  <= '0;
    end else begin
      valid_q <= valid_d;
      next_q  <= next_d;
    end
  end
endmodule
