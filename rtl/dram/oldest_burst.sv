// SPDX-License-Identifier: Apache-2.0
// The oldest burst of the DRAM controller's window, followed until it goes: follow_oldest() of hw/dram/fr_fcfs.h. The
// banks' oldest bursts of both directions are compared in pairs, all at once.
module oldest_burst #(
  parameter int unsigned Banks   = 8,
  parameter int unsigned Slots   = 64,
  parameter int unsigned OrderW  = 20,
  parameter int unsigned CountW  = 16,
  parameter int unsigned Limit   = 64,  // column commands that may go before it
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned PlaceW = 1 + $clog2(Banks)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // From choose_of_bank of each bank, the writes above the reads
  input  logic [2*Banks-1:0]             valid_i,
  input  logic [2*Banks-1:0][SlotW-1:0]  slot_i,
  input  logic [2*Banks-1:0][OrderW-1:0] order_i,
  // The burst of the column command of the last edge
  input  logic                           issued_i,
  input  logic                           issued_write_i,
  input  logic [SlotW-1:0]               issued_slot_i,
  // To the stage `command`
  output logic                           valid_o,
  output logic [PlaceW-1:0]              place_o,  // of a write: the bank and Banks more
  output logic [SlotW-1:0]               slot_o,
  output logic                           alone_o,  // only it is served
  output logic [CountW-1:0]              bypassed_o
);
  logic [2*Banks-1:0]              first;
  logic [2*Banks-1:0][2*Banks-1:0] older;  // [a][b]: the burst of b is older
  logic [PlaceW-1:0]               place;
  logic [SlotW-1:0]                slot;
  logic                            goes;

  for (genvar a = 0; a < 2 * Banks; a++) begin : gen_place
    assign older[a][a] = 1'b0;
    for (genvar b = a + 1; b < 2 * Banks; b++) begin : gen_other
      logic [OrderW-1:0] distance;
      assign distance    = order_i[a] - order_i[b];
      assign older[a][b] = !distance[OrderW-1];
      assign older[b][a] = distance[OrderW-1];
    end
  end
  oldest_of #(
    .Slots(2 * Banks)
  ) u_oldest_of (
    .older_i     (older),
    .candidates_i(valid_i),
    .oldest_o    (first)
  );

  always_comb begin : choose
    place = '0;
    slot  = '0;
    for (int unsigned a = 0; a < 2 * Banks; a++) begin
      if (first[a]) place |= PlaceW'(a);
      if (first[a]) slot |= slot_i[a];
    end
  end

  assign goes = issued_i && valid_o && issued_write_i == place_o[PlaceW-1] && issued_slot_i == slot_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      valid_o    <= 1'b0;
      place_o    <= '0;
      slot_o     <= '0;
      alone_o    <= 1'b0;
      bypassed_o <= '0;
    end else if (issued_i) begin
      if (goes) valid_o <= 1'b0;
      alone_o    <= !goes && (alone_o || bypassed_o == CountW'(Limit - 1));
      bypassed_o <= goes ? '0 : bypassed_o + 1'b1;
    end else if (!valid_o) begin
      valid_o <= |valid_i;
      place_o <= place;
      slot_o  <= slot;
    end
  end
endmodule
