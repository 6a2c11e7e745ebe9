// SPDX-License-Identifier: Apache-2.0
// Which lanes of a half-warp a pass of the constant cache serves. This is where the broadcast of a constant is decided.
//
// The lowest lane names the address. Lanes that read its word are served together if the line is there; lanes that read
// its line wait for it together if it is not.
module select_broadcast #(
  localparam int unsigned Lanes = g80_pkg::HalfWarp
) (
  // Strap
  input  logic [2:0]             cfg_line_bits_i,  // of the address of a byte in its line

  input  logic [Lanes-1:0]       lanes_i,
  input  logic                   direct_i,         // all lanes read at the first address
  input  logic [Lanes-1:0][31:0] address_i,
  output logic [31:0]            first_o,          // address of the lowest lane
  output logic [Lanes-1:0]       same_word_o,
  output logic [Lanes-1:0]       same_line_o
);
  logic [$clog2(Lanes)-1:0] lowest, first;
  logic [31:0]              line_mask;
  logic [Lanes-1:0]         word, line;  // these lanes' own addresses are in the word, in the line

  lowest_set #(.Width(Lanes)) u_lowest (
    .mask_i (lanes_i),
    .found_o(),
    .index_o(lowest)
  );
  assign first     = direct_i ? '0 : lowest;
  assign first_o   = address_i[first];
  assign line_mask = 32'hffffffff << cfg_line_bits_i;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign word[l] = address_i[l][31:2] == first_o[31:2];
    assign line[l] = ((address_i[l] ^ first_o) & line_mask) == '0;
  end
  assign same_word_o = lanes_i & (direct_i ? '1 : word);
  assign same_line_o = lanes_i & (direct_i ? '1 : line);
endmodule
