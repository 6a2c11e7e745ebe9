// SPDX-License-Identifier: Apache-2.0
// The ports and tags of the texture cache of a G80, the ports of one with eight address lanes, and tags with fewer ways
// than ports. All see the same texels, and all tags the ports of the first one.
module texture_tag_sizes (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              flush_i,
  input  logic [31:0]       wanted_i,
  input  logic [31:0][26:0] line_i,
  // Of the tags: the ports that were not served, and whether one may miss
  input  logic [1:0][3:0]   left_i,
  input  logic [1:0]        may_miss_i,
  output logic [3:0]        taken_o,
  output logic [3:0][26:0]  line_o,
  output logic [15:0][3:0]  port_o,
  output logic              end_o,
  output logic [3:0]        wide_taken_o,
  output logic [3:0][26:0]  wide_line_o,
  output logic [31:0][3:0]  wide_port_o,
  output logic              wide_end_o,
  output logic [1:0][3:0]   served_o,
  output logic [1:0]        all_o,
  output logic [1:0]        miss_o,
  output logic [3:0][7:0]   slot_o,
  output logic [7:0]        miss_slot_o,
  output logic [3:0][3:0]   few_slot_o,
  output logic [3:0]        few_miss_slot_o
);
  logic [3:0][7:0] set;

  texel_ports #(
    .Texels(16)
  ) u_ports (
    .clk_i,
    .wanted_i(wanted_i[15:0]),
    .line_i  (line_i[15:0]),
    .taken_o,
    .line_o,
    .set_o   (set),
    .port_o,
    .end_o
  );
  texel_ports u_wide (
    .clk_i,
    .wanted_i,
    .line_i,
    .taken_o(wide_taken_o),
    .line_o (wide_line_o),
    .set_o  (),
    .port_o (wide_port_o),
    .end_o  (wide_end_o)
  );
  texture_tags u_chip (
    .clk_i,
    .rst_ni,
    .flush_i,
    .taken_i    (taken_o & left_i[0]),
    .line_i     (line_o),
    .set_i      (set),
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
    .taken_i    (taken_o & left_i[1]),
    .line_i     (line_o),
    .set_i      (set),
    .may_miss_i (may_miss_i[1]),
    .served_o   (served_o[1]),
    .all_o      (all_o[1]),
    .slot_o     (few_slot_o),
    .miss_o     (miss_o[1]),
    .miss_slot_o(few_miss_slot_o)
  );
endmodule
