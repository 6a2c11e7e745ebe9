// SPDX-License-Identifier: Apache-2.0
// Which read each register bank serves: of the oldest instruction that wants the bank, the first word of its operands
// that does. Of these reads, in the same order, as many take place as there are ports to the collector units. Without a
// clock. Twin of RegisterFile::read_banks().
module register_turns #(
  localparam int unsigned Units = g80_pkg::MaxCollectorUnits,
  localparam int unsigned Words = g80_pkg::OperandWords,
  localparam int unsigned Banks = g80_pkg::MaxRegisterBanks,
  localparam int unsigned Ports = g80_pkg::OperandPorts,
  localparam int unsigned Pairs = Units * (Units - 1) / 2
) (
  input  logic [Pairs-1:0]                  younger_i,  // as in age_matrix.sv
  input  logic [Units-1:0][Words-1:0]       wants_i,    // a word could be read
  input  logic [Units-1:0][Words-1:0][4:0]  bank_i,
  input  logic [Banks-1:0]                  busy_i,     // the bank is written
  input  logic [Ports-1:0]                  passing_i,  // bit n: more than n ports are still in use

  output logic [Units-1:0][Words-1:0]       grant_o,
  output logic [Banks-1:0][Units-1:0]       unit_o,     // of each bank
  output logic [Ports-1:0]                  ports_o     // bit n: more than n reads take place
);
  // Numbers of reads are written like passing_i: the sum of two needs no carries, and more than Ports are as many.
  logic [Units-1:0][Words-1:0] first;   // of its unit's words for the bank
  logic [Units-1:0][Words-1:0] turn;    // and of all units'
  logic [Units-1:0][Banks-1:0] wanted;
  logic [Banks-1:0]            older;   // banks that older instructions want
  logic [Units-1:0][Ports-1:0] reads;   // how many each unit has
  logic [Units-1:0][Ports-1:0] sum;     // in [0]: ports in use and reads of older instructions
  logic [Ports-1:0]            taken;  // and those for words before this one

  always_comb begin : find_wanted
    first  = wants_i;
    wanted = '0;
    for (int u = 0; u < Units; u++) begin
      for (int w = 0; w < Words; w++) begin
        if (wants_i[u][w]) begin
          if (wanted[u][bank_i[u][w]]) first[u][w] = 1'b0;
          wanted[u][bank_i[u][w]] = 1'b1;
        end
      end
    end
  end

  always_comb begin : find_turns
    turn  = '0;
    reads = '0;
    older = '0;
    for (int u = 0; u < Units; u++) begin
      if (wants_i[u] != '0) begin
        older = '0;
        for (int o = 0; o < Units; o++) begin
          if (o < u && !younger_i[u*(u-1)/2+o]) older = older | wanted[o];
          if (o > u && younger_i[o*(o-1)/2+u]) older = older | wanted[o];
        end
        for (int w = 0; w < Words; w++) begin
          turn[u][w] = first[u][w] && !older[bank_i[u][w]] && !busy_i[bank_i[u][w]];
          if (turn[u][w]) reads[u] = {reads[u][Ports-2:0], 1'b1};
        end
      end
    end
  end

  always_comb begin : find_ports
    grant_o = '0;
    unit_o  = '0;
    ports_o = '0;
    sum     = '0;
    taken   = '0;
    for (int u = 0; u < Units; u++) begin
      if (reads[u] != '0) begin
        sum = reads;
        for (int o = 0; o < Units; o++) begin
          if (o < u && younger_i[u*(u-1)/2+o]) sum[o] = '0;
          if (o > u && !younger_i[o*(o-1)/2+u]) sum[o] = '0;
        end
        sum[u] = passing_i;
        for (int left = Units / 2; left >= 1; left = left / 2) begin
          for (int i = 0; i < left; i++) begin
            taken = sum[2*i] | sum[2*i+1];
            for (int n = 1; n < Ports; n++) begin
              for (int k = 0; k < n; k++) taken[n] = taken[n] | (sum[2*i][k] & sum[2*i+1][n-1-k]);
            end
            sum[i] = taken;
          end
        end
        taken = sum[0];
        for (int w = 0; w < Words; w++) begin
          if (turn[u][w] && !taken[Ports-1]) begin
            grant_o[u][w]           = 1'b1;
            unit_o[bank_i[u][w]][u] = 1'b1;
            ports_o                 = {ports_o[Ports-2:0], 1'b1};
            taken                   = {taken[Ports-2:0], 1'b1};
          end
        end
      end
    end
  end
endmodule
