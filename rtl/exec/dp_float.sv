// SPDX-License-Identifier: Apache-2.0
// The fields of an fp64 operand, or of an fp32 operand as an fp64 one: the significand ends at the same bit, and a
// denormal has no leading one. Twin of float_of_f64() and float_of_f32() of hw/exec/dp_datapath.cpp.
module dp_float (
  input  logic        narrow_i,      // fp32, in the low word
  input  logic [63:0] bits_i,
  output logic        sign_o,
  output logic        zero_o,
  output logic        infinite_o,
  output logic        nan_o,
  output logic [10:0] exponent_o,    // field of fp64, at least that of the smallest normal number of the format
  output logic [52:0] significand_o
);
  localparam logic [10:0] BiasDifference = 11'd1023 - 11'd127;

  logic [10:0] field;
  logic [51:0] fraction;
  logic        denormal, top;

  assign sign_o   = narrow_i ? bits_i[31] : bits_i[63];
  assign field    = narrow_i ? {3'd0, bits_i[30:23]} : bits_i[62:52];
  assign fraction = narrow_i ? {bits_i[22:0], 29'd0} : bits_i[51:0];
  assign denormal = field == '0;
  assign top      = field[7:0] == '1 && (narrow_i || field[10:8] == '1);

  assign zero_o        = denormal && fraction == '0;
  assign infinite_o    = top && fraction == '0;
  assign nan_o         = top && fraction != '0;
  assign exponent_o    = (field | 11'(denormal)) + (narrow_i ? BiasDifference : '0);
  assign significand_o = {!denormal, fraction};
endmodule
