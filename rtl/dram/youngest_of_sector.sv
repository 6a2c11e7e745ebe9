// SPDX-License-Identifier: Apache-2.0
// The comparison of the stage `enter` of the DRAM controller: BurstWindow::youngest_of() of hw/dram/burst_window.h. The
// sector of the burst that enters is compared with those of all slots of both directions. At most one of them is the
// youngest of this sector: that the new one follows. The burst whose column command went out at the last edge has left
// its slot.
module youngest_of_sector #(
  parameter int unsigned Slots   = 128,
  parameter int unsigned SectorW = 27,
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  logic                          clk_i,
  input  logic [SectorW-1:0]            sector_i,
  // The burst of the column command of the last edge
  input  logic                          issued_i,
  input  logic [SlotW-1:0]              issued_slot_i,
  // Registers of the window
  input  logic [Slots-1:0]              youngest_i,  // valid, and none follows
  input  logic [Slots-1:0][SectorW-1:0] sector_of_i,
  output logic                          found_o,
  output logic [SlotW-1:0]              slot_o
);
  logic [Slots-1:0] waits, same;
  logic [SlotW-1:0] slot;

  always_comb begin : compare
    waits = youngest_i;
    if (issued_i) waits[issued_slot_i] = 1'b0;
    slot = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      same[i] = waits[i] && sector_of_i[i] == sector_i;
      if (same[i]) slot |= SlotW'(i);
    end
  end

  always_ff @(posedge clk_i) begin : registers
    found_o <= |same;
    slot_o  <= slot;
  end
endmodule
