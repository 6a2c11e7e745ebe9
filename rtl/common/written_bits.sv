// SPDX-License-Identifier: Apache-2.0
// A bit for each row of a memory: whether the row was written since a reset or since it was cleared. Clearing wins over
// a write.
module written_bits #(
  parameter int unsigned Rows    = 32,
  parameter int unsigned Writes  = 1,
  parameter int unsigned Lookups = 1,
  localparam int unsigned RowW = $clog2(Rows)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic [Rows-1:0]              clear_i,
  input  logic [Writes-1:0]            write_i,
  input  logic [Writes-1:0][RowW-1:0]  write_row_i,

  input  logic [Lookups-1:0][RowW-1:0] row_i,
  output logic [Lookups-1:0]           written_o  // before this cycle's writes
);
  logic [Rows-1:0] written_d;
  logic [Rows-1:0] written_q /*verilator public_flat_rd*/;

  // A decoder for each write: writes to one bit of a vector after the other would be a chain of choices among all bits.
  always_comb begin : next
    written_d = written_q;
    for (int w = 0; w < Writes; w++) written_d = written_d | (Rows'(write_i[w]) << write_row_i[w]);
    written_d = written_d & ~clear_i;
  end

  always_comb begin : look_up
    for (int l = 0; l < Lookups; l++) written_o[l] = written_q[row_i[l]];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) written_q <= '0;
    else written_q <= written_d;
  end
endmodule
