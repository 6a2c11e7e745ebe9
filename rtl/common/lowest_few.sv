// SPDX-License-Identifier: Apache-2.0
// The lowest bits set of a mask: the lowest, the next one, and so on; the number of each, and whether there is one. How
// many bits below a bit are set says which of them it is.
module lowest_few #(
  parameter int unsigned Width = 16,
  parameter int unsigned Count = 3,
  localparam int unsigned IndexW = $clog2(Width)
) (
  input  logic [Width-1:0]             mask_i,
  output logic [Count-1:0]             found_o,
  output logic [Count-1:0][IndexW-1:0] index_o
);
  logic [Width-1:0][Count-1:0] below;   // set bits below each bit, in thermometer code
  logic [Width-1:0][Count:0]   least;   // bit n: n or more
  logic [Count-1:0][Width-1:0] lowest;  // the bits, each alone

  counts_below #(
    .Width(Width),
    .Most (Count)
  ) u_below (
    .mask_i,
    .below_o(below),
    .all_o  ()
  );

  for (genvar b = 0; b < Width; b++) begin : gen_bit
    assign least[b] = {below[b], 1'b1};
    for (genvar c = 0; c < Count; c++) begin : gen_lowest
      assign lowest[c][b] = mask_i[b] && least[b][c] && !least[b][c+1];
    end
  end

  always_comb begin : encode
    index_o = '0;
    for (int c = 0; c < Count; c++) begin
      found_o[c] = |lowest[c];
      for (int b = 0; b < Width; b++) begin
        if (lowest[c][b]) index_o[c] = index_o[c] | IndexW'(b);
      end
    end
  end
endmodule
