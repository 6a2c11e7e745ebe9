// SPDX-License-Identifier: Apache-2.0
// One level of a tree that adds many words (C. S. Wallace, A suggestion for a fast multiplier, IEEE Trans. EC-13,
// 1964): three words each become two in a row of full adders, and those left over go around. The sum stays the same,
// modulo 2^Width. The levels of a tree are carry_save_tree() of hw/exec/carry_save.h.
module carry_save_level #(
  parameter int unsigned Rows  = 15,
  parameter int unsigned Width = 16,
  localparam int unsigned Adders = Rows / 3,
  localparam int unsigned Rest   = Rows % 3,
  localparam int unsigned Next   = Rows - Adders
) (
  input  logic [Rows-1:0][Width-1:0] row_i,
  output logic [Next-1:0][Width-1:0] row_o
);
  for (genvar a = 0; a < Adders; a++) begin : gen_add
    carry_save_adder #(
      .Width(Width)
    ) u_add (
      .sum_i  (row_i[3*a]),
      .carry_i(row_i[3*a+1]),
      .row_i  (row_i[3*a+2]),
      .sum_o  (row_o[2*a]),
      .carry_o(row_o[2*a+1])
    );
  end
  for (genvar r = 0; r < Rest; r++) begin : gen_rest
    assign row_o[2*Adders+r] = row_i[3*Adders+r];
  end
endmodule
