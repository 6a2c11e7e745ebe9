// SPDX-License-Identifier: Apache-2.0
// First stage of an SFU: special arguments, sign, exponent; the coefficients from the ROM; the rows of the truncated
// square in carry-save form. Twin of look_up() of hw/exec/sfu_datapath.cpp.
module sfu_look_up (
  input  logic                          enable_i,
  input  g80_pkg::sfu_control_t         control_i,
  input  logic [31:0]                   value_i,
  input  g80_pkg::sfu_header_lane_t     header_held_i,
  input  g80_pkg::sfu_looked_up_lane_t  held_i,
  output g80_pkg::sfu_header_lane_t     header_o,
  output g80_pkg::sfu_looked_up_lane_t  next_o
);
  localparam int unsigned SquareW  = 16;
  localparam int unsigned FirstRow = 2;
  localparam int unsigned LastRow  = 16;

  logic        special, sign;
  logic [31:0] value, special_value;
  logic [15:0] exponent;
  logic [6:0]  index;
  logic [23:0] x;
  logic [25:0] a;
  logic [16:0] b;
  logic [13:0] c;

  assign value = {(value_i[31] && !control_i.absolute) != control_i.negate, value_i[30:0]};

  sfu_argument u_argument (
    .function_i     (control_i.function_),
    .value_i        (value),
    .special_o      (special),
    .special_value_o(special_value),
    .sign_o         (sign),
    .exponent_o     (exponent),
    .index_o        (index),
    .x_o            (x)
  );
  sfu_rom u_rom (
    .function_i(control_i.function_),
    .index_i   (index),
    .a_o       (a),
    .b_o       (b),
    .c_o       (c)
  );

  // Row i of the square is x times its bit i, cut off so that all rows end at the same bit. A shorter x moves up.
  logic [16:0]                       root;
  logic [LastRow+1:0][SquareW-1:0]   sum, carry;

  assign root = control_i.function_ == g80_pkg::SfuFunctionRcp ? {x[15:0], 1'b0} : x[16:0];
  assign sum[FirstRow]   = '0;
  assign carry[FirstRow] = '0;
  assign sum[FirstRow-1:0]   = '0;
  assign carry[FirstRow-1:0] = '0;

  for (genvar i = FirstRow; i <= LastRow; i++) begin : gen_row
    carry_save_adder #(
      .Width(SquareW)
    ) u_row (
      .sum_i  (sum[i]),
      .carry_i(carry[i]),
      .row_i  (root[i] ? SquareW'(root >> (18 - i)) : '0),
      .sum_o  (sum[i+1]),
      .carry_o(carry[i+1])
    );
  end

  always_comb begin : look_up
    header_o = header_held_i;
    next_o   = held_i;
    if (enable_i) begin
      header_o.special       = special;
      header_o.special_value = special_value;
      header_o.sign          = sign;
      header_o.exponent      = exponent;
      next_o.a               = a;
      next_o.b               = {{15{b[16]}}, b};
      next_o.c               = {{2{c[13]}}, c};
      next_o.x               = x;
      next_o.square_sum      = sum[LastRow+1];
      next_o.square_carry    = carry[LastRow+1];
    end
  end
endmodule
