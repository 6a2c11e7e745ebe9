// SPDX-License-Identifier: Apache-2.0
// The reads of one instruction that have their turn at the register banks: at each bank, the first of its words that
// wants it, if no older instruction does. Without a clock.
module unit_turns #(
  localparam int unsigned Units = g80_pkg::MaxCollectorUnits,
  localparam int unsigned Words = g80_pkg::OperandWords,
  localparam int unsigned Banks = g80_pkg::MaxRegisterBanks,
  localparam int unsigned Ports = g80_pkg::OperandPorts
) (
  input  logic [Words-1:0]            wants_i,
  input  logic [Words-1:0][4:0]       bank_i,
  input  logic [Units-1:0]            older_i,   // instructions
  input  logic [Units-1:0][Banks-1:0] wanted_i,  // banks that each of them wants
  input  logic [Banks-1:0]            busy_i,    // the bank is written

  output logic [Banks-1:0]            wanted_o,
  output logic [Words-1:0]            turn_o,
  output logic [Words-1:0][Ports-1:0] before_o,  // how many of the words before each, bit n: more than n
  output logic [Ports-1:0]            reads_o    // and how many in all
);
  logic [Words-1:0] first;  // of the words for its bank
  logic [Banks-1:0] older;  // banks that older instructions want

  always_comb begin : find_wanted
    first    = wants_i;
    wanted_o = '0;
    for (int w = 0; w < Words; w++) begin
      if (wants_i[w]) begin
        for (int v = 0; v < w; v++) begin
          if (wants_i[v] && bank_i[v] == bank_i[w]) first[w] = 1'b0;
        end
        wanted_o = wanted_o | Banks'(1) << bank_i[w];
      end
    end
  end

  always_comb begin : find_older
    older = '0;
    for (int o = 0; o < Units; o++) begin
      if (older_i[o]) older = older | wanted_i[o];
    end
  end
  for (genvar w = 0; w < Words; w++) begin : gen_turn
    assign turn_o[w] = first[w] && !older[bank_i[w]] && !busy_i[bank_i[w]];
  end

  counts_below #(
    .Width(Words),
    .Most (Ports)
  ) u_reads (
    .mask_i (turn_o),
    .below_o(before_o),
    .all_o  (reads_o)
  );
endmodule
