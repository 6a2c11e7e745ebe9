// SPDX-License-Identifier: Apache-2.0
// The lines of a cache with their tags, the outstanding misses with their waiters, and the line that arrived last, as
// hw/cache/line_store.h. The cache around it decides when to look up and when to answer.
//
// In a cycle an address is looked up, or a line arrives or is given to its waiters; never both, so the memories have
// one address each. What a cache reads is a row of 32 words and the place at which the line begins in it.
module line_store #(
  parameter int unsigned Bytes   = 4096,
  parameter int unsigned WaiterW = 8,
  localparam int unsigned Slots   = Bytes / 32,
  localparam int unsigned SlotW   = $clog2(Slots),
  localparam int unsigned LineW   = 27,
  localparam int unsigned Entries = g80_pkg::MaxCcacheMshrs,
  localparam int unsigned EntryW  = $clog2(Entries),
  localparam int unsigned Words   = 32
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // Straps
  input  logic [2:0]                   cfg_line_bits_i,  // of the address of a byte in its line
  input  logic [SlotW-1:0]             cfg_set_mask_i,
  input  logic [4:0]                   cfg_ways_i,
  input  logic [2:0]                   cfg_way_bits_i,
  input  g80_pkg::replacement_policy_e cfg_policy_i,
  input  logic [EntryW:0]              cfg_mshrs_i,

  input  logic                         invalidate_i,     // first of all: empties the cache

  // A line arrives: only while none is being given to its waiters
  input  logic                         fill_i,
  input  logic [EntryW-1:0]            fill_entry_i,
  input  g80_pkg::mem_fault_e          fill_fault_i,
  input  logic [Words-1:0][31:0]       fill_data_i,

  // The line that arrived last, in this cycle at the earliest
  output logic                         filling_o,        // it has waiters
  output logic [WaiterW-1:0]           waiter_o,         // the first of them
  output g80_pkg::mem_fault_e          fault_o,
  input  logic                         next_waiter_i,    // that one is served
  output logic                         filling_next_o,   // after the coming edge

  // Look-up; not while filling
  input  logic                         look_up_i,
  input  logic [31:0]                  address_i,
  input  logic [WaiterW-1:0]           waiter_i,         // waits if the line is not there and can be waited for
  output logic                         hit_o,
  output logic                         merge_o,
  output logic                         miss_o,

  // Data of the hit or, while filling, of the line that arrived
  output logic [Words-1:0][31:0]       row_o,
  output logic [1:0]                   first_o,          // eight words each: where the line begins in the row

  // The oldest miss that was not sent, this cycle's included
  output logic                         unsent_o,
  output logic [EntryW-1:0]            unsent_entry_o,
  output logic [31:0]                  unsent_address_o, // of the line
  output logic [WaiterW-1:0]           unsent_waiter_o,
  input  logic                         send_ready_i,        // it leaves, if there is one
  output logic                         unsent_empty_next_o, // no other is left

  output logic                         no_misses_o       // before this cycle
);
  // Registers
  logic                   filling_d, filling_q;
  logic [EntryW-1:0]      entry_d, entry_q;
  g80_pkg::mem_fault_e    fault_d, fault_q;
  logic [Words-1:0][31:0] data_d, data_q;

  // The line that arrived last
  logic             inserts, fill_used, fill_stale, fill_last;
  logic [LineW-1:0] fill_line;

  assign filling_o      = filling_q || fill_i;
  assign entry_d        = fill_i ? fill_entry_i : entry_q;
  assign fault_d        = fill_i ? fill_fault_i : fault_q;
  assign data_d         = fill_i ? fill_data_i : data_q;
  assign fault_o        = fault_d;
  assign inserts        = fill_i && fill_fault_i == g80_pkg::MemFaultNone && !fill_stale;
  assign filling_d      = filling_o && !(next_waiter_i && fill_last);
  assign filling_next_o = filling_d;

  // Tags
  logic             tag_hit;
  logic [LineW-1:0] line;
  logic [SlotW-1:0] hit_slot, slot;

  assign line  = LineW'(address_i >> cfg_line_bits_i);
  assign hit_o = look_up_i && tag_hit;

  cache_tags #(
    .Slots(Slots),
    .LineW(LineW)
  ) u_tags (
    .clk_i,
    .rst_ni,
    .cfg_set_mask_i,
    .cfg_ways_i,
    .cfg_way_bits_i,
    .cfg_policy_i,
    .clear_i   (invalidate_i),
    .line_i    (fill_i ? fill_line : line),
    .use_i     (look_up_i),
    .insert_i  (inserts),
    .hit_o     (tag_hit),
    .hit_slot_o(hit_slot),
    .slot_o    (slot)
  );

  // Data
  logic [Words-1:0][31:0] row;
  logic [1:0]             first;

  line_data #(
    .Bytes(Bytes),
    .SlotW(SlotW)
  ) u_data (
    .clk_i,
    .cfg_line_bits_i,
    .slot_i     (slot),
    .read_slot_i(hit_slot),
    .write_i    (inserts),
    .line_i     (fill_data_i),
    .row_o      (row),
    .first_o    (first)
  );
  assign row_o   = filling_o ? data_d : row;
  assign first_o = filling_o ? '0 : first;

  // Misses
  logic              sends_new;  // no older miss waits
  logic [EntryW-1:0] miss_entry;
  logic [LineW-1:0]  unsent_line;

  mshr #(
    .Entries(Entries),
    .Places (64),
    .LineW  (LineW),
    .Width  (WaiterW)
  ) u_mshr (
    .clk_i,
    .rst_ni,
    .cfg_entries_i(cfg_mshrs_i),
    .stale_i      (invalidate_i),
    .miss_i       (look_up_i && !tag_hit),
    .line_i       (line),
    .waiter_i,
    .merge_o,
    .allocate_o   (miss_o),
    .new_entry_o  (miss_entry),
    .come_entry_i (fill_entry_i),
    .come_used_o  (fill_used),
    .come_stale_o (fill_stale),
    .come_line_o  (fill_line),
    .fill_entry_i (filling_q ? entry_q : fill_entry_i),
    .fill_waiter_o(waiter_o),
    .fill_last_o  (fill_last),
    .pop_i        (next_waiter_i),
    .send_new_i   (sends_new),
    .send_entry_i (unsent_entry_o),
    .send_line_o  (unsent_line),
    .send_waiter_o(unsent_waiter_o),
    .empty_o      (no_misses_o)
  );
  assign unsent_address_o = 32'(unsent_line) << cfg_line_bits_i;

  shift_queue #(
    .Depth(Entries),
    .Width(EntryW)
  ) u_unsent (
    .clk_i,
    .rst_ni,
    .push_i        (miss_o),
    .data_i        (miss_entry),
    .pop_i         (send_ready_i && unsent_o),
    .empty_o       (sends_new),
    .head_valid_o  (unsent_o),
    .head_o        (unsent_entry_o),
    .empty_next_o  (unsent_empty_next_o),
    .full_next_o   ()
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) filling_q <= 1'b0;
    else         filling_q <= filling_d;
  end

  always_ff @(posedge clk_i) begin : arrived
    entry_q <= entry_d;
    fault_q <= fault_d;
    data_q  <= data_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OneLineAtATime: assert (!(fill_i && filling_q));
      LineWasAskedFor: assert (!fill_i || fill_used);
      NoLookUpBesideALine: assert (!(look_up_i && filling_o));
      WaiterOfALineIsServed: assert (!next_waiter_i || filling_o);
    end
  end
endmodule
