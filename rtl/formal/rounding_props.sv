// SPDX-License-Identifier: Apache-2.0
// Rounding to a whole number, of a number with bits behind the point: the nearest, the even one of two, or the next in
// a direction.
module rounding_props #(
  parameter int unsigned Width = 24,  // before the point
  parameter int unsigned Below = 24,  // behind it
  localparam int unsigned WideW = Width + Below + 2
) (
  input logic [Width-1:0] whole_i,
  input logic [Below-1:0] below_i,
  input logic             sign_i,
  input logic [1:0]       round_i
);
  logic up, away, nearest;

  rounding u_dut (
    .round_i,
    .sign_i,
    .odd_i    (whole_i[0]),
    .guard_i  (below_i[Below-1]),
    .sticky_i (|below_i[Below-2:0]),
    .up_o     (up),
    .away_o   (away),
    .nearest_o(nearest)
  );

  // The result, and how far it is from the number, as signed integers in units of the last bit
  logic signed [WideW:0] magnitude, value, result, error, half, one;

  assign one       = (WideW+1)'(1) << Below;
  assign half      = (WideW+1)'(1) << (Below - 1);
  assign magnitude = {3'b000, whole_i, below_i};
  assign value     = sign_i ? -magnitude : magnitude;
  assign result    = sign_i ? -({3'b000, whole_i, {Below{1'b0}}} + (up ? one : '0))
                            : {3'b000, whole_i, {Below{1'b0}}} + (up ? one : '0);
  assign error     = result - value;

  always_comb begin : properties
    NearestIsNear: assert (round_i != g80_pkg::RoundRn || (error <= half && error >= -half));
    TieGoesToEven: assert (round_i != g80_pkg::RoundRn || (error != half && error != -half) || !result[Below]);
    DownIsBelow: assert (round_i != g80_pkg::RoundRm || (error <= 0 && error > -one));
    UpIsAbove: assert (round_i != g80_pkg::RoundRp || (error >= 0 && error < one));
    ZeroIsToZero: assert (round_i != g80_pkg::RoundRz || !up);
    ExactStays: assert (below_i != '0 || !up);
    TieGoesUp: cover (round_i == g80_pkg::RoundRn && up && error == half);
  end
endmodule
