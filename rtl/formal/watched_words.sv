// SPDX-License-Identifier: Apache-2.0
// Stands in for sram_1r1w.sv in proofs about a few addresses, which the properties choose: the words there are those of
// the memory, every other word reads as anything.
module watched_words #(
  parameter int unsigned Words = 32,
  parameter int unsigned Width = 1,
  localparam int unsigned AddressW = $clog2(Words),
  localparam int unsigned Watched  = 4
) (
  input  logic                clk_i,

  input  logic                write_i,
  input  logic [AddressW-1:0] write_address_i,
  input  logic [Width-1:0]    write_data_i,

  input  logic [AddressW-1:0] read_address_i,
  output logic [Width-1:0]    read_data_o
);
  logic [Watched-1:0][AddressW-1:0] watched;  // driven by the properties
  logic [Watched-1:0][Width-1:0]    word_q;
  (* anyseq *) logic [Width-1:0]    anything;

  always_comb begin : read
    read_data_o = anything;
    for (int w = 0; w < Watched; w++) begin
      if (read_address_i == watched[w]) read_data_o = word_q[w];
    end
  end

  for (genvar w = 0; w < Watched; w++) begin : gen_word
    always_ff @(posedge clk_i) begin : write
      if (write_i && write_address_i == watched[w]) word_q[w] <= write_data_i;
    end
  end
endmodule
