// SPDX-License-Identifier: Apache-2.0
// The tags of a G80's texture cache, and those of one with fewer ways than ports. Both see the same texels.
module texture_tag_sizes (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              flush_i,
  input  logic [15:0]       wanted_i,
  input  logic [15:0][26:0] line_i,
  input  logic [1:0]        may_miss_i,
  output logic [1:0][15:0]  served_o,
  output logic [1:0]        all_o,
  output logic [1:0]        miss_o,
  output logic [15:0][7:0]  slot_o,
  output logic [7:0]        miss_slot_o,
  output logic [15:0][3:0]  few_slot_o,
  output logic [3:0]        few_miss_slot_o
);
  texture_tags u_chip (
    .clk_i,
    .rst_ni,
    .flush_i,
    .wanted_i,
    .line_i,
    .may_miss_i (may_miss_i[0]),
    .served_o   (served_o[0]),
    .all_o      (all_o[0]),
    .slot_o,
    .miss_o     (miss_o[0]),
    .miss_slot_o
  );
  texture_tags #(
    .Ways(2)
  ) u_few (
    .clk_i,
    .rst_ni,
    .flush_i,
    .wanted_i,
    .line_i,
    .may_miss_i (may_miss_i[1]),
    .served_o   (served_o[1]),
    .all_o      (all_o[1]),
    .slot_o     (few_slot_o),
    .miss_o     (miss_o[1]),
    .miss_slot_o(few_miss_slot_o)
  );
endmodule
