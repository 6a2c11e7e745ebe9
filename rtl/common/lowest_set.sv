// SPDX-License-Identifier: Apache-2.0
// The lowest bit set of a mask: its number, and whether there is one. Both in about log2(Width) levels of gates.
module lowest_set #(
  parameter int unsigned Width = 32,
  localparam int unsigned IndexW = $clog2(Width)
) (
  input  logic [Width-1:0]  mask_i,
  output logic              found_o,
  output logic [IndexW-1:0] index_o
);
  logic [Width-1:0] below, lowest;  // a lower bit is set; the bit itself, alone

  always_comb begin : find_below
    below = mask_i << 1;
    for (int s = 1; s < Width; s = 2 * s) below = below | (below << s);
  end
  assign lowest  = mask_i & ~below;
  assign found_o = |mask_i;

  always_comb begin : encode
    index_o = '0;
    for (int i = 0; i < Width; i++) begin
      if (lowest[i]) index_o = index_o | IndexW'(i);
    end
  end
endmodule
