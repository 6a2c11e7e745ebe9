// SPDX-License-Identifier: Apache-2.0
// Some of the Booth rows of the 53 x 53 product of an fp64 lane, added to the product in carry-save form.
// Twin of add_rows() of hw/exec/dp_datapath.cpp.
module dp_multiply #(
  parameter int unsigned First = 0,  // row
  localparam int unsigned ProductW = g80_pkg::DpProductBits
) (
  input  logic [62:0]         multiplicand_i,
  input  logic [52:0]         multiplier_i,
  input  logic [ProductW-1:0] sum_i,
  input  logic [ProductW-1:0] carry_i,
  output logic [ProductW-1:0] sum_o,
  output logic [ProductW-1:0] carry_o
);
  booth_rows #(
    .MultiplicandW(65),
    .MultiplierW  (54),
    .Width        (ProductW),
    .First        (First),
    .Digits       (9)
  ) u_rows (
    .multiplicand_i({2'd0, multiplicand_i}),
    .multiplier_i  ({1'b0, multiplier_i}),
    .sum_i,
    .carry_i,
    .sum_o,
    .carry_o
  );
endmodule
