// SPDX-License-Identifier: Apache-2.0
// A small memory with two write ports and one read port that answers in the same cycle, with what is written in it. A
// write changes some parts of its row. The rows have no reset value.
//
// The user writes different rows through the two ports.
module sram_2w1r_write_first #(
  parameter int unsigned Rows      = 32,
  parameter int unsigned Parts     = 2,  // of a row
  parameter int unsigned PartWidth = 4,
  localparam int unsigned RowW = $clog2(Rows)
) (
  input  logic                                 clk_i,

  input  logic [1:0]                           write_i,
  input  logic [1:0][RowW-1:0]                 write_row_i,
  input  logic [1:0][Parts-1:0]                part_i,  // parts that are written
  input  logic [1:0][Parts-1:0][PartWidth-1:0] data_i,

  input  logic [RowW-1:0]                      read_row_i,
  output logic [Parts-1:0][PartWidth-1:0]      data_o
);
  /* verilator tracing_off */  // waves show no words of memories
  logic [Parts-1:0][PartWidth-1:0] word [Rows] /*verilator public_flat_rd*/;
  /* verilator tracing_on */

  logic [1:0][Parts-1:0][PartWidth-1:0] written;

  for (genvar w = 0; w < 2; w++) begin : gen_port
    always_comb begin : merge
      written[w] = '0;
      if (write_i[w]) begin
        written[w] = word[write_row_i[w]];
        for (int p = 0; p < Parts; p++) begin
          if (part_i[w][p]) written[w][p] = data_i[w][p];
        end
      end
    end
  end

  always_comb begin : read
    data_o = word[read_row_i];
    for (int w = 0; w < 2; w++) begin
      if (write_i[w] && write_row_i[w] == read_row_i) data_o = written[w];
    end
  end

  always_ff @(posedge clk_i) begin : write
    for (int w = 0; w < 2; w++) begin
      if (write_i[w]) word[write_row_i[w]] <= written[w];
    end
  end

  always @(posedge clk_i) begin : checks
    PortsWriteDifferentRows: assert (write_i != 2'b11 || write_row_i[0] != write_row_i[1]);
  end
endmodule
