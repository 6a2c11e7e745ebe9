// SPDX-License-Identifier: Apache-2.0
// The stage `choose` of the DRAM controller for one bank and direction. The rows of its bursts are compared with an ACT
// or PRE to the bank that is on the bus: row_opened() and row_closed() of hw/dram/burst_window.h. Then
// choose_of_bank() of hw/dram/fr_fcfs.h: of the bursts of the bank that may be served, the oldest one whose row is
// open, or else the oldest one; and the oldest of all. The burst whose column command went out at the last edge has
// left its slot, and the one that follows it in its sector may be served.
module choose_of_bank #(
  parameter int unsigned Slots  = 64,
  parameter int unsigned OrderW = 20,
  parameter int unsigned RowW   = 22,
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  logic                         clk_i,
  // From the window
  input  logic [Slots-1:0][Slots-1:0]  older_i,
  input  logic [Slots-1:0][OrderW-1:0] order_i,
  input  logic [Slots-1:0]             of_bank_i,
  input  logic [Slots-1:0]             ordered_i,
  input  logic [Slots-1:0]             row_hit_i,
  input  logic [Slots-1:0][RowW-1:0]   row_i,
  // Of the column command of the last edge, if they are of this direction: its burst; the one that follows
  input  logic                         issued_i,
  input  logic [SlotW-1:0]             issued_slot_i,
  input  logic                         next_i,
  input  logic [SlotW-1:0]             next_slot_i,
  // From the command bus, to this bank
  input  logic                         activates_i,
  input  logic                         precharges_i,
  input  logic [RowW-1:0]              activated_row_i,
  // To the window, of the bursts of the bank
  output logic [Slots-1:0]             row_hit_o,
  // To pick_request
  output logic                         first_valid_o,
  output logic                         first_row_hit_o,
  output logic [SlotW-1:0]             first_slot_o,
  output logic [OrderW-1:0]            first_order_o,
  output logic                         oldest_valid_o,
  output logic                         oldest_row_hit_o,
  output logic [SlotW-1:0]             oldest_slot_o,
  output logic [OrderW-1:0]            oldest_order_o
);
  localparam int unsigned Kinds = 3;  // whose row is open; that may be served; all
  typedef struct packed {
    logic [SlotW-1:0]  slot;
    logic [OrderW-1:0] order;
  } burst_t;

  logic [Kinds-1:0][Slots-1:0] candidates, oldest;
  burst_t [Kinds-1:0]          burst;
  logic [Slots-1:0]            row_hit, waits, ordered;
  logic                        hits;

  for (genvar slot = 0; slot < Slots; slot++) begin : gen_row
    assign row_hit[slot] = !precharges_i && (row_hit_i[slot] || (activates_i && row_i[slot] == activated_row_i));
  end
  always_comb begin : leave
    waits = of_bank_i;
    if (issued_i) waits[issued_slot_i] = 1'b0;
    ordered = ordered_i;
    if (next_i) ordered[next_slot_i] = 1'b1;
  end
  assign candidates[0] = waits & ordered & row_hit;
  assign candidates[1] = waits & ordered;
  assign candidates[2] = waits;

  // Whether a row is open is known before the oldest burst is: both are found, and then one is chosen.
  for (genvar kind = 0; kind < Kinds; kind++) begin : gen_kind
    oldest_of #(
      .Slots(Slots)
    ) u_oldest (
      .older_i,
      .candidates_i(candidates[kind]),
      .oldest_o    (oldest[kind])
    );
    always_comb begin : read_burst
      burst[kind] = '0;
      for (int unsigned slot = 0; slot < Slots; slot++) begin
        if (oldest[kind][slot]) burst[kind] |= {SlotW'(slot), order_i[slot]};
      end
    end
  end
  assign hits = |candidates[0];

  always_ff @(posedge clk_i) begin : registers
    row_hit_o                       <= waits & row_hit;
    first_valid_o                   <= |candidates[1];
    first_row_hit_o                 <= hits;
    {first_slot_o, first_order_o}   <= hits ? burst[0] : burst[1];
    oldest_valid_o                  <= |candidates[2];
    oldest_row_hit_o                <= |(oldest[2] & row_hit);
    {oldest_slot_o, oldest_order_o} <= burst[2];
  end
endmodule
