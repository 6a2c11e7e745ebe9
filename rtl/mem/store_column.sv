// SPDX-License-Identifier: Apache-2.0
// The same byte of each 16 bytes of a transaction, from the words of the lanes that store there.
module store_column #(
  localparam int unsigned Lanes  = g80_pkg::HalfWarp,
  localparam int unsigned Pieces = g80_pkg::MaxTransactionBytes / 16
) (
  input  logic [Pieces-1:0][Lanes-1:0] stores_i,  // in which 16 bytes a lane stores
  input  logic [Lanes-1:0]             own_i,     // it has this byte,
  input  logic [7:0][Lanes-1:0]        word_i,    // ... and its bits, else 0
  output logic [Pieces-1:0]            enable_o,
  output logic [Pieces-1:0][7:0]       data_o
);
  for (genvar p = 0; p < Pieces; p++) begin : gen_piece
    assign enable_o[p] = |(stores_i[p] & own_i);
    for (genvar i = 0; i < 8; i++) begin : gen_bit
      assign data_o[p][i] = |(stores_i[p] & word_i[i]);
    end
  end
endmodule
