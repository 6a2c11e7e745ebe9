// SPDX-License-Identifier: Apache-2.0
// The last lanes of a result, in the places of the upper half-warp. Without a clock.
module last_lanes #(
  localparam int unsigned Lanes = g80_pkg::PortLanes
) (
  input  g80_pkg::exec_result_t  result_i,
  output logic [Lanes-1:0]       lanes_o,  // that are there
  output logic [Lanes-1:0][31:0] low_o,
  output logic [Lanes-1:0][31:0] high_o,
  output logic [Lanes-1:0][3:0]  flags_o
);
  localparam int unsigned PlaceW = $clog2(Lanes);

  assign lanes_o = result_i.valid && result_i.last && result_i.first[PlaceW] ?
                       {Lanes{1'b1}} << result_i.first[PlaceW-1:0] : '0;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [PlaceW-1:0] from;

    assign from       = PlaceW'(l) - result_i.first[PlaceW-1:0];
    assign low_o[l]   = result_i.low[from];
    assign high_o[l]  = result_i.high[from];
    assign flags_o[l] = result_i.flags[from];
  end
endmodule
