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
  logic [Banks-1:0]                 read;
  logic [Units-1:0][Units-1:0]      older;     // [u][o]: o is older than u
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
    for (int u = 0; u < Units; u++) begin  // of two of one rank, which do not exist, the first, as the pairs say
      for (int o = 0; o < Units; o++) older[u][o] = o < u ? rank_i[o] <= rank_i[u] : rank_i[o] < rank_i[u];
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
    .read_o   (read),
    .ports_o  (ports)
  );

  // Any two words
  (* anyconst *) logic [UnitW-1:0] one_unit, other_unit;
  (* anyconst *) logic [WordW-1:0] one_word, other_word;
  logic one, other, one_bank, sooner;

  assign one      = grant[one_unit][one_word];
  assign other    = wants_i[other_unit][other_word];
  assign one_bank = bank_i[one_unit][one_word] == bank_i[other_unit][other_word];
  assign sooner   = rank_i[other_unit] < rank_i[one_unit] || (other_unit == one_unit && other_word < one_word);

  // A word that has its turn at its bank: nothing before it wants the bank.
  logic [Units-1:0][Banks-1:0] wanted;  // banks that each instruction wants
  logic [Units-1:0][Words-1:0] has_turn;

  for (genvar u = 0; u < Units; u++) begin : gen_turns
    logic [Banks-1:0] older_want;

    for (genvar b = 0; b < Banks; b++) begin : gen_bank
      logic [Words-1:0] want;

      for (genvar w = 0; w < Words; w++) begin : gen_want
        assign want[w] = wants_i[u][w] && bank_i[u][w] == BankW'(b);
      end
      assign wanted[u][b] = |want;
    end
    always_comb begin : find_older
      older_want = '0;
      for (int o = 0; o < Units; o++) begin
        if (older[u][o]) older_want = older_want | wanted[o];
      end
    end
    for (genvar w = 0; w < Words; w++) begin : gen_has_turn
      logic [Words-1:0] same;  // words of this instruction before it that want its bank

      for (genvar v = 0; v < Words; v++) begin : gen_same
        assign same[v] = v < w && wants_i[u][v] && bank_i[u][v] == bank_i[u][w];
      end
      assign has_turn[u][w] = wants_i[u][w] && !busy_i[bank_i[u][w]] && !older_want[bank_i[u][w]] && same == '0;
    end
  end
  // How many have their turn, up to the number of ports, in thermometer code: of each instruction, of those older than
  // it, and of all. thermometer_sum is proven in trees_props.sv.
  logic [Units-1:0][Ports-1:0]            turns_of, turns_of_older;
  logic [Units-1:0][Units-1:0][Ports-1:0] of_older;
  logic [Ports-1:0]                       all_turns;

  for (genvar u = 0; u < Units; u++) begin : gen_count
    always_comb begin : count
      turns_of[u] = '0;
      for (int w = 0; w < Words; w++) begin
        if (has_turn[u][w]) turns_of[u] = {turns_of[u][Ports-2:0], 1'b1};
      end
    end
    for (genvar o = 0; o < Units; o++) begin : gen_older
      assign of_older[u][o] = older[u][o] ? turns_of[o] : '0;
    end
    thermometer_sum #(
      .Terms(Units),
      .Width(Ports)
    ) u_older (
      .term_i(of_older[u]),
      .sum_o (turns_of_older[u])
    );
  end
  thermometer_sum #(
    .Terms(Units),
    .Width(Ports)
  ) u_all (
    .term_i(turns_of),
    .sum_o (all_turns)
  );

  // The same, before the chosen word and of all; and the most that ports allow
  logic [7:0] turns_before, turns, reads;

  always_comb begin : add
    turns_before = '0;
    turns        = '0;
    for (int n = 0; n < Ports; n++) begin
      turns_before = turns_before + 8'(turns_of_older[one_unit][n]);
      turns        = turns + 8'(all_turns[n]);
    end
    for (int w = 0; w < Words; w++) begin
      if (WordW'(w) < one_word) turns_before = turns_before + 8'(has_turn[one_unit][w]);
    end
    reads = turns + 8'(in_use_i) < 8'(Ports) ? turns : 8'(Ports) - 8'(in_use_i);
  end

  // Words are read in their order, none is left out while a port is free: so as many are read as `reads` says.
  logic             turn;
  logic [Banks-1:0] has_unit;
  assign turn = has_turn[one_unit][one_word];

  for (genvar b = 0; b < Banks; b++) begin : gen_has_unit
    assign has_unit[b] = unit[b] != '0;
  end

  always_comb begin : properties
    EveryInstructionHasItsRank: assume (in_order);
    PortsExist: assume (in_use_i <= Ports);
    WordsExist: assume (one_unit < Units && other_unit < Units && one_word < Words && other_word < Words);
    ReadsWhatIsWanted: assert (!one || (wants_i[one_unit][one_word] && !busy_i[bank_i[one_unit][one_word]]));
    BankServesTheFirst: assert (!(one && other && one_bank && sooner));
    PortsGoInOrder: assert (!one || (turn && turns_before + 8'(in_use_i) < 8'(Ports)));
    NoPortIdles: assert (one || !turn || turns_before + 8'(in_use_i) >= 8'(Ports));
    PortsAreCounted: assert (ports == Ports'((1 << reads) - 1));
    BankKnowsItsUnit: assert (!one || unit[bank_i[one_unit][one_word]] == Units'(1) << one_unit);
    BankIsReadByAUnit: assert (read == has_unit);
    AllPortsRead: cover (reads == 8'(Ports) && (&all_turns) && turns_before == 8'(Ports) && turn);
    OlderComesSecond: cover (one && has_turn[other_unit][other_word] && other_unit != one_unit && in_use_i != '0);
  end
endmodule
