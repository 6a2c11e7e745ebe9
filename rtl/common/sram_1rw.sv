// SPDX-License-Identifier: Apache-2.0
// A memory with one port that answers in the same cycle. Its words have no reset value.
module sram_1rw #(
  parameter int unsigned Words = 32,
  parameter int unsigned Width = 1,
  localparam int unsigned AddressW = $clog2(Words)
) (
  input  logic                clk_i,

  input  logic [AddressW-1:0] address_i,
  input  logic                write_i,
  input  logic [Width-1:0]    data_i,
  output logic [Width-1:0]    data_o
);
  /* verilator tracing_off */  // waves show no words of memories
  logic [Width-1:0] word [Words];
  /* verilator tracing_on */

  assign data_o = word[address_i];

  always_ff @(posedge clk_i) begin : write
    if (write_i) word[address_i] <= data_i;
  end
endmodule
