// SPDX-License-Identifier: Apache-2.0
// Second stage of an SFU: the square of the argument; the rows of B x in carry-save form, of presin the first half of
// those of the product with 2/pi. Twin of square() of hw/exec/sfu_datapath.cpp.
module sfu_square #(
  localparam int unsigned SumW = 48
) (
  input  logic                         enable_i,
  input  g80_pkg::sfu_control_t        control_i,
  input  g80_pkg::sfu_looked_up_lane_t looked_up_i,
  input  g80_pkg::sfu_squared_lane_t   held_i,
  output g80_pkg::sfu_squared_lane_t   next_o
);
  logic [15:0]     square;
  logic [SumW-1:0] sum, carry, angle_sum, angle_carry;

  assign square = looked_up_i.square_sum + looked_up_i.square_carry;

  booth_rows #(
    .MultiplicandW(18),
    .MultiplierW  (18),
    .Width        (SumW),
    .First        (0),
    .Digits       (9)
  ) u_linear (
    .multiplicand_i(looked_up_i.b[17:0]),
    .multiplier_i  ({1'b0, looked_up_i.x[16:0]}),
    .sum_i         ('0),
    .carry_i       ('0),
    .sum_o         (sum),
    .carry_o       (carry)
  );
  booth_rows #(
    .MultiplicandW(26),
    .MultiplierW  (26),
    .Width        (SumW),
    .First        (0),
    .Digits       (6)
  ) u_angle (
    .multiplicand_i({2'd0, looked_up_i.x}),
    .multiplier_i  (26'h0a2f983),  // 2/pi times 2^24
    .sum_i         ('0),
    .carry_i       ('0),
    .sum_o         (angle_sum),
    .carry_o       (angle_carry)
  );

  always_comb begin : choose
    next_o = held_i;
    if (enable_i) begin
      next_o.a      = looked_up_i.a;
      next_o.c      = looked_up_i.c;
      next_o.x      = looked_up_i.x;
      next_o.square = square[15:1];
      next_o.sum    = sum;
      next_o.carry  = carry;
      if (control_i.function_ == g80_pkg::SfuFunctionPresin) begin
        next_o.sum   = angle_sum;
        next_o.carry = angle_carry;
      end
      if (control_i.function_ == g80_pkg::SfuFunctionPreex2) begin
        next_o.sum   = {24'd0, looked_up_i.x};
        next_o.carry = '0;
      end
    end
  end
endmodule
