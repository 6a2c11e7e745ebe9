// SPDX-License-Identifier: Apache-2.0
// Floats to compare as words whose unsigned order is that of the numbers: -0 lies just below +0. Denormals are zero.
// The smaller and the larger of a number and a NaN is the number, of two NaNs the NaN. Twin of order_floats() of
// hw/exec/sp_unpack.cpp.
module sp_order (
  input  g80_pkg::sp_control_t control_i,
  input  logic [31:0]          a_i,
  input  logic [31:0]          b_i,
  output logic [31:0]          x_o,
  output logic [31:0]          y_o,
  output logic                 unordered_o
);
  localparam logic [31:0] Nan = 32'h7fffffff;

  logic        keeps_zero_sign;  // for set, -0 equals +0
  logic        sign_a, sign_b, zero_a, zero_b, nan_a, nan_b;
  logic [31:0] a, b, x, y;

  assign keeps_zero_sign = control_i.choice != g80_pkg::SpChoiceRelation;
  assign sign_a          = (a_i[31] && !control_i.absolute_a) ^ control_i.negate_a;
  assign sign_b          = (b_i[31] && !control_i.absolute_b) ^ control_i.negate_b;
  assign zero_a          = a_i[30:23] == '0;
  assign zero_b          = b_i[30:23] == '0;
  assign nan_a           = a_i[30:23] == '1 && a_i[22:0] != '0;
  assign nan_b           = b_i[30:23] == '1 && b_i[22:0] != '0;
  assign a               = {sign_a && (!zero_a || keeps_zero_sign), zero_a ? 31'd0 : a_i[30:0]};
  assign b               = {sign_b && (!zero_b || keeps_zero_sign), zero_b ? 31'd0 : b_i[30:0]};
  assign x               = nan_a && nan_b ? Nan : nan_a ? b : a;
  assign y               = nan_a && nan_b ? Nan : nan_b ? a : b;
  assign x_o             = {!x[31], x[30:0] ^ {31{x[31]}}};
  assign y_o             = {!y[31], y[30:0] ^ {31{y[31]}}};
  assign unordered_o     = nan_a || nan_b;
endmodule
