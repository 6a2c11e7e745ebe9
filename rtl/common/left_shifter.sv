// SPDX-License-Identifier: Apache-2.0
// A left shifter. Zeros fill the places that become free.
module left_shifter #(
  parameter int unsigned Width  = 32,
  parameter int unsigned CountW = 6
) (
  input  logic [Width-1:0]  word_i,
  input  logic [CountW-1:0] count_i,
  output logic [Width-1:0]  word_o
);
  // Shifts by 2^s, one behind the other.
  always_comb begin : shift
    word_o = word_i;
    for (int s = 0; s < CountW; s++) begin
      if (count_i[s]) word_o = word_o << (1 << s);
    end
  end
endmodule
