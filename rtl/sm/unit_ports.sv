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
  input  logic [Words-1:0][4:0]       bank_i,
  input  logic [Units-1:0][Ports-1:0] earlier_i,  // ports still in use, and reads of older instructions

  output logic [Words-1:0]            grant_o,
  output logic [Banks-1:0]            served_o    // banks that it reads
);
  logic [Ports-1:0] used, taken;  // when the instruction's turn comes; and that of a word of it

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
    taken    = used;
    for (int w = 0; w < Words; w++) begin
      if (turn_i[w] && !taken[Ports-1]) begin
        grant_o[w] = 1'b1;
        served_o   = served_o | Banks'(1) << bank_i[w];
        taken      = {taken[Ports-2:0], 1'b1};
      end
    end
  end
endmodule
