// SPDX-License-Identifier: Apache-2.0
// A right shifter with two words of output: what stays, and what went out of it, left-aligned. The highest bit of out_o
// is the last bit shifted out: the carry of a shift, and the guard bit of a rounding.
// Twin of shift_right() and shift_right_signed() of hw/exec/arithmetic.h.
module right_shifter #(
  parameter int unsigned Width  = 32,
  parameter int unsigned OutW   = Width,             // of the word that went out
  parameter int unsigned CountW = $clog2(Width) + 1
) (
  input  logic [Width-1:0]  word_i,
  input  logic              fill_i,   // what fills the places that become free
  input  logic [CountW-1:0] count_i,
  output logic [Width-1:0]  kept_o,
  output logic [OutW-1:0]   out_o
);
  // Shifts by 2^s, one behind the other.
  localparam int unsigned BothW = Width + OutW;
  logic [BothW-1:0] word;

  always_comb begin : shift
    word = {word_i, {OutW{1'b0}}};
    for (int s = 0; s < CountW; s++) begin
      if (count_i[s]) word = (word >> (1 << s)) | ({BothW{fill_i}} & ~({BothW{1'b1}} >> (1 << s)));
    end
  end

  assign {kept_o, out_o} = word;
endmodule
