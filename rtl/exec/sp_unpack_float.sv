// SPDX-License-Identifier: Apache-2.0
// The operands of a * b + c taken apart. A zero has no hidden one and the lowest exponent, so that the other operand is
// the larger. Denormals are zero.
// Twin of unpack_float() of hw/exec/sp_unpack.cpp.
module sp_unpack_float (
  input  g80_pkg::sp_control_t   control_i,
  input  g80_pkg::sp_quad_op_e   quad_op_i,     // quadop: what this lane does
  input  logic [31:0]            quad_first_i,  // quadop: the first operand, from one lane of the four
  input  logic [31:0]            a_i,
  input  logic [31:0]            b_i,
  input  logic [31:0]            c_i,
  output logic [23:0]            x_o,           // significands of a, b and c
  output logic [23:0]            y_o,
  output logic [23:0]            z_o,
  output logic [9:0]             exponent_o,
  output logic [9:0]             exponent_z_o,
  output logic                   sign_o,
  output logic                   sign_z_o,
  output logic [2:0]             special_o
);
  localparam logic [31:0] One    = 32'h3f800000;
  localparam logic [9:0]  Offset = 10'(g80_pkg::SpExponentOffset);
  localparam logic [9:0]  Bias   = 10'd127;

  logic [31:0] a, b, z;

  always_comb begin : route
    b = control_i.adds ? One : b_i;
    if (control_i.quad.enabled) begin
      a = {quad_first_i[31] ^ (quad_op_i == g80_pkg::SpQuadOpSubtractFirst), quad_first_i[30:0]};
      z = {b_i[31] ^ (quad_op_i == g80_pkg::SpQuadOpSubtractSecond), b_i[30:0]};
      if (control_i.quad.zero || quad_op_i == g80_pkg::SpQuadOpSecond) a = '0;
      if (control_i.quad.zero) z = '0;
    end else begin
      a = {a_i[31] ^ control_i.negate_a ^ (control_i.negate_b && !control_i.adds), a_i[30:0]};
      z = control_i.adds ? {b_i[31] ^ control_i.negate_b, b_i[30:0]} : {c_i[31] ^ control_i.negate_c, c_i[30:0]};
      if (control_i.multiplies) z = '0;
    end
  end

  logic zero_a, zero_b, zero_z, infinite_a, infinite_b, infinite_z, nan_a, nan_b, nan_z, sign;

  assign zero_a     = a[30:23] == '0;
  assign zero_b     = b[30:23] == '0;
  assign zero_z     = z[30:23] == '0;
  assign infinite_a = a[30:23] == '1 && a[22:0] == '0;
  assign infinite_b = b[30:23] == '1 && b[22:0] == '0;
  assign infinite_z = z[30:23] == '1 && z[22:0] == '0;
  assign nan_a      = a[30:23] == '1 && a[22:0] != '0;
  assign nan_b      = b[30:23] == '1 && b[22:0] != '0;
  assign nan_z      = z[30:23] == '1 && z[22:0] != '0;
  assign sign       = a[31] ^ b[31];

  assign x_o          = zero_a ? '0 : {1'b1, a[22:0]};
  assign y_o          = zero_b ? '0 : {1'b1, b[22:0]};
  assign z_o          = zero_z ? '0 : {1'b1, z[22:0]};
  assign exponent_o   = zero_a || zero_b ? '0 : {2'b00, a[30:23]} + {2'b00, b[30:23]} + (Offset - Bias);
  assign exponent_z_o = zero_z ? '0 : {2'b00, z[30:23]} + Offset;
  assign sign_o       = sign;
  assign sign_z_o     = control_i.multiplies ? sign : z[31];  // a product adds a zero that changes no sign

  // Infinities and NaNs among the operands: what the result is, whatever the numbers give.
  always_comb begin : specials
    special_o = '0;
    if (infinite_a || infinite_b) begin
      special_o = {sign, 2'b01};
      if (zero_a || zero_b || (infinite_z && sign != z[31])) special_o = 3'b010;
    end else if (infinite_z) begin
      special_o = {z[31], 2'b01};
    end
    if (nan_a || nan_b || nan_z) special_o = 3'b010;
  end
endmodule
