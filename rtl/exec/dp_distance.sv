// SPDX-License-Identifier: Apache-2.0
// The distance of the alignment: one that is negative is none, and one beyond the window leaves nothing.
module dp_distance (
  input  logic [15:0] distance_i,  // signed
  output logic [7:0]  distance_o
);
  localparam logic [7:0] All = 8'(g80_pkg::DpWindowTop + 1);

  always_comb begin : clamp
    distance_o = distance_i[7:0];
    if (distance_i[15]) distance_o = '0;
    else if (distance_i > {8'd0, All}) distance_o = All;
  end
endmodule
