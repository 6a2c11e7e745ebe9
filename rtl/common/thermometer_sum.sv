// SPDX-License-Identifier: Apache-2.0
// The sum of numbers in thermometer code, bit n: more than n. A tree of additions without carries; a sum that is more
// than Width is as many.
module thermometer_sum #(
  parameter int unsigned Terms = 8,
  parameter int unsigned Width = 4
) (
  input  logic [Terms-1:0][Width-1:0] term_i,
  output logic [Width-1:0]            sum_o
);
  localparam int unsigned Leaves = 1 << $clog2(Terms);

  logic [Leaves-1:0][Width-1:0] sum;
  logic [Width-1:0]             pair;

  always_comb begin : add
    sum  = (Leaves * Width)'(term_i);
    pair = '0;
    for (int left = Leaves / 2; left >= 1; left = left / 2) begin
      for (int i = 0; i < left; i++) begin
        pair = sum[2*i] | sum[2*i+1];
        for (int k = 0; k < Width - 1; k++) begin
          if (sum[2*i][k]) pair = pair | (sum[2*i+1] << (k + 1));
        end
        sum[i] = pair;
      end
    end
  end
  assign sum_o = sum[0];
endmodule
