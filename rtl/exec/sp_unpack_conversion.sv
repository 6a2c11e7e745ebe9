// SPDX-License-Identifier: Apache-2.0
// A number to convert. An integer becomes its complement if it is negative, with the sign that abs and neg leave. A
// float becomes its significand from bit 31 down, and the exponent that bit 31 has; f32 denormals are zero, and f32
// below Vanishes when the result is f16.
// Twin of unpack_integer() and unpack_converted() of hw/exec/sp_unpack.cpp.
module sp_unpack_conversion (
  input  g80_pkg::sp_control_t control_i,
  input  logic [31:0]          word_i,
  input  logic [31:0]          extended_i,  // an integer, as its format reads it
  output logic [31:0]          word_o,
  output logic [9:0]           exponent_o,
  output logic                 sign_o,
  output logic                 carry_o,     // completes the complement
  output logic [2:0]           special_o
);
  localparam logic [9:0] Offset   = 10'(g80_pkg::SpExponentOffset);
  localparam logic [9:0] Bias16   = 10'd15;
  localparam logic [9:0] Bias32   = 10'd127;
  localparam logic [7:0] Vanishes = 8'h5e;  // exponent field of the least f32 that an f16 can show

  logic       wide, to_integer, to_half;
  logic [9:0] result_bias;

  assign wide       = control_i.from.width == g80_pkg::SpWidth32;
  assign to_integer = control_i.path == g80_pkg::SpPathToInteger;
  assign to_half    = control_i.to.width == g80_pkg::SpWidth16;

  // Of a float
  logic        float_sign, infinite, nan;
  logic [7:0]  field;
  logic [22:0] fraction;
  logic        hidden, counts;

  always_comb begin : take_apart
    if (wide) begin
      float_sign = word_i[31];
      field      = word_i[30:23];
      fraction   = word_i[22:0];
      infinite   = field == '1 && fraction == '0;
      nan        = field == '1 && fraction != '0;
      counts     = !to_integer && to_half ? field >= Vanishes : field != '0;
    end else begin
      float_sign = word_i[15];
      field      = {3'b000, word_i[14:10]};
      fraction   = {word_i[9:0], 13'd0};
      infinite   = word_i[14:10] == '1 && fraction == '0;
      nan        = word_i[14:10] == '1 && fraction != '0;
      counts     = 1'b1;
    end
    hidden = field != '0;
  end

  assign result_bias = to_integer ? '0 : to_half ? Bias16 : Bias32;

  always_comb begin : number
    if (control_i.from.is_float) begin
      sign_o     = ((float_sign && !control_i.absolute_a) ^ control_i.negate_a) && !nan;
      word_o     = infinite || nan || !counts ? '0 : {hidden, fraction, 8'd0};
      exponent_o = (hidden ? {2'b00, field} : 10'd1) + (result_bias + Offset - (wide ? Bias32 : Bias16));
      carry_o    = 1'b0;
      special_o  = {sign_o && infinite, nan, infinite};
    end else begin
      carry_o    = extended_i[31] && control_i.from.is_signed;
      sign_o     = (carry_o && !control_i.absolute_a) ^ control_i.negate_a;
      word_o     = extended_i ^ {32{carry_o}};
      exponent_o = 10'd31 + Offset + (to_half ? Bias16 : Bias32);
      special_o  = '0;
    end
  end
endmodule
