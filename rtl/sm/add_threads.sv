// SPDX-License-Identifier: Apache-2.0
// The number of a thread up to a warp behind another, digit by digit: x carries into y at block_x, y into z at block_y.
// Twin of add_threads() of hw/sm/cta_launcher.h. A digit is there for both carries before it is known which one comes.
module add_threads #(
  localparam int unsigned DigitW  = 10,
  localparam int unsigned OffsetW = $clog2(g80_pkg::WarpSize + 1)
) (
  input  logic [DigitW-1:0]      block_x_i,
  input  logic [DigitW-1:0]      block_y_i,
  input  g80_pkg::thread_index_t thread_i,  // digits below the block's sizes
  input  logic [OffsetW-1:0]     offset_x_i,
  input  logic [OffsetW-1:0]     offset_y_i,
  input  logic [OffsetW-1:0]     offset_z_i,
  output g80_pkg::thread_index_t sum_o
);
  logic                   x_carries, carries;
  logic [1:0]             y_carries;
  logic [1:0][DigitW-1:0] y;
  logic [OffsetW-1:0]     z;

  add_digit u_x (
    .size_i   (block_x_i),
    .digit_i  (thread_i.x),
    .offset_i (offset_x_i),
    .carry_i  (1'b0),
    .sum_o    (sum_o.x),
    .carries_o(x_carries)
  );
  for (genvar c = 0; c < 2; c++) begin : gen_y
    add_digit u_y (
      .size_i   (block_y_i),
      .digit_i  (thread_i.y),
      .offset_i (offset_y_i),
      .carry_i  (1'(c)),
      .sum_o    (y[c]),
      .carries_o(y_carries[c])
    );
  end
  assign carries = x_carries ? y_carries[1] : y_carries[0];
  assign z       = thread_i.z + offset_z_i;
  assign sum_o.y = x_carries ? y[1] : y[0];
  assign sum_o.z = carries ? z + OffsetW'(1) : z;
endmodule
