// SPDX-License-Identifier: Apache-2.0
// Miss registers: a line is asked for once while it is outstanding; every waiter leaves once, with what it brought, in
// the order of its line; a miss is refused only if nothing is free.
module mshr_props #(
  parameter int unsigned Entries = 2,
  parameter int unsigned Places  = 4,
  parameter int unsigned LineW   = 1,
  parameter int unsigned Width   = 1,
  localparam int unsigned EntryW = $clog2(Entries),
  localparam int unsigned CountW = $clog2(Places + 1)
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              stale_i,
  input logic              miss_i,
  input logic [LineW-1:0]  line_i,
  input logic [Width-1:0]  waiter_i,
  input logic [EntryW-1:0] fill_entry_i,
  input logic              pop_i,
  input logic [EntryW-1:0] send_entry_i,
  input logic              track_i
);
  (* anyconst *) logic [EntryW:0] entries;
  logic              merge, allocate, fill_used, fill_stale, fill_last, empty;
  logic [EntryW-1:0] entry;
  logic [LineW-1:0]  fill_line, send_line;
  logic [Width-1:0]  fill_waiter, send_waiter;

  mshr #(
    .Entries(Entries),
    .Places (Places),
    .LineW  (LineW),
    .Width  (Width)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .cfg_entries_i(entries),
    .stale_i,
    .miss_i,
    .line_i,
    .waiter_i,
    .merge_o      (merge),
    .allocate_o   (allocate),
    .entry_o      (entry),
    .fill_entry_i,
    .fill_used_o  (fill_used),
    .fill_stale_o (fill_stale),
    .fill_line_o  (fill_line),
    .fill_waiter_o(fill_waiter),
    .fill_last_o  (fill_last),
    .pop_i,
    .send_entry_i,
    .send_line_o  (send_line),
    .send_waiter_o(send_waiter),
    .empty_o      (empty)
  );

  // How many wait for each line, and where the chosen waiter is
  logic [Entries-1:0][CountW-1:0] count_q;
  logic [Entries-1:0][LineW-1:0]  line_q;
  logic [Entries-1:0][Width-1:0]  first_q;  // brought by the miss that asked for the line
  logic [Entries-1:0]             stale_q, stale, same, free, used;
  logic [CountW-1:0]              total_q, ahead_q;
  logic                           tracked_q, waits, pops_before;
  logic [EntryW-1:0]              entry_q;
  logic [Width-1:0]               waiter_q;

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    assign used[e] = count_q[e] != '0;
    assign same[e] = used[e] && !stale[e] && line_q[e] == line_i;
    assign free[e] = !used[e] && (EntryW+1)'(e) < entries;
  end
  assign stale       = stale_i ? used : stale_q;
  assign waits       = merge || allocate;
  assign pops_before = pop_i && fill_entry_i == entry_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      count_q   <= '0;
      stale_q   <= '0;
      total_q   <= '0;
      tracked_q <= 1'b0;
      ahead_q   <= '0;
    end else begin
      stale_q <= stale;
      total_q <= total_q + CountW'(waits) - CountW'(pop_i);
      if (waits) count_q[entry] <= count_q[entry] + CountW'(1);
      if (pop_i) count_q[fill_entry_i] <= count_q[fill_entry_i] - CountW'(1);
      if (allocate) stale_q[entry] <= 1'b0;
      if (waits && track_i && !tracked_q) begin
        tracked_q <= 1'b1;
        ahead_q   <= count_q[entry];
      end else if (tracked_q && pops_before) begin
        tracked_q <= ahead_q != '0;
        ahead_q   <= ahead_q - CountW'(1);
      end
    end
  end
  always_ff @(posedge clk_i) begin : contents
    if (allocate) line_q[entry] <= line_i;
    if (allocate) first_q[entry] <= waiter_i;
    if (waits && track_i && !tracked_q) entry_q <= entry;
    if (waits && track_i && !tracked_q) waiter_q <= waiter_i;
  end

  logic its_turn, fills, sends_now;
  assign fills     = fill_entry_i == entry_q && tracked_q;
  assign its_turn  = fills && ahead_q == '0;
  assign sends_now = allocate && send_entry_i == entry;

  always_comb begin : properties
    PopsAWaiter: assume (!pop_i || used[fill_entry_i]);
    FillsOrMisses: assume (!(pop_i && miss_i));
    EntriesFit: assume (entries <= (EntryW+1)'(Entries));
    AsksOnce: assert (!allocate || (same == '0 && free[entry]));
    MergesWhereItsLineIs: assert (!merge || same[entry]);
    RefusesOnlyWhenFull: assert (waits == (miss_i && total_q != CountW'(Places) && (same != '0 || free != '0)));
    ServesInTurn: assert (!its_turn || fill_waiter == waiter_q);
    LosesNone: assert (!fills || fill_used);
    LastIsTrue: assert (!used[fill_entry_i] || fill_last == (count_q[fill_entry_i] == CountW'(1)));
    LineIsTrue: assert (!used[fill_entry_i] || (fill_line == line_q[fill_entry_i] &&
                                                fill_stale == stale[fill_entry_i]));
    SendsItsFirst: assert (!(used[send_entry_i] || sends_now) ||
                           (send_line == (sends_now ? line_i : line_q[send_entry_i]) &&
                            send_waiter == (sends_now ? waiter_i : first_q[send_entry_i])));
    EmptyIsTrue: assert (empty == (used == '0));
    AllPlacesTaken: cover (total_q == CountW'(Places) && its_turn && !fill_last);
    StaleLineIsAskedAgain: cover (allocate && fill_stale && fill_line == line_i && used[fill_entry_i]);
  end
endmodule
