// SPDX-License-Identifier: Apache-2.0
// A barrier opens when every expected warp has arrived. Twin of all_arrived() in hw/sm/barrier.h.
module all_arrived #(
  parameter int unsigned Width = 5
) (
  input  logic [Width-1:0] arrived_i,
  input  logic [Width-1:0] expected_i,  // 0: every other warp of the block has ended
  output logic             open_o
);
  assign open_o = arrived_i != '0 && arrived_i >= expected_i;
endmodule
