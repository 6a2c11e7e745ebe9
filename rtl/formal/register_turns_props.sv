// SPDX-License-Identifier: Apache-2.0
// The reads of register banks: a bank serves one word a cycle, of the oldest instruction that wants it the first; no
// more reads take place than ports are free, and if one does not, no port is free or the bank has something older
// to do.
module register_turns_props #(
  localparam int unsigned Units = g80_pkg::MaxCollectorUnits,
  localparam int unsigned UnitW = $clog2(Units),
  localparam int unsigned Words = g80_pkg::OperandWords,
  localparam int unsigned WordW = $clog2(Words),
  localparam int unsigned Banks = g80_pkg::MaxRegisterBanks,
  localparam int unsigned BankW = $clog2(Banks),
  localparam int unsigned Ports = g80_pkg::OperandPorts,
  localparam int unsigned Pairs = Units * (Units - 1) / 2
) (
  input logic [Units-1:0][UnitW-1:0]            rank_i,   // 0: the oldest instruction
  input logic [Units-1:0][Words-1:0]            wants_i,
  input logic [Units-1:0][Words-1:0][BankW-1:0] bank_i,
  input logic [Banks-1:0]                       busy_i,
  input logic [$clog2(Ports+1)-1:0]             in_use_i  // ports
);
  logic [Pairs-1:0]                 younger;
  logic [Units-1:0][Words-1:0][4:0] bank;
  logic [Ports-1:0]                 passing, ports;
  logic [Units-1:0][Words-1:0]      grant;
  logic [Banks-1:0][Units-1:0]      unit;
  logic                             in_order;  // every instruction has its own rank

  always_comb begin : order
    in_order = 1'b1;
    younger  = '0;
    for (int b = 0; b < Units; b++) begin
      for (int a = 0; a < b; a++) begin
        if (rank_i[a] == rank_i[b]) in_order = 1'b0;
        younger[b*(b-1)/2+a] = rank_i[a] > rank_i[b];
      end
    end
    for (int n = 0; n < Ports; n++) passing[n] = n < in_use_i;
  end
  for (genvar u = 0; u < Units; u++) begin : gen_unit
    for (genvar w = 0; w < Words; w++) begin : gen_word
      assign bank[u][w] = 5'(bank_i[u][w]);
    end
  end

  register_turns u_dut (
    .younger_i(younger),
    .wants_i,
    .bank_i   (bank),
    .busy_i,
    .passing_i(passing),
    .grant_o  (grant),
    .unit_o   (unit),
    .ports_o  (ports)
  );

  // Any two words
  (* anyconst *) logic [UnitW-1:0] one_unit, other_unit;
  (* anyconst *) logic [WordW-1:0] one_word, other_word;
  logic one, other, one_bank, before;

  assign one      = grant[one_unit][one_word];
  assign other    = wants_i[other_unit][other_word];
  assign one_bank = bank_i[one_unit][one_word] == bank_i[other_unit][other_word];
  assign before   = rank_i[other_unit] < rank_i[one_unit] || (other_unit == one_unit && other_word < one_word);

  // A word that has its turn at its bank: nothing before it wants the bank. How many do, before it and altogether.
  logic [Units-1:0][Words-1:0] has_turn;
  logic [7:0]                  turns_before, turns, reads;

  always_comb begin : find_turns
    for (int u = 0; u < Units; u++) begin
      for (int w = 0; w < Words; w++) begin
        has_turn[u][w] = wants_i[u][w] && !busy_i[bank_i[u][w]];
        for (int o = 0; o < Units; o++) begin
          for (int v = 0; v < Words; v++) begin
            if (wants_i[o][v] && bank_i[o][v] == bank_i[u][w] &&
                (rank_i[o] < rank_i[u] || (o == u && v < w))) has_turn[u][w] = 1'b0;
          end
        end
      end
    end
  end
  always_comb begin : count
    turns_before = '0;
    turns        = '0;
    reads        = '0;
    for (int u = 0; u < Units; u++) begin
      for (int w = 0; w < Words; w++) begin
        turns = turns + 8'(has_turn[u][w]);
        reads = reads + 8'(grant[u][w]);
        if (rank_i[u] < rank_i[one_unit] || (one_unit == UnitW'(u) && WordW'(w) < one_word))
          turns_before = turns_before + 8'(has_turn[u][w]);
      end
    end
  end

  always_comb begin : properties
    EveryInstructionHasItsRank: assume (in_order);
    PortsExist: assume (in_use_i <= Ports);
    WordsExist: assume (one_word < Words && other_word < Words);
    ReadsWhatIsWanted: assert (!one || (wants_i[one_unit][one_word] && !busy_i[bank_i[one_unit][one_word]]));
    BankServesTheFirst: assert (!(one && other && one_bank && before));
    PortsGoInOrder: assert (one == (has_turn[one_unit][one_word] && turns_before + 8'(in_use_i) < 8'(Ports)));
    NoPortIdles: assert (reads == (turns + 8'(in_use_i) < 8'(Ports) ? turns : 8'(Ports) - 8'(in_use_i)));
    PortsAreCounted: assert (ports == Ports'((1 << reads) - 1));
    BankKnowsItsUnit: assert (!one || unit[bank_i[one_unit][one_word]] == Units'(1) << one_unit);
    AllPortsRead: cover (reads == 8'(Ports) && turns > 8'(Ports));
    OlderComesSecond: cover (one && has_turn[other_unit][other_word] && other_unit != one_unit && in_use_i != '0);
  end
endmodule
