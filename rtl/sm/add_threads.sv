// SPDX-License-Identifier: Apache-2.0
// The sum of two threads' numbers, digit by digit: x carries into y at block_x, y into z at block_y. Twin of
// add_threads() of hw/sm/cta_launcher.h.
module add_threads #(
  localparam int unsigned DigitW = 10
) (
  input  logic [DigitW-1:0]      block_x_i,
  input  logic [DigitW-1:0]      block_y_i,
  input  g80_pkg::thread_index_t a_i,  // digits below the block's sizes
  input  g80_pkg::thread_index_t b_i,
  output g80_pkg::thread_index_t sum_o
);
  logic [DigitW:0]   x, y;
  logic [DigitW-1:0] x_over, y_over;  // what is left behind a carry
  logic              x_carries, y_carries;

  assign x         = {1'b0, a_i.x} + {1'b0, b_i.x};
  assign x_carries = x >= {1'b0, block_x_i};
  assign x_over    = x[DigitW-1:0] - block_x_i;
  assign y         = {1'b0, a_i.y} + {1'b0, b_i.y} + (DigitW+1)'(x_carries);
  assign y_carries = y >= {1'b0, block_y_i};
  assign y_over    = y[DigitW-1:0] - block_y_i;

  assign sum_o.x = x_carries ? x_over : x[DigitW-1:0];
  assign sum_o.y = y_carries ? y_over : y[DigitW-1:0];
  assign sum_o.z = a_i.z + b_i.z + 6'(y_carries);
endmodule
