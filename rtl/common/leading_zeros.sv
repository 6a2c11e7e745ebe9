// SPDX-License-Identifier: Apache-2.0
// Counts the zeros in front of the first one of a word, as a tree: the halves of a group are counted side by side, and
// the lower one matters only if the upper one is empty. Width is a power of two. The count of a word without ones is
// Width.
//
// On level n the groups have 2^n bits. Bit 2^n * i of `empty` says that group i has no one, and this bit of place[b] is
// bit b of its count; the bits between mean nothing.
module leading_zeros #(
  parameter int unsigned Width = 32,
  localparam int unsigned Levels = $clog2(Width)
) (
  input  logic [Width-1:0] word_i,
  output logic [Levels:0]  count_o
);
  logic [Width-1:0]             empty, upper_empty;
  logic [Levels-1:0][Width-1:0] place;

  always_comb begin : tree
    empty = ~word_i;
    place = '0;
    for (int n = 0; n < Levels; n++) begin
      upper_empty = empty >> (1 << n);
      for (int b = 0; b < n; b++) place[b] = (upper_empty & place[b]) | (~upper_empty & (place[b] >> (1 << n)));
      place[n] = upper_empty;
      empty    = empty & upper_empty;
    end
  end

  assign count_o[Levels] = empty[0];
  for (genvar b = 0; b < Levels; b++) begin : gen_count
    assign count_o[b] = place[b][0] && !empty[0];
  end
endmodule
