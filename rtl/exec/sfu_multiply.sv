// SPDX-License-Identifier: Apache-2.0
// Third stage of an SFU: the rows of C x^2, A and the rounding constant added in carry-save form; of presin the second
// half of the rows of the product with 2/pi. Twin of multiply() of hw/exec/sfu_datapath.cpp.
module sfu_multiply #(
  localparam int unsigned SumW = 48
) (
  input  logic                        enable_i,
  input  g80_pkg::sfu_control_t       control_i,
  input  g80_pkg::sfu_squared_lane_t  squared_i,
  input  g80_pkg::sfu_products_lane_t held_i,
  output g80_pkg::sfu_products_lane_t next_o
);
  // How the three terms of a function line up, and the rounding constant of its sum
  logic [SumW-1:0] constant, rounding;
  logic [18:0]     square;

  always_comb begin : align
    case (control_i.function_)
      g80_pkg::SfuFunctionRcp: begin
        constant = {9'd0, squared_i.a, 13'd0};
        square   = {4'd0, squared_i.square};
        rounding = 48'h47e7;
      end
      g80_pkg::SfuFunctionRsqrt: begin
        constant = {8'd0, squared_i.a, 14'd0};
        square   = {2'd0, squared_i.square, 2'd0};
        rounding = 48'h7fff;
      end
      g80_pkg::SfuFunctionLg2: begin
        constant = {10'd0, squared_i.a, 12'd0};
        square   = {3'd0, squared_i.square, 1'd0};
        rounding = 48'h3345;
      end
      g80_pkg::SfuFunctionEx2: begin
        constant = {9'd0, squared_i.a, 13'd0};
        square   = {4'd0, squared_i.square};
        rounding = 48'h77e2;
      end
      default: begin
        constant = {11'd0, squared_i.a, 11'd0};
        square   = {4'd0, squared_i.square};
        rounding = '0;
      end
    endcase
  end

  logic [SumW-1:0] row_sum, row_carry, constant_sum, constant_carry, sum, carry, angle_sum, angle_carry;

  booth_rows #(
    .MultiplicandW(19),
    .MultiplierW  (14),
    .Width        (SumW),
    .First        (0),
    .Digits       (7)
  ) u_quadratic (
    .multiplicand_i(square),
    .multiplier_i  (squared_i.c[13:0]),
    .sum_i         (squared_i.sum),
    .carry_i       (squared_i.carry),
    .sum_o         (row_sum),
    .carry_o       (row_carry)
  );
  carry_save_adder #(
    .Width(SumW)
  ) u_constant (
    .sum_i  (row_sum),
    .carry_i(row_carry),
    .row_i  (constant),
    .sum_o  (constant_sum),
    .carry_o(constant_carry)
  );
  carry_save_adder #(
    .Width(SumW)
  ) u_rounding (
    .sum_i  (constant_sum),
    .carry_i(constant_carry),
    .row_i  (rounding),
    .sum_o  (sum),
    .carry_o(carry)
  );
  booth_rows #(
    .MultiplicandW(26),
    .MultiplierW  (26),
    .Width        (SumW),
    .First        (6),
    .Digits       (7)
  ) u_angle (
    .multiplicand_i({2'd0, squared_i.x}),
    .multiplier_i  (26'h0a2f983),  // 2/pi times 2^24
    .sum_i         (squared_i.sum),
    .carry_i       (squared_i.carry),
    .sum_o         (angle_sum),
    .carry_o       (angle_carry)
  );

  always_comb begin : choose
    next_o = held_i;
    if (enable_i) begin
      next_o.sum   = sum;
      next_o.carry = carry;
      if (control_i.function_ == g80_pkg::SfuFunctionPresin) begin
        next_o.sum   = angle_sum;
        next_o.carry = angle_carry;
      end
      if (control_i.function_ == g80_pkg::SfuFunctionPreex2) begin
        next_o.sum   = squared_i.sum;
        next_o.carry = squared_i.carry;
      end
    end
  end
endmodule
