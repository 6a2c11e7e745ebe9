// SPDX-License-Identifier: Apache-2.0
// What a bank of the register file writes: the word of one write port, or numbers of threads; and the row that it is
// at. Without a clock.
module bank_write #(
  parameter int unsigned  Ports   = 4,
  localparam int unsigned Lanes   = g80_pkg::WarpSize,
  localparam int unsigned RowW    = $clog2(g80_pkg::MaxRegistersPerSm / g80_pkg::WarpSize)
) (
  input  logic [Ports-1:0]                      write_i,       // the ports that write this bank: one at most
  input  logic [Ports-1:0][RowW-1:0]            row_i,
  input  logic [Ports-1:0][2*Lanes-1:0]         part_i,        // halves of lanes
  input  logic [Ports-1:0][2*Lanes-1:0][15:0]   data_i,

  input  logic                                  numbers_i,     // numbers of threads have the slot
  input  logic [RowW-1:0]                       numbers_row_i,
  input  logic [2*Lanes-1:0]                    numbers_part_i,
  input  logic [2*Lanes-1:0][15:0]              numbers_data_i,

  input  logic                                  read_i,        // the bank is read
  input  logic [RowW-1:0]                       read_row_i,

  output logic                                  write_o,
  output logic [RowW-1:0]                       row_o,
  output logic [2*Lanes-1:0]                    part_o,
  output logic [2*Lanes-1:0][15:0]              data_o
);
  always_comb begin : choose
    write_o = numbers_i;
    row_o   = numbers_i ? numbers_row_i : '0;
    part_o  = numbers_i ? numbers_part_i : '0;
    data_o  = numbers_i ? numbers_data_i : '0;
    for (int p = 0; p < Ports; p++) begin
      write_o = write_o | write_i[p];
      row_o   = row_o | (write_i[p] ? row_i[p] : '0);
      part_o  = part_o | (write_i[p] ? part_i[p] : '0);
      data_o  = data_o | (write_i[p] ? data_i[p] : '0);
    end
    if (read_i) row_o = read_row_i;
  end
endmodule
