// SPDX-License-Identifier: Apache-2.0
// The read that a bank of the register file serves: which unit's instruction reads, which word, and from which row.
// Without a clock.
module bank_read #(
  localparam int unsigned Units = g80_pkg::MaxCollectorUnits,
  localparam int unsigned Words = g80_pkg::OperandWords,
  localparam int unsigned WordW = $clog2(Words),
  localparam int unsigned RowW  = $clog2(g80_pkg::MaxRegistersPerSm / g80_pkg::WarpSize)
) (
  input  logic [4:0]                            number_i,  // of the bank
  input  logic [Units-1:0]                      reader_i,  // whose read it serves, one at most
  input  logic [Units-1:0][Words-1:0]           grant_i,   // reads of all banks
  input  logic [Units-1:0][Words-1:0][4:0]      bank_i,
  input  logic [Units-1:0][Words-1:0][RowW-1:0] row_i,     // of each word's register
  input  logic [Units-1:0][Words-1:0]           none_i,    // it is not allocated
  input  logic [Units-1:0][Words-1:0][1:0]      half_i,

  output logic [RowW-1:0]                       row_o,
  output logic                                  none_o,
  output logic [3:0]                            unit_o,
  output logic [WordW-1:0]                      to_o,      // word of the operands
  output logic [1:0]                            half_o
);
  always_comb begin : find_read
    row_o  = '0;
    none_o = 1'b0;
    unit_o = '0;
    to_o   = '0;
    half_o = '0;
    for (int u = 0; u < Units; u++) begin
      if (reader_i[u]) unit_o = unit_o | 4'(u);
    end
    for (int w = 0; w < Words; w++) begin
      if (grant_i[unit_o][w] && bank_i[unit_o][w] == number_i) begin
        row_o  = row_o | row_i[unit_o][w];
        none_o = none_o | none_i[unit_o][w];
        to_o   = to_o | WordW'(w);
        half_o = half_o | half_i[unit_o][w];
      end
    end
  end
endmodule
