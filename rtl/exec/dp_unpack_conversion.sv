// SPDX-License-Identifier: Apache-2.0
// A float enters the fp64 unit to become an integer, an integral value or a float of another size: how far its point
// moves, and the result if it is infinite, no number, or too large for an integer. Twin of unpack_conversion() of
// hw/exec/dp_datapath.cpp.
module dp_unpack_conversion (
  input  g80_pkg::dp_control_t       control_i,
  input  logic                       sign_i,         // fields of the float
  input  logic                       infinite_i,
  input  logic                       nan_i,
  input  logic [10:0]                exponent_i,
  input  logic [52:0]                significand_i,
  output g80_pkg::dp_header_lane_t   header_o,
  output g80_pkg::dp_unpacked_lane_t unpacked_o
);
  localparam logic [15:0] Bias         = 16'd1023;
  localparam logic [15:0] SmallestF32  = -16'd126;  // exponent of the smallest normal number
  localparam logic [15:0] FractionBits = 16'd52;

  logic sign, narrows, to_integer, wide_integer;
  assign sign         = nan_i ? sign_i : (sign_i && !control_i.absolute[0]) != control_i.negate[0];
  assign narrows      = control_i.result == g80_pkg::DpTypeF32;
  assign to_integer   = control_i.operation == g80_pkg::DpOperationToInteger;
  assign wide_integer = control_i.result == g80_pkg::DpTypeU64 || control_i.result == g80_pkg::DpTypeS64;

  logic [15:0] exponent, to_point, to_integral, to_denormal, distance;
  logic [7:0]  clamped;
  logic        too_large, loses_fraction, denormal;
  assign exponent       = {5'd0, exponent_i} - Bias;
  assign to_point       = 16'd63 - exponent;  // from the top of the window
  assign to_integral    = FractionBits - exponent;
  assign to_denormal    = SmallestF32 - exponent;
  assign too_large      = infinite_i || nan_i || to_point[15];
  assign loses_fraction = control_i.integral && !to_integral[15];
  assign denormal       = !control_i.integral && narrows && !to_denormal[15];
  dp_distance u_distance (
    .distance_i(distance),
    .distance_o(clamped)
  );

  always_comb begin : find_distance
    distance = '0;
    if (to_integer) distance = to_point;
    else if (loses_fraction) distance = to_integral;
    else if (denormal) distance = to_denormal;
  end

  logic [63:0] limit;
  logic [51:0] payload;
  dp_limit u_limit (
    .type_i    (control_i.result),
    .negative_i(sign),
    .limit_o   (limit)
  );
  assign payload = {nan_i || significand_i[51], significand_i[50:0]};

  always_comb begin : find_header
    header_o      = '0;
    header_o.sign = sign;
    if (to_integer) begin
      header_o.clamped = too_large;
      header_o.special = too_large;
      if (nan_i) header_o.value = {wide_integer, 31'd0, !wide_integer, 31'd0};
      else if (too_large) header_o.value = limit;
    end else begin
      header_o.exponent = loses_fraction ? FractionBits : denormal ? SmallestF32 : exponent;
      header_o.special  = infinite_i || nan_i;
      if (infinite_i || nan_i)
        header_o.value = narrows ? {32'd0, sign, 8'hff, payload[51:29]} : {sign, 11'h7ff, payload};
    end
  end

  always_comb begin : place
    unpacked_o          = '0;
    unpacked_o.addend   = {significand_i, 11'd0};
    unpacked_o.distance = clamped;
  end
endmodule
