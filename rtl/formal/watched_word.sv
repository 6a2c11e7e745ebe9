// SPDX-License-Identifier: Apache-2.0
// Stands in for sram_1r1w.sv in proofs about one address, which the properties choose: what was written there is read
// there. Any other word reads as anything, and so does this one until it is written.
module watched_word #(
  parameter int unsigned Words = 32,
  parameter int unsigned Width = 1,
  localparam int unsigned AddressW = $clog2(Words)
) (
  input  logic                clk_i,

  input  logic                write_i,
  input  logic [AddressW-1:0] write_address_i,
  input  logic [Width-1:0]    write_data_i,

  input  logic [AddressW-1:0] read_address_i,
  output logic [Width-1:0]    read_data_o
);
  logic [AddressW-1:0] watched;  // driven by the properties
  logic [Width-1:0]    word_q;
  logic                written_q = 1'b0;
  (* anyseq *) logic [Width-1:0] anything;

  assign read_data_o = written_q && read_address_i == watched ? word_q : anything;

  always_ff @(posedge clk_i) begin : write
    if (write_i && write_address_i == watched) begin
      word_q    <= write_data_i;
      written_q <= 1'b1;
    end
  end
endmodule
