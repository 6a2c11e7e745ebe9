// SPDX-License-Identifier: Apache-2.0
// Eighth stage of an fp64 lane: the normalising shift. Twin of shift() of hw/exec/dp_datapath.cpp.
module dp_normalise #(
  localparam int unsigned WindowW = g80_pkg::DpWindowTop + 1
) (
  input  logic                      enable_i,
  input  g80_pkg::dp_header_lane_t  header_i,
  input  g80_pkg::dp_counted_lane_t counted_i,
  input  g80_pkg::dp_header_lane_t  header_held_i,
  input  g80_pkg::dp_shifted_lane_t held_i,
  output g80_pkg::dp_header_lane_t  header_o,
  output g80_pkg::dp_shifted_lane_t next_o
);
  logic [WindowW-1:0] shifted;
  left_shifter #(
    .Width (WindowW),
    .CountW(8)
  ) u_shifter (
    .word_i ({counted_i.magnitude_high, counted_i.magnitude_middle, counted_i.magnitude_low}),
    .count_i(counted_i.distance),
    .word_o (shifted)
  );

  always_comb begin : shift
    header_o = header_held_i;
    next_o   = held_i;
    if (enable_i) begin
      header_o           = header_i;
      header_o.exponent  = header_i.exponent - {8'd0, counted_i.distance};
      next_o.significand = shifted[WindowW-1-:64];
      next_o.sticky      = counted_i.sticky || shifted[WindowW-65:0] != '0;
      next_o.below       = counted_i.below;
      next_o.equal       = counted_i.equal;
    end
  end
endmodule
