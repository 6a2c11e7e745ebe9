// SPDX-License-Identifier: Apache-2.0
// A memory with one port that answers in the same cycle. A write changes some parts of its word. Its words have no reset
// value.
module sram_1rw_masked #(
  parameter int unsigned Words     = 32,
  parameter int unsigned Parts     = 2,   // of a word
  parameter int unsigned PartWidth = 16,
  localparam int unsigned AddressW = $clog2(Words)
) (
  input  logic                            clk_i,

  input  logic [AddressW-1:0]             address_i,
  input  logic                            write_i,
  input  logic [Parts-1:0]                part_i,  // parts that are written
  input  logic [Parts-1:0][PartWidth-1:0] data_i,
  output logic [Parts-1:0][PartWidth-1:0] data_o
);
  /* verilator tracing_off */  // waves show no words of memories
  logic [Parts*PartWidth-1:0] word [Words] /*verilator public_flat_rd*/;
  /* verilator tracing_on */

  logic [Parts-1:0][PartWidth-1:0] written;

  assign data_o = word[address_i];

  always_comb begin : merge
    written = '0;
    if (write_i) begin
      written = word[address_i];
      for (int p = 0; p < Parts; p++) begin
        if (part_i[p]) written[p] = data_i[p];
      end
    end
  end

  always_ff @(posedge clk_i) begin : write
    if (write_i) word[address_i] <= written;
  end
endmodule
