// SPDX-License-Identifier: Apache-2.0
// An adder with carry in and carry out. Synthesis chooses its kind.
module adder #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic             carry_i,
  output logic [Width-1:0] sum_o,
  output logic             carry_o
);
  // The carry comes out of a place below the lowest, so that there is one addition.
  logic [Width+1:0] sum;

  assign sum              = {1'b0, a_i, carry_i} + {1'b0, b_i, carry_i};
  assign {carry_o, sum_o} = sum[Width+1:1];
endmodule
