// SPDX-License-Identifier: Apache-2.0
// The stage `look up` of the texture L2, with a waiter that leaves in front of it: answer() and look_up() of
// hw/tex/texture_l2.h, where the least recently used line leaves. A hit goes on with its slot. A miss joins its line's
// register, or takes a register and a way; who waits for the line of that way before is answered, but it is not kept.
//
// The tags of all ways and the lines of all registers are compared at once. The way of a miss is found while it is not
// known yet whether it is one, and the registers of its set by way, so that the choice of the way comes last.
module texture_l2_lookup #(
  parameter int unsigned LineW   = 27,
  parameter int unsigned Sets    = 128,
  parameter int unsigned Ways    = 8,
  parameter int unsigned Entries = 64,  // miss registers
  parameter int unsigned Places  = 64,  // for those who wait
  localparam int unsigned SetW   = $clog2(Sets),
  localparam int unsigned WayW   = $clog2(Ways),
  localparam int unsigned TagW   = LineW - SetW,
  localparam int unsigned SlotW  = SetW + WayW,
  localparam int unsigned EntryW = $clog2(Entries),
  localparam int unsigned PlaceW = $clog2(Places)
) (
  input  logic                           clk_i,
  input  logic                           flush_i,
  // Registers: the read; the line that has come; is one in front of the words, and have `replies` no place
  input  logic                           valid_i,
  input  logic [LineW-1:0]               line_i,
  input  logic                           fill_answers_i,
  input  logic                           fill_writes_i,
  input  logic [SlotW-1:0]               fill_slot_i,
  input  logic [EntryW-1:0]              fill_entry_i,
  input  logic                           access_i,
  input  logic                           full_i,
  input  logic                           may_ask_i,  // the partition
  // From the memories of tags and words: the set of the read
  input  logic [Ways-1:0]                tag_valid_i,
  input  logic [Ways-1:0][TagW-1:0]      tag_i,
  input  logic [Ways-1:0][WayW-1:0]      age_i,
  input  logic [Ways-1:0]                come_i,     // the words are there
  // Miss registers
  input  logic [Entries-1:0]             used_i,
  input  logic [Entries-1:0]             stale_i,
  input  logic [Entries-1:0][LineW-1:0]  entry_line_i,
  input  logic [Entries-1:0][SlotW-1:0]  entry_slot_i,
  input  logic [Entries-1:0][PlaceW-1:0] first_i,
  input  logic [Entries-1:0][PlaceW-1:0] last_i,
  input  logic [Places-1:0]              taken_i,
  // Behind the edge
  output logic                           hit_o,
  output logic                           merge_o,
  output logic                           allocate_o,
  output logic [WayW-1:0]                way_o,
  output logic [EntryW-1:0]              entry_o,
  output logic [PlaceW-1:0]              place_o,    // of a read that waits
  output logic [PlaceW-1:0]              behind_o,   // ... behind this one, if it joins others
  output logic [Ways-1:0][WayW-1:0]      age_o,
  output logic [Ways-1:0]                come_o,
  output logic [Entries-1:0]             used_o,
  output logic [Entries-1:0]             stale_o,
  output logic [Places-1:0]              taken_o
);
  logic [SetW-1:0]               set;
  logic [TagW-1:0]               tag;
  // The waiter that leaves
  logic                          leaves, empties;
  logic [PlaceW-1:0]             leaving, last_leaving;
  logic [Entries-1:0]            used, stale;
  logic [Places-1:0]             taken;
  // The ways
  logic [Ways-1:0]               valid, come, match, oldest, way;
  logic                          goes, hit, present, has_free_way;
  logic [WayW-1:0]               free_way, way_number, age;
  // The miss registers
  logic [Entries-1:0]            same, lost, allocated;
  logic [Entries-1:0][Ways-1:0]  keeps;  // the line that has this way
  logic                          joins, has_free_entry, has_place, merges, allocates, waits;
  logic [EntryW-1:0]             free_entry, same_entry;
  logic [PlaceW-1:0]             place, behind;

  assign set = line_i[SetW-1:0];
  assign tag = line_i[LineW-1:SetW];

  assign leaves       = fill_answers_i && !full_i;
  assign leaving      = first_i[fill_entry_i];
  assign last_leaving = last_i[fill_entry_i];
  assign empties      = leaves && leaving == last_leaving;
  for (genvar e = 0; e < Entries; e++) begin : gen_used
    assign used[e] = used_i[e] && !(empties && fill_entry_i == EntryW'(e));
  end
  for (genvar p = 0; p < Places; p++) begin : gen_taken
    assign taken[p] = taken_i[p] && !(leaves && leaving == PlaceW'(p));
  end
  assign stale = flush_i ? used_i : stale_i;

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    assign valid[w]  = tag_valid_i[w] && !flush_i;
    assign match[w]  = valid[w] && tag_i[w] == tag;
    assign come[w]   = come_i[w] || (fill_writes_i && fill_slot_i == {set, WayW'(w)});
    assign oldest[w] = age_i[w] == WayW'(Ways - 1);
    assign way[w]    = present ? match[w] : has_free_way ? free_way == WayW'(w) : oldest[w];
  end
  assign present = |match;
  lowest_set #(.Width(Ways)) u_free_way (
    .mask_i (~valid),
    .found_o(has_free_way),
    .index_o(free_way)
  );

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    assign same[e] = used[e] && !stale[e] && entry_line_i[e] == line_i;
    for (genvar w = 0; w < Ways; w++) begin : gen_way
      assign keeps[e][w] = used[e] && entry_slot_i[e] == {set, WayW'(w)};
    end
    assign lost[e]      = |(keeps[e] & way);
    assign allocated[e] = allocates && free_entry == EntryW'(e);
  end
  assign joins = |same;
  lowest_set #(.Width(Entries)) u_free_entry (
    .mask_i (~used),
    .found_o(has_free_entry),
    .index_o(free_entry)
  );
  lowest_set #(.Width(Places)) u_place (
    .mask_i (~taken),
    .found_o(has_place),
    .index_o(place)
  );

  assign goes      = valid_i && !(access_i && (full_i || fill_answers_i));
  assign hit       = |(match & come);
  assign merges    = goes && !hit && has_place && joins;
  assign allocates = goes && !hit && has_place && !joins && has_free_entry && may_ask_i;
  assign waits     = merges || allocates;

  always_comb begin : encode
    same_entry = '0;
    behind     = '0;
    for (int e = 0; e < Entries; e++) begin
      if (same[e]) same_entry |= EntryW'(e);
      if (same[e]) behind |= last_i[e];
    end
    way_number = '0;
    age        = '0;
    for (int w = 0; w < Ways; w++) begin
      if (way[w]) way_number |= WayW'(w);
      if (way[w]) age |= age_i[w];
    end
  end

  always_ff @(posedge clk_i) begin : registers
    hit_o      <= goes && hit;
    merge_o    <= merges;
    allocate_o <= allocates;
    way_o      <= way_number;
    entry_o    <= joins ? same_entry : free_entry;
    place_o    <= place;
    behind_o   <= behind;
    used_o     <= used | allocated;
    stale_o    <= (stale | (allocates ? lost : '0)) & ~allocated;
    for (int p = 0; p < Places; p++) taken_o[p] <= taken[p] || (waits && place == PlaceW'(p));
    for (int w = 0; w < Ways; w++) begin
      come_o[w] <= come[w] && !(allocates && way[w]);
      age_o[w]  <= !(allocates || (goes && hit)) ? age_i[w] : way[w] ? '0 : age_i[w] + WayW'(age_i[w] < age);
    end
  end
endmodule
