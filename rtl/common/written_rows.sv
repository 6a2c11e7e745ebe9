// SPDX-License-Identifier: Apache-2.0
// A small memory (sram_2w1r_write_first.sv) whose rows have a bit each that says whether it was written since a reset
// or since it was cleared. A row that was not reads 0, and the first write to it writes 0 to its other parts. Four rows
// are cleared together; that wins over a write.
module written_rows #(
  parameter int unsigned Rows      = 32,
  parameter int unsigned Parts     = 2,  // of a row
  parameter int unsigned PartWidth = 4,
  localparam int unsigned RowW = $clog2(Rows)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,

  input  logic                                 clear_i,
  input  logic [RowW-3:0]                      clear_rows_i,

  input  logic [1:0]                           write_i,
  input  logic [1:0][RowW-1:0]                 write_row_i,
  input  logic [1:0][Parts-1:0]                part_i,  // parts that are written
  input  logic [1:0][Parts-1:0][PartWidth-1:0] data_i,

  input  logic [RowW-1:0]                      read_row_i,
  output logic [Parts-1:0][PartWidth-1:0]      data_o
);
  logic [Rows-1:0] written_d;
  logic [Rows-1:0] written_q /*verilator public_flat_rd*/;

  logic [Rows-1:0]                      written;  // with the writes of this cycle
  logic [1:0][Parts-1:0]                part;
  logic [1:0][Parts-1:0][PartWidth-1:0] data;
  logic [Parts-1:0][PartWidth-1:0]      kept;

  always_comb begin : fill
    written = written_q;
    part    = part_i;
    data    = data_i;
    for (int w = 0; w < 2; w++) begin
      if (write_i[w]) begin
        written[write_row_i[w]] = 1'b1;
        if (!written_q[write_row_i[w]]) begin
          part[w] = '1;
          for (int p = 0; p < Parts; p++) begin
            if (!part_i[w][p]) data[w][p] = '0;
          end
        end
      end
    end
    written_d = written;
    if (clear_i) written_d[4*clear_rows_i+:4] = '0;
  end

  sram_2w1r_write_first #(
    .Rows     (Rows),
    .Parts    (Parts),
    .PartWidth(PartWidth)
  ) u_memory (
    .clk_i,
    .write_i,
    .write_row_i,
    .part_i(part),
    .data_i(data),
    .read_row_i,
    .data_o(kept)
  );
  assign data_o = written[read_row_i] ? kept : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) written_q <= '0;
    else written_q <= written_d;
  end
endmodule
