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
  localparam int unsigned SquareW    = 16;
  localparam int unsigned FirstRow   = 2;
  localparam int unsigned SquareRows = 15;

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

  // Row i of the square is x times its bit i, cut off so that all rows end at the same bit. A shorter x moves up. A
  // tree of full adders makes two rows of them.
  logic [16:0]                        root;
  logic [SquareRows-1:0][SquareW-1:0] row;
  logic [9:0][SquareW-1:0]                 sum_of_10;
  logic [6:0][SquareW-1:0]                 sum_of_7;
  logic [4:0][SquareW-1:0]                 sum_of_5;
  logic [3:0][SquareW-1:0]                 sum_of_4;
  logic [2:0][SquareW-1:0]                 sum_of_3;
  logic [1:0][SquareW-1:0]                 sum_of_2;

  assign root = control_i.function_ == g80_pkg::SfuFunctionRcp ? {x[15:0], 1'b0} : x[16:0];

  for (genvar i = 0; i < SquareRows; i++) begin : gen_row
    assign row[i] = root[FirstRow+i] ? SquareW'(root >> (18 - FirstRow - i)) : '0;
  end

  carry_save_level #(.Rows(SquareRows), .Width(SquareW)) u_to_10 (.row_i(row), .row_o(sum_of_10));
  carry_save_level #(.Rows(10), .Width(SquareW)) u_to_7 (.row_i(sum_of_10), .row_o(sum_of_7));
  carry_save_level #(.Rows(7), .Width(SquareW)) u_to_5 (.row_i(sum_of_7), .row_o(sum_of_5));
  carry_save_level #(.Rows(5), .Width(SquareW)) u_to_4 (.row_i(sum_of_5), .row_o(sum_of_4));
  carry_save_level #(.Rows(4), .Width(SquareW)) u_to_3 (.row_i(sum_of_4), .row_o(sum_of_3));
  carry_save_level #(.Rows(3), .Width(SquareW)) u_to_2 (.row_i(sum_of_3), .row_o(sum_of_2));

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
      next_o.square_sum      = sum_of_2[0];
      next_o.square_carry    = sum_of_2[1];
    end
  end
endmodule
