// SPDX-License-Identifier: Apache-2.0
// What is left of a number of cycles after one step, which takes `Step` of them.
module count_down #(
  parameter int unsigned Width = 8,
  parameter int unsigned Step  = 2
) (
  input  logic [Width-1:0] cycles_i,
  output logic [Width-1:0] left_o
);
  assign left_o = cycles_i > Width'(Step) ? cycles_i - Width'(Step) : '0;
endmodule
