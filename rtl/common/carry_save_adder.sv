// SPDX-License-Identifier: Apache-2.0
// A row of full adders: three words become two with the same sum, modulo 2^Width. No carry travels along the row.
module carry_save_adder #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] sum_i,
  input  logic [Width-1:0] carry_i,
  input  logic [Width-1:0] row_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
);
  logic [Width-1:0] half, carry_out;

  assign half      = sum_i ^ carry_i;
  assign carry_out = (sum_i & carry_i) | (half & row_i);
  assign sum_o     = half ^ row_i;
  assign carry_o   = {carry_out[Width-2:0], 1'b0};
endmodule
