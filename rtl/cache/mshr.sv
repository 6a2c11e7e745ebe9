// SPDX-License-Identifier: Apache-2.0
// Miss status holding registers, as hw/cache/mshr.h: the outstanding lines, and a list of waiters for each.
//
// The waiters of all lines share one memory; a list is a chain of places in it. A second memory keeps the first waiter
// of each line, which the request to the next level names: the chain is read for another line at the same time.
module mshr #(
  parameter int unsigned Entries = 32,
  parameter int unsigned Places  = 64,
  parameter int unsigned LineW   = 27,
  parameter int unsigned Width   = 8,  // of a waiter
  localparam int unsigned EntryW = $clog2(Entries),
  localparam int unsigned PlaceW = $clog2(Places)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Strap
  input  logic [EntryW:0]   cfg_entries_i,

  input  logic              stale_i,          // the outstanding lines become stale, first of all

  // A miss: waits if it can
  input  logic              miss_i,
  input  logic [LineW-1:0]  line_i,
  input  logic [Width-1:0]  waiter_i,
  output logic              merge_o,
  output logic              allocate_o,       // the line must be asked for
  output logic [EntryW-1:0] new_entry_o,      // ... in this register

  // The register whose line comes
  input  logic [EntryW-1:0] come_entry_i,
  output logic              come_used_o,
  output logic              come_stale_o,
  output logic [LineW-1:0]  come_line_o,

  // The register whose line has come; not in a cycle with a miss
  input  logic [EntryW-1:0] fill_entry_i,
  output logic [Width-1:0]  fill_waiter_o,    // in front
  output logic              fill_last_o,      // no other waits behind it
  input  logic              pop_i,            // it leaves

  // The line to ask for
  input  logic              send_new_i,       // that of the miss of this cycle
  input  logic [EntryW-1:0] send_entry_i,
  output logic [LineW-1:0]  send_line_o,
  output logic [Width-1:0]  send_waiter_o,

  output logic              empty_o           // before this cycle
);
  // Registers
  logic [Entries-1:0]             used_d, used_q;
  logic [Entries-1:0]             stale_d, stale_q;
  logic [Entries-1:0][LineW-1:0]  line_d, line_q;
  logic [Entries-1:0][PlaceW-1:0] first_d, first_q;  // places of the waiters
  logic [Entries-1:0][PlaceW-1:0] last_d, last_q;
  logic [Places-1:0]              taken_d, taken_q;

  // Where a miss goes
  logic [Entries-1:0] stale, same, free;
  logic               found, has_free, has_place;
  logic [EntryW-1:0]  found_entry, entry;
  logic [PlaceW-1:0]  place;

  assign stale = stale_i ? used_q : stale_q;
  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    assign same[e] = used_q[e] && !stale[e] && line_q[e] == line_i;
    assign free[e]    = !used_q[e] && (EntryW+1)'(e) < cfg_entries_i;
  end

  lowest_set #(.Width(Entries)) u_found (
    .mask_i (same),
    .found_o(found),
    .index_o(found_entry)
  );
  lowest_set #(.Width(Entries)) u_free (
    .mask_i (free),
    .found_o(has_free),
    .index_o(new_entry_o)
  );
  lowest_set #(.Width(Places)) u_place (
    .mask_i (~taken_q),
    .found_o(has_place),
    .index_o(place)
  );
  assign merge_o    = has_place && found && miss_i;  // the tags say late what is a miss
  assign allocate_o = has_place && !found && has_free && miss_i;
  assign entry      = found ? found_entry : new_entry_o;

  // The waiters
  logic              waits;
  logic [PlaceW-1:0] front, behind;

  assign waits = merge_o || allocate_o;
  assign front = first_q[fill_entry_i];

  sram_1r1w #(
    .Words(Places),
    .Width(Width)
  ) u_waiter (
    .clk_i,
    .write_i        (waits),
    .write_address_i(place),
    .write_data_i   (waiter_i),
    .read_address_i (front),
    .read_data_o    (fill_waiter_o)
  );
  sram_1r1w #(
    .Words(Places),
    .Width(PlaceW)
  ) u_next (
    .clk_i,
    .write_i        (merge_o),
    .write_address_i(last_q[entry]),
    .write_data_i   (place),
    .read_address_i (front),
    .read_data_o    (behind)
  );

  assign come_used_o  = used_q[come_entry_i];
  assign come_stale_o = stale[come_entry_i];
  assign come_line_o  = line_q[come_entry_i];
  assign fill_last_o  = front == last_q[fill_entry_i];

  // The line to ask for
  logic [Width-1:0] first_waiter;

  sram_1r1w #(
    .Words(Entries),
    .Width(Width)
  ) u_first (
    .clk_i,
    .write_i        (allocate_o),
    .write_address_i(new_entry_o),
    .write_data_i   (waiter_i),
    .read_address_i (send_entry_i),
    .read_data_o    (first_waiter)
  );
  assign send_line_o   = send_new_i ? line_i : line_q[send_entry_i];
  assign send_waiter_o = send_new_i ? waiter_i : first_waiter;

  always_comb begin : next_registers
    used_d  = used_q;
    stale_d = stale;
    line_d  = line_q;
    first_d = first_q;
    last_d  = last_q;
    taken_d = taken_q;
    if (waits) begin
      last_d[entry]  = place;
      taken_d[place] = 1'b1;
    end
    if (allocate_o) begin
      used_d[new_entry_o]  = 1'b1;
      stale_d[new_entry_o] = 1'b0;
      line_d[new_entry_o]  = line_i;
      first_d[new_entry_o] = place;
    end
    if (pop_i) begin
      taken_d[front]        = 1'b0;
      first_d[fill_entry_i] = behind;
      if (fill_last_o) used_d[fill_entry_i] = 1'b0;
    end
  end

  assign empty_o = used_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      used_q  <= '0;
      stale_q <= '0;
      line_q  <= '0;
      first_q <= '0;
      last_q  <= '0;
      taken_q <= '0;
    end else begin
      used_q  <= used_d;
      stale_q <= stale_d;
      line_q  <= line_d;
      first_q <= first_d;
      last_q  <= last_d;
      taken_q <= taken_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      LineIsAskedForOnce: assert ((same & (same - Entries'(1))) == '0);
      WaiterOfAnOutstandingLineLeaves: assert (!pop_i || (used_q[fill_entry_i] && taken_q[front]));
      ListsChangeOneAtATime: assert (!(pop_i && waits));
    end
  end
endmodule
