// SPDX-License-Identifier: Apache-2.0
// The ages of the bursts of one direction of the DRAM controller's window, written when a burst enters a slot: its
// order (hw/dram/burst_window.h), which compares bursts of different banks and directions, and for each slot a row of
// the slots that are older, which compares those of this direction without a subtraction.
module burst_ages #(
  parameter int unsigned Slots  = 64,
  parameter int unsigned OrderW = 20,
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  logic                         clk_i,
  input  logic                         enter_i,
  input  logic [SlotW-1:0]             slot_i,
  input  logic [OrderW-1:0]            order_i,
  output logic [Slots-1:0][Slots-1:0]  older_o,  // [a][b]: b came before a
  output logic [Slots-1:0][OrderW-1:0] order_o
);
  logic [Slots-1:0] here;

  assign here = enter_i ? Slots'(1) << slot_i : '0;

  for (genvar slot = 0; slot < Slots; slot++) begin : gen_slot
    always_ff @(posedge clk_i) begin : registers
      if (here[slot]) order_o[slot] <= order_i;
      older_o[slot] <= here[slot] ? ~here : older_o[slot] & ~here;
    end
  end
endmodule
