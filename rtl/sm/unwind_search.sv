// SPDX-License-Identifier: Apache-2.0
// Finds the youngest entry on chip at which the search for lanes that run ends, and counts the calls above it. It is
// what unwind() in hw/sm/warp_control.cpp does entry by entry.
module unwind_search #(
  localparam int unsigned Places = g80_pkg::MaxSmStackOnChip,
  localparam int unsigned PlaceW = $clog2(Places),
  localparam int unsigned CountW = $clog2(Places + 1),
  localparam int unsigned EntryW = g80_pkg::StackEntryWidth,
  localparam int unsigned Lanes  = g80_pkg::WarpSize
) (
  input  logic [Places-1:0][EntryW-1:0] entry_i,        // a ring
  input  logic [PlaceW-1:0]             oldest_i,       // its place
  input  logic [CountW-1:0]             count_i,
  input  logic [Lanes-1:0]              runnable_i,
  input  logic [Lanes-1:0]              broke_i,
  input  logic [Lanes-1:0]              returned_i,

  output logic                          found_o,
  output logic [PlaceW-1:0]             place_o,
  output logic [PlaceW-1:0]             number_o,       // counted from the oldest
  output logic [CountW-1:0]             calls_o,        // entries of calls above it, or all if none is found
  output logic [CountW-1:0]             limited_calls_o
);
  // Entries at which the search ends: stops_unwinding() in hw/sm/warp_control.h. One of no type is a fault, as one of
  // quad mode is.
  g80_pkg::stack_entry_t entry;
  logic [PlaceW-1:0]     number;
  logic [Lanes-1:0]      lanes;    // that the entry may set to run
  logic                  faulty;
  logic [Places-1:0]     wanting;  // the last place first

  always_comb begin : look
    for (int p = 0; p < Places; p++) begin
      entry  = entry_i[p];
      number = PlaceW'(p) - oldest_i;
      faulty = 1'b0;
      lanes  = runnable_i;
      case (entry.type_)
        g80_pkg::StackEntryTypeBranch, g80_pkg::StackEntryTypeJoinat:    lanes = runnable_i;
        g80_pkg::StackEntryTypeBreak:                                    lanes = runnable_i | broke_i;
        g80_pkg::StackEntryTypeCall, g80_pkg::StackEntryTypeCallLimited: lanes = runnable_i | returned_i;
        default:                                                         faulty = 1'b1;
      endcase
      wanting[Places-1-p] = {1'b0, number} < count_i && (faulty || (entry.mask & lanes) != '0);
    end
  end

  // From the youngest entry down, which is below the tail, and around the end of the ring
  logic [PlaceW-1:0] tail, index;

  assign tail = oldest_i + count_i[PlaceW-1:0];

  round_robin #(.Width(Places)) u_search (
    .wanting_i(wanting),
    .last_i   (~tail),
    .found_o,
    .index_o  (index)
  );
  assign place_o  = ~index;
  assign number_o = place_o - oldest_i;

  // Entries of calls above it
  g80_pkg::stack_entry_t each;
  logic [PlaceW-1:0]     its_number;
  logic                  above;
  logic [Places-1:0]     call, limited;

  always_comb begin : find_calls
    for (int p = 0; p < Places; p++) begin
      each       = entry_i[p];
      its_number = PlaceW'(p) - oldest_i;
      above      = {1'b0, its_number} < count_i && (!found_o || its_number > number_o);
      limited[p] = above && each.type_ == g80_pkg::StackEntryTypeCallLimited;
      call[p]    = above && (each.type_ == g80_pkg::StackEntryTypeCall ||
                             each.type_ == g80_pkg::StackEntryTypeCallLimited);
    end
  end

  popcount #(.Width(Places)) u_calls (
    .mask_i (call),
    .count_o(calls_o)
  );
  popcount #(.Width(Places)) u_limited_calls (
    .mask_i (limited),
    .count_o(limited_calls_o)
  );
endmodule
