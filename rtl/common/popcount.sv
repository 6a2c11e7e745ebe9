// SPDX-License-Identifier: Apache-2.0
// The number of bits set, added up in a tree.
module popcount #(
  parameter int unsigned Width = 32,  // a power of two
  localparam int unsigned CountW = $clog2(Width + 1)
) (
  input  logic [Width-1:0]  mask_i,
  output logic [CountW-1:0] count_o
);
  logic [Width-1:0][CountW-1:0] sum;

  always_comb begin : add_up
    for (int i = 0; i < Width; i++) sum[i] = CountW'(mask_i[i]);
    for (int left = Width / 2; left >= 1; left = left / 2) begin
      for (int i = 0; i < left; i++) sum[i] = sum[2*i] + sum[2*i+1];
    end
  end
  assign count_o = sum[0];
endmodule
