// SPDX-License-Identifier: Apache-2.0
// Whether the last lanes of a write leave their unit in the cycle of the write.
module late_lanes (
  input  g80_pkg::slot_write_t          slot_i,
  input  logic [g80_pkg::ExecUnits-1:0] whole_i,  // the unit's row has all lanes
  output g80_pkg::late_lanes_t          late_o
);
  always_comb begin : find_late
    late_o = g80_pkg::LateLanesDefault;
    if (slot_i.from <= g80_pkg::ValueSourceDp) begin
      late_o.valid = !whole_i[slot_i.from[1:0]];
      late_o.unit  = g80_pkg::exec_unit_e'(slot_i.from[1:0]);
      late_o.word  = slot_i.word;
    end
  end
endmodule
