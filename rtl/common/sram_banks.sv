// SPDX-License-Identifier: Apache-2.0
// A memory in banks with a port each, which reads or writes one row in a cycle and answers in the same cycle. A write
// changes some parts of its row. The words have no reset value.
module sram_banks #(
  parameter int unsigned Banks     = 16,
  parameter int unsigned Rows      = 32,  // of a bank
  parameter int unsigned Parts     = 2,   // of a row
  parameter int unsigned PartWidth = 16,
  localparam int unsigned RowW = $clog2(Rows)
) (
  input  logic                                         clk_i,

  input  logic [Banks-1:0]                             read_i,
  input  logic [Banks-1:0]                             write_i,
  input  logic [Banks-1:0][RowW-1:0]                   row_i,
  input  logic [Banks-1:0][Parts-1:0]                  part_i,  // parts that are written
  input  logic [Banks-1:0][Parts-1:0][PartWidth-1:0]   data_i,
  output logic [Banks-1:0][Parts-1:0][PartWidth-1:0]   data_o   // 0 of a bank that does not read
);
  /* verilator tracing_off */  // waves show no words of memories
  logic [Parts-1:0][PartWidth-1:0] word [Banks][Rows] /*verilator public_flat_rd*/;
  /* verilator tracing_on */

  logic [Banks-1:0][Parts-1:0][PartWidth-1:0] written;

  always_comb begin : read
    for (int b = 0; b < Banks; b++) begin
      if (read_i[b]) data_o[b] = word[b][row_i[b]];
      else data_o[b] = '0;
    end
  end

  always_comb begin : merge
    for (int b = 0; b < Banks; b++) begin
      written[b] = '0;
      if (write_i[b]) begin
        written[b] = word[b][row_i[b]];
        for (int p = 0; p < Parts; p++) begin
          if (part_i[b][p]) written[b][p] = data_i[b][p];
        end
      end
    end
  end

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    always_ff @(posedge clk_i) begin : write
      if (write_i[b]) word[b][row_i[b]] <= written[b];
    end
  end

  always @(posedge clk_i) begin : checks
    PortDoesOneThing: assert ((read_i & write_i) == '0);
  end
endmodule
