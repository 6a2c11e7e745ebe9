// SPDX-License-Identifier: Apache-2.0
// The lookup of the first level of the TLB (hw/cache/tlb.h): the entry that covers an address or, if none does, the one
// that a fill takes: the first empty one, else the one used longest ago. A use that is noted at this edge counts.
module tlb_lookup #(
  parameter int unsigned Entries = 16,
  parameter int unsigned LineW   = 13,  // of an address, above the bytes that an entry covers
  localparam int unsigned SlotW = $clog2(Entries)
) (
  input  logic                          clk_i,
  input  logic [LineW-1:0]              line_i,
  // Registers of the entries
  input  logic [Entries-1:0]            valid_i,
  input  logic [Entries-1:0][LineW-1:0] tag_i,
  input  logic [Entries-1:0][SlotW-1:0] age_i,  // how many were used since: each number once
  input  logic                          used_i,
  input  logic [SlotW-1:0]              used_slot_i,
  output logic                          hit_o,
  output logic [SlotW-1:0]              slot_o
);
  logic [Entries-1:0] same, used, oldest, second, leaves;
  logic               hit, hit_q, has_free;
  logic [SlotW-1:0]   match_slot, free_slot, old_slot, slot_q;

  for (genvar i = 0; i < Entries; i++) begin : gen_entry
    assign same[i]   = valid_i[i] && tag_i[i] == line_i;
    assign used[i]   = used_i && used_slot_i == SlotW'(i);
    assign oldest[i] = age_i[i] == SlotW'(Entries - 1);
    assign second[i] = age_i[i] == SlotW'(Entries - 2);
  end
  // If the oldest is being used, the next one is the oldest then.
  assign leaves = |(oldest & used) ? second : oldest;

  lowest_set #(.Width(Entries)) u_match (
    .mask_i (same),
    .found_o(hit),
    .index_o(match_slot)
  );
  lowest_set #(.Width(Entries)) u_free (
    .mask_i (~valid_i),
    .found_o(has_free),
    .index_o(free_slot)
  );
  lowest_set #(.Width(Entries)) u_old (
    .mask_i (leaves),
    .found_o(),
    .index_o(old_slot)
  );

  always_ff @(posedge clk_i) begin : registers
    hit_q  <= hit;
    slot_q <= hit ? match_slot : has_free ? free_slot : old_slot;
  end
  assign hit_o  = hit_q;
  assign slot_o = slot_q;
endmodule
