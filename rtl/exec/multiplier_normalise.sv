// SPDX-License-Identifier: Apache-2.0
// Fifth stage of a multiplier: the leading one of the product to bit 23; what is cut off becomes guard and sticky bit.
// Twin of normalise() of hw/exec/multiplier_datapath.cpp.
module multiplier_normalise (
  input  logic                                 enable_i,
  input  g80_pkg::multiplier_header_lane_t     header_i,
  input  g80_pkg::multiplier_sum_lane_t        sum_i,
  input  g80_pkg::multiplier_header_lane_t     header_held_i,
  input  g80_pkg::multiplier_normalised_lane_t held_i,
  output g80_pkg::multiplier_header_lane_t     header_o,
  output g80_pkg::multiplier_normalised_lane_t next_o
);
  logic        two;    // the product is 2 or more
  logic [47:0] shifted;

  assign two     = sum_i.product[47];
  assign shifted = two ? sum_i.product : {sum_i.product[46:0], 1'b0};

  always_comb begin : normalise
    header_o = header_held_i;
    next_o   = held_i;
    if (enable_i) begin
      header_o           = header_i;
      header_o.exponent  = header_i.exponent + 16'(two);
      next_o.significand = shifted[47:24];
      next_o.guard       = shifted[23];
      next_o.sticky      = shifted[22:0] != '0;
    end
  end
endmodule
