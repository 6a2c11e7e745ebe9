// SPDX-License-Identifier: Apache-2.0
// Adds two digits of a number system of any size, and a carry. The sum and what it exceeds the size by are found at
// once.
module add_digit #(
  localparam int unsigned DigitW  = 10,
  localparam int unsigned OffsetW = $clog2(g80_pkg::WarpSize + 1)
) (
  input  logic [DigitW-1:0]  size_i,
  input  logic [DigitW-1:0]  digit_i,   // below the size
  input  logic [OffsetW-1:0] offset_i,  // below the size
  input  logic               carry_i,
  output logic [DigitW-1:0]  sum_o,
  output logic               carries_o
);
  logic [DigitW:0] left, left_carry;  // digit plus offset less the size, less 1
  logic [DigitW:0] over;
  logic            unused;

  carry_save_adder #(.Width(DigitW + 1)) u_left (
    .sum_i  ({1'b0, digit_i}),
    .carry_i((DigitW+1)'(offset_i)),
    .row_i  ({1'b1, ~size_i}),
    .sum_o  (left),
    .carry_o(left_carry)
  );
  adder #(.Width(DigitW + 1)) u_over (
    .a_i    (left),
    .b_i    (left_carry | (DigitW+1)'(1)),  // bit 0 is free
    .carry_i(carry_i),
    .sum_o  (over),
    .carry_o(unused)
  );
  assign carries_o = !over[DigitW];
  assign sum_o     = carries_o ? over[DigitW-1:0] : digit_i + DigitW'(offset_i) + DigitW'(carry_i);
endmodule
