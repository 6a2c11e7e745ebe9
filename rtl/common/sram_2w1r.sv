// SPDX-License-Identifier: Apache-2.0
// A small memory with two write ports and one read port that answers in the same cycle. Its words have no reset value.
// The user never writes one word through both.
module sram_2w1r #(
  parameter int unsigned Words = 32,
  parameter int unsigned Width = 1,
  localparam int unsigned AddressW = $clog2(Words)
) (
  input  logic                clk_i,

  input  logic                write_a_i,
  input  logic [AddressW-1:0] address_a_i,
  input  logic [Width-1:0]    data_a_i,

  input  logic                write_b_i,
  input  logic [AddressW-1:0] address_b_i,
  input  logic [Width-1:0]    data_b_i,

  input  logic [AddressW-1:0] read_address_i,
  output logic [Width-1:0]    read_data_o
);
  /* verilator tracing_off */  // waves show no words of memories
  logic [Width-1:0] word [Words];
  /* verilator tracing_on */

  assign read_data_o = word[read_address_i];

  always_ff @(posedge clk_i) begin : write
    if (write_a_i) word[address_a_i] <= data_a_i;
    if (write_b_i) word[address_b_i] <= data_b_i;
  end

  always @(posedge clk_i) begin : checks
    WordIsWrittenOnce: assert (!(write_a_i && write_b_i && address_a_i == address_b_i));
  end
endmodule
