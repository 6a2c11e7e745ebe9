// SPDX-License-Identifier: Apache-2.0
// A small memory of rows: one column of a row is written, a whole row is read in the same cycle. Its words have no
// reset value.
module sram_columns #(
  parameter int unsigned Rows    = 32,
  parameter int unsigned Columns = 2,
  parameter int unsigned Width   = 1,
  localparam int unsigned RowW    = $clog2(Rows),
  localparam int unsigned ColumnW = $clog2(Columns)
) (
  input  logic                          clk_i,

  input  logic                          write_i,
  input  logic [RowW-1:0]               write_row_i,
  input  logic [ColumnW-1:0]            write_column_i,
  input  logic [Width-1:0]              write_data_i,

  input  logic [RowW-1:0]               read_row_i,
  output logic [Columns-1:0][Width-1:0] read_data_o
);
  /* verilator tracing_off */  // waves show no words of memories
  logic [Columns-1:0][Width-1:0] word [Rows];
  /* verilator tracing_on */

  assign read_data_o = word[read_row_i];

  always_ff @(posedge clk_i) begin : write
    if (write_i) word[write_row_i][write_column_i] <= write_data_i;
  end
endmodule
