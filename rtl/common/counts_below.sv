// SPDX-License-Identifier: Apache-2.0
// How many bits of a mask are set below each bit, and in all, in thermometer code (bit n: more than n). A number that
// is more than Most is as many. A sum of two such numbers has no carry, so about log2(Width) levels find all of them.
module counts_below #(
  parameter int unsigned Width = 16,
  parameter int unsigned Most  = 3
) (
  input  logic [Width-1:0]           mask_i,
  output logic [Width-1:0][Most-1:0] below_o,
  output logic [Most-1:0]            all_o
);
  logic [Width:0][Most-1:0] count;  // of the bits below each place; the last place is behind the mask
  logic [Most-1:0]          sum;

  always_comb begin : add
    count[0] = '0;
    for (int b = 1; b <= Width; b++) count[b] = Most'(mask_i[b-1]);
    sum = '0;
    for (int s = 1; s < Width; s = 2 * s) begin
      for (int b = Width; b > s; b--) begin
        sum = count[b] | count[b-s];
        for (int k = 0; k < Most - 1; k++) begin
          if (count[b][k]) sum = sum | (count[b-s] << (k + 1));
        end
        count[b] = sum;
      end
    end
  end
  assign below_o = count[Width-1:0];
  assign all_o   = count[Width];
endmodule
