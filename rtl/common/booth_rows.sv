// SPDX-License-Identifier: Apache-2.0
// Adds the rows of some radix-4 Booth digits of a product to a number in carry-save form.
// Twin of add_booth_rows() of hw/exec/carry_save.h.
//
// Digit d of the multiplier is -2, -1, 0, 1 or 2; its row is that multiple of the multiplicand, shifted by 2 d. A
// negative multiple is a complement; the ones that make it a two's complement are one row more.
module booth_rows #(
  parameter int unsigned MultiplicandW = 26,  // signed, with room for its double
  parameter int unsigned MultiplierW   = 26,
  parameter int unsigned Width         = 48,  // of the sum
  parameter int unsigned First         = 0,   // digits First .. First + Digits - 1
  parameter int unsigned Digits        = 6
) (
  input  logic [MultiplicandW-1:0] multiplicand_i,
  input  logic [MultiplierW-1:0]   multiplier_i,
  input  logic [Width-1:0]         sum_i,
  input  logic [Width-1:0]         carry_i,
  output logic [Width-1:0]         sum_o,
  output logic [Width-1:0]         carry_o
);
  logic [MultiplierW:0]          digits;  // digit d is in bits 2 d + 2 .. 2 d
  logic [Digits:0][Width-1:0]    row;
  logic [Digits+1:0][Width-1:0]  sum, carry;
  logic [Width-1:0]              ones;

  assign digits   = {multiplier_i, 1'b0};
  assign sum[0]   = sum_i;
  assign carry[0] = carry_i;

  for (genvar d = 0; d < Digits; d++) begin : gen_row
    localparam int unsigned Place = 2 * (First + d);
    logic                     once, twice, negative;
    logic [MultiplicandW-1:0] multiple;
    assign negative = digits[Place+2];
    assign once     = digits[Place] ^ digits[Place+1];
    assign twice    = (digits[Place+1] ^ negative) & ~once;
    assign multiple = (({MultiplicandW{once}} & multiplicand_i) |
                       ({MultiplicandW{twice}} & {multiplicand_i[MultiplicandW-2:0], 1'b0})) ^
                      {MultiplicandW{negative}};
    assign row[d]   = {{Width-MultiplicandW{multiple[MultiplicandW-1]}}, multiple} << Place;
  end

  always_comb begin : complements
    ones = '0;
    for (int d = 0; d < Digits; d++) ones[2*(First+d)] = digits[2*(First+d)+2];
  end
  assign row[Digits] = ones;

  for (genvar r = 0; r <= Digits; r++) begin : gen_add
    carry_save_adder #(
      .Width(Width)
    ) u_row (
      .sum_i  (sum[r]),
      .carry_i(carry[r]),
      .row_i  (row[r]),
      .sum_o  (sum[r+1]),
      .carry_o(carry[r+1])
    );
  end

  assign sum_o   = sum[Digits+1];
  assign carry_o = carry[Digits+1];
endmodule
