// SPDX-License-Identifier: Apache-2.0
// A TLB lookup with sixteen entries, and one with three, which see the same entries as far as they have them.
module tlb_lookups #(
  localparam int unsigned Most  = 16,
  localparam int unsigned Few   = 3,
  localparam int unsigned LineW = 13
) (
  input  logic                       clk_i,
  input  logic [LineW-1:0]           line_i,
  input  logic [Most-1:0]            valid_i,
  input  logic [Most-1:0][LineW-1:0] tag_i,
  input  logic [Most-1:0][3:0]       age_i,
  input  logic [Few-1:0][1:0]        few_age_i,
  input  logic                       used_i,
  input  logic [3:0]                 used_slot_i,
  input  logic [1:0]                 few_used_slot_i,
  output logic                       hit_o,
  output logic [3:0]                 slot_o,
  output logic                       few_hit_o,
  output logic [1:0]                 few_slot_o
);
  tlb_lookup #(
    .Entries(Most),
    .LineW  (LineW)
  ) u_most (
    .clk_i,
    .line_i,
    .valid_i,
    .tag_i,
    .age_i,
    .used_i,
    .used_slot_i,
    .hit_o,
    .slot_o
  );
  tlb_lookup #(
    .Entries(Few),
    .LineW  (LineW)
  ) u_few (
    .clk_i,
    .line_i,
    .valid_i    (valid_i[Few-1:0]),
    .tag_i      (tag_i[Few-1:0]),
    .age_i      (few_age_i),
    .used_i,
    .used_slot_i(few_used_slot_i),
    .hit_o      (few_hit_o),
    .slot_o     (few_slot_o)
  );
endmodule
