// SPDX-License-Identifier: Apache-2.0
// The multiplier: two halves of Booth rows, added without carries, and one adder behind them. It is the one of the
// scalar processors with fewer bits, digits shared between the halves as there.
module booth_props #(
  parameter int unsigned Width = 8,  // of the factors, even
  localparam int unsigned FactorW = Width + 2,  // signed, with room for the double
  localparam int unsigned ProductW = 2 * Width,
  localparam int unsigned Digits = Width / 2 + 1,
  localparam int unsigned LowDigits = Digits / 2
) (
  input logic [Width-1:0] x_i,
  input logic [Width-1:0] y_i,
  input logic             is_signed_i
);
  logic [FactorW-1:0]  x, y;
  logic [ProductW-1:0] low_sum, low_carry, sum, carry, product, expected, zero;

  assign zero = '0;

  assign x = {{2{is_signed_i && x_i[Width-1]}}, x_i};
  assign y = {{2{is_signed_i && y_i[Width-1]}}, y_i};

  booth_rows #(
    .MultiplicandW(FactorW),
    .MultiplierW  (FactorW),
    .Width        (ProductW),
    .First        (0),
    .Digits       (LowDigits)
  ) u_low (
    .multiplicand_i(x),
    .multiplier_i  (y),
    .sum_i         (zero),
    .carry_i       (zero),
    .sum_o         (low_sum),
    .carry_o       (low_carry)
  );
  booth_rows #(
    .MultiplicandW(FactorW),
    .MultiplierW  (FactorW),
    .Width        (ProductW),
    .First        (LowDigits),
    .Digits       (Digits - LowDigits)
  ) u_high (
    .multiplicand_i(x),
    .multiplier_i  (y),
    .sum_i         (low_sum),
    .carry_i       (low_carry),
    .sum_o         (sum),
    .carry_o       (carry)
  );
  adder #(.Width(ProductW)) u_add (
    .a_i    (sum),
    .b_i    (carry),
    .carry_i(1'b0),
    .sum_o  (product),
    .carry_o()
  );

  always_comb begin : specification  // row by row
    expected = '0;
    for (int i = 0; i < Width; i++) begin
      if (y_i[i]) begin
        if (is_signed_i && i == Width - 1) expected = expected - ({{Width{x_i[Width-1]}}, x_i} << i);
        else expected = expected + ({{Width{is_signed_i && x_i[Width-1]}}, x_i} << i);
      end
    end
  end

  always_comb begin : properties
    Multiplies: assert (product == expected);
    LargestProduct: cover (!is_signed_i && product == ProductW'({Width{1'b1}}) * ProductW'({Width{1'b1}}));
    SmallestFactors: cover (is_signed_i && x_i == Width'(1 << (Width - 1)) && y_i == x_i && product != '0);
  end
endmodule
