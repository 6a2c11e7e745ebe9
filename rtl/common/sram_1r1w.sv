// SPDX-License-Identifier: Apache-2.0
// A small memory with one write port and one read port that answers in the same cycle. Its words have no reset value.
module sram_1r1w #(
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
  /* verilator tracing_off */  // waves show no words of memories
  logic [Words-1:0][Width-1:0] word;
  /* verilator tracing_on */

  assign read_data_o = word[read_address_i];

  always_ff @(posedge clk_i) begin : write
    if (write_i) word[write_address_i] <= write_data_i;
  end
endmodule
