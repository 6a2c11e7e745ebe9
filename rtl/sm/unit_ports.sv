// SPDX-License-Identifier: Apache-2.0
// The reads of one instruction that take place, of those that have their turn: as many as there are ports left by older
// instructions. Numbers are in thermometer code. Without a clock.
module unit_ports #(
  localparam int unsigned Units = g80_pkg::MaxCollectorUnits,
  localparam int unsigned Words = g80_pkg::OperandWords,
  localparam int unsigned Banks = g80_pkg::MaxRegisterBanks,
  localparam int unsigned Ports = g80_pkg::OperandPorts
) (
  input  logic [Words-1:0]            turn_i,
  input  logic [Words-1:0][Ports-1:0] before_i,   // reads of the words before each
  input  logic [Words-1:0][4:0]       bank_i,
  input  logic [Units-1:0][Ports-1:0] earlier_i,  // ports still in use, and reads of older instructions

  output logic [Words-1:0]            grant_o,
  output logic [Banks-1:0]            served_o    // banks that it reads
);
  logic [Ports-1:0] used;  // when the instruction's turn comes
  logic [Words-1:0] full;  // when that of a word of it does

  thermometer_sum #(
    .Terms(Units),
    .Width(Ports)
  ) u_used (
    .term_i(earlier_i),
    .sum_o (used)
  );

  always_comb begin : find_ports
    grant_o  = '0;
    served_o = '0;
    for (int w = 0; w < Words; w++) begin
      full[w] = used[Ports-1] || before_i[w][Ports-1];
      for (int n = 0; n < Ports - 1; n++) full[w] = full[w] | used[n] & before_i[w][Ports-2-n];
      grant_o[w] = turn_i[w] && !full[w];
      served_o   = served_o | (grant_o[w] ? Banks'(1) << bank_i[w] : '0);
    end
  end
endmodule
