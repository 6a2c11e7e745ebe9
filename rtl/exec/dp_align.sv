// SPDX-License-Identifier: Apache-2.0
// Fifth stage of an fp64 lane: the addend shifted right from the top of the window; what falls out leaves a sticky bit.
// What becomes an integer loses its fraction, which decides the rounding. Twin of align() of hw/exec/dp_datapath.cpp.
module dp_align #(
  localparam int unsigned WindowW = g80_pkg::DpWindowTop + 1
) (
  input  logic                      enable_i,
  input  g80_pkg::dp_control_t      control_i,
  input  g80_pkg::dp_header_lane_t  header_i,
  input  g80_pkg::dp_product_lane_t product_i,
  input  g80_pkg::dp_aligned_lane_t held_i,
  output g80_pkg::dp_aligned_lane_t next_o
);
  localparam int unsigned IntegerPoint  = WindowW - 64;  // bit of an integer's one in the window
  localparam int unsigned IntegralPoint = WindowW - 53;  // bit of an integral value's one

  logic [WindowW-1:0] kept, whole, addend;
  logic [63:0]        out;
  right_shifter #(
    .Width (WindowW),
    .OutW  (64),
    .CountW(8)
  ) u_shifter (
    .word_i ({product_i.addend, {WindowW-64{1'b0}}}),
    .fill_i (1'b0),
    .count_i(product_i.distance),
    .kept_o (kept),
    .out_o  (out)
  );

  logic to_integer, rounds, sticky, odd, guard, rest, up;
  assign to_integer = control_i.operation == g80_pkg::DpOperationToInteger;
  assign rounds     = to_integer || control_i.integral;
  assign sticky     = out != '0;

  always_comb begin : cut
    if (to_integer) begin
      whole = {kept[WindowW-1:IntegerPoint], {IntegerPoint{1'b0}}};
      odd   = kept[IntegerPoint];
      guard = kept[IntegerPoint-1];
      rest  = kept[IntegerPoint-2:0] != '0 || sticky;
    end else begin
      whole = {kept[WindowW-1:IntegralPoint], {IntegralPoint{1'b0}}};
      odd   = kept[IntegralPoint];
      guard = kept[IntegralPoint-1];
      rest  = kept[IntegralPoint-2:0] != '0 || sticky;
    end
  end
  rounding u_rounding (
    .round_i  (control_i.round),
    .sign_i   (header_i.sign),
    .odd_i    (odd),
    .guard_i  (guard),
    .sticky_i (rest),
    .up_o     (up),
    .away_o   (),
    .nearest_o()
  );
  assign addend = rounds ? whole : kept;

  always_comb begin : align
    next_o = held_i;
    if (enable_i) begin
      next_o.sum_low    = product_i.sum_low;
      next_o.sum_high   = product_i.sum_high;
      next_o.carry_low  = product_i.carry_low;
      next_o.carry_high = product_i.carry_high;
      {next_o.addend_high, next_o.addend_middle, next_o.addend_low} = addend;
      next_o.sticky     = sticky && !rounds;
      next_o.increment  = rounds ? up : control_i.operation == g80_pkg::DpOperationFromInteger && header_i.subtract;
    end
  end
endmodule
