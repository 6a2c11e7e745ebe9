// SPDX-License-Identifier: Apache-2.0
// Seventh stage of an fp64 lane: the magnitude of the sum, its leading zeros, and the distance of the normalising
// shift, shorter for a denormal result. Twin of count() of hw/exec/dp_datapath.cpp.
module dp_count #(
  localparam int unsigned WindowW = g80_pkg::DpWindowTop + 1
) (
  input  logic                      enable_i,
  input  g80_pkg::dp_control_t      control_i,
  input  g80_pkg::dp_header_lane_t  header_i,
  input  g80_pkg::dp_added_lane_t   added_i,
  input  g80_pkg::dp_counted_lane_t held_i,
  output g80_pkg::dp_counted_lane_t next_o
);
  localparam int unsigned CounterW = 256;
  // Exponents of the smallest normal numbers
  localparam logic [15:0] SmallestF32 = -16'd126;
  localparam logic [15:0] SmallestF64 = -16'd1022;

  logic               negative;
  logic [WindowW-1:0] magnitude;
  assign negative  = added_i.sum_high[WindowW-128];
  assign magnitude = {added_i.sum_high[WindowW-129:0], added_i.sum_middle, added_i.sum_low} ^ {WindowW{negative}};

  // A one behind the window ends the count.
  logic [8:0] zeros;
  leading_zeros #(
    .Width(CounterW)
  ) u_zeros (
    .word_i ({magnitude, 1'b1, {CounterW-WindowW-1{1'b0}}}),
    .count_o(zeros)
  );

  logic [15:0] denormal;  // where the bits of denormal numbers lie
  logic [7:0]  distance;
  assign denormal = header_i.exponent - (control_i.result == g80_pkg::DpTypeF32 ? SmallestF32 : SmallestF64);

  always_comb begin : find_distance
    distance = zeros[7:0];
    if (control_i.operation == g80_pkg::DpOperationToInteger || denormal[15]) distance = '0;
    else if (denormal < {7'd0, zeros}) distance = denormal[7:0];
  end

  always_comb begin : count
    next_o = held_i;
    if (enable_i) begin
      {next_o.magnitude_high, next_o.magnitude_middle, next_o.magnitude_low} = magnitude;
      next_o.sticky   = added_i.sticky;
      next_o.distance = distance;
      next_o.below    = negative;
      next_o.equal    = magnitude == '0 && !added_i.sticky;
    end
  end
endmodule
