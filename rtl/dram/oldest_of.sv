// SPDX-License-Identifier: Apache-2.0
// The oldest of some slots, alone in a mask: the one that no other of them is older than (burst_ages.sv).
module oldest_of #(
  parameter int unsigned Slots = 64
) (
  input  logic [Slots-1:0][Slots-1:0] older_i,
  input  logic [Slots-1:0]            candidates_i,
  output logic [Slots-1:0]            oldest_o
);
  for (genvar slot = 0; slot < Slots; slot++) begin : gen_slot
    assign oldest_o[slot] = candidates_i[slot] && (older_i[slot] & candidates_i) == '0;
  end
endmodule
