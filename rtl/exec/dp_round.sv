// SPDX-License-Identifier: Apache-2.0
// Ninth stage of an fp64 lane: one incrementer rounds floats of both sizes and completes the complement of a negative
// integer. Twin of round() of hw/exec/dp_datapath.cpp.
module dp_round (
  input  logic                      enable_i,
  input  g80_pkg::dp_control_t      control_i,
  input  g80_pkg::dp_header_lane_t  header_i,
  input  g80_pkg::dp_shifted_lane_t shifted_i,
  input  g80_pkg::dp_header_lane_t  header_held_i,
  input  g80_pkg::dp_rounded_lane_t held_i,
  output g80_pkg::dp_header_lane_t  header_o,
  output g80_pkg::dp_rounded_lane_t next_o
);
  localparam logic [11:0] Bias32    = 12'd127;
  localparam logic [11:0] Bias64    = 12'd1023;
  localparam logic [11:0] Largest32 = 12'd254;  // exponent field of a finite number
  localparam logic [11:0] Largest64 = 12'd2046;

  logic [63:0] word;
  logic        to_integer, from_unsigned, narrow, up;
  assign word          = shifted_i.significand;
  assign to_integer    = control_i.operation == g80_pkg::DpOperationToInteger;
  assign from_unsigned = control_i.operation == g80_pkg::DpOperationFromInteger &&
                         (control_i.source == g80_pkg::DpTypeU32 || control_i.source == g80_pkg::DpTypeU64);
  assign narrow        = control_i.result == g80_pkg::DpTypeF32;

  // Conversions negate an unsigned integer behind the rounding.
  rounding u_rounding (
    .round_i  (control_i.round),
    .sign_i   (header_i.sign && !from_unsigned),
    .odd_i    (narrow ? word[40] : word[11]),
    .guard_i  (narrow ? word[39] : word[10]),
    .sticky_i ((narrow ? word[38:0] != '0 : word[9:0] != '0) || shifted_i.sticky),
    .up_o     (up),
    .away_o   (),
    .nearest_o()
  );

  // Exponent field and fraction are one number: a carry out of the fraction counts one in the field, so a denormal can
  // become normal.
  logic [11:0] field;
  logic [63:0] base, magnitude;
  assign field     = word[63] ? header_i.exponent[11:0] + (narrow ? Bias32 : Bias64) : '0;
  assign base      = to_integer ? word ^ {64{header_i.sign}} :
                     narrow ? {29'd0, field, word[62:40]} : {field, word[62:11]};
  assign magnitude = base + {63'd0, to_integer ? header_i.sign : up};

  logic [63:0] limit;
  logic        overflow;
  dp_limit u_limit (
    .type_i    (control_i.result),
    .negative_i(header_i.sign),
    .limit_o   (limit)
  );
  assign overflow = narrow ? magnitude[34:23] > Largest32 : magnitude[63:52] > Largest64;

  always_comb begin : round
    header_o = header_held_i;
    next_o   = held_i;
    if (enable_i) begin
      header_o         = header_i;
      header_o.clamped = header_i.clamped || (to_integer && word > limit);
      next_o.magnitude = magnitude;
      next_o.overflow  = overflow && !to_integer;
      next_o.below     = shifted_i.below;
      next_o.equal     = shifted_i.equal;
    end
  end
endmodule
