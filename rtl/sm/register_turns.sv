// SPDX-License-Identifier: Apache-2.0
// Which read each register bank serves: of the oldest instruction that wants the bank, the first word of its operands
// that does. Of these reads, in the same order, as many take place as there are ports to the collector units. Without a
// clock. Twin of RegisterFile::read_banks(). Numbers of reads are in thermometer code.
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
  output logic [Banks-1:0]                  read_o,     // banks that are read
  output logic [Ports-1:0]                  ports_o     // bit n: more than n reads take place
);
  logic [Units-1:0][Units-1:0] older;   // [u][o]: the instruction of o is older than that of u
  logic [Units-1:0][Banks-1:0] wanted, served;
  logic [Units-1:0][Words-1:0] turn;
  logic [Units-1:0][Ports-1:0] reads;   // that have their turn
  logic [Units-1:0][Words-1:0][Ports-1:0] reads_before;  // each word, of the same instruction
  logic [Ports-1:0]            all_reads;
  logic [Units-1:0][Units-1:0][Ports-1:0] earlier;  // [u]: ports still in use, and reads of older instructions

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    for (genvar o = 0; o < Units; o++) begin : gen_other
      if (o == u) begin : gen_itself
        assign older[u][o]   = 1'b0;
        assign earlier[u][o] = passing_i;
      end else begin : gen_another
        if (o < u) begin : gen_below
          assign older[u][o] = !younger_i[u*(u-1)/2+o];
        end else begin : gen_above
          assign older[u][o] = younger_i[o*(o-1)/2+u];
        end
        assign earlier[u][o] = older[u][o] ? reads[o] : '0;
      end
    end

    unit_turns u_turns (
      .wants_i (wants_i[u]),
      .bank_i  (bank_i[u]),
      .older_i (older[u]),
      .wanted_i(wanted),
      .busy_i,
      .wanted_o(wanted[u]),
      .turn_o  (turn[u]),
      .before_o(reads_before[u]),
      .reads_o (reads[u])
    );
    unit_ports u_ports (
      .turn_i   (turn[u]),
      .before_i (reads_before[u]),
      .bank_i   (bank_i[u]),
      .earlier_i(earlier[u]),
      .grant_o  (grant_o[u]),
      .served_o (served[u])
    );
    for (genvar b = 0; b < Banks; b++) begin : gen_bank
      assign unit_o[b][u] = served[u][b];
    end
  end

  always_comb begin : find_read
    read_o = '0;
    for (int u = 0; u < Units; u++) read_o = read_o | served[u];
  end

  thermometer_sum #(
    .Terms(Units),
    .Width(Ports)
  ) u_all_reads (
    .term_i(reads),
    .sum_o (all_reads)
  );
  for (genvar n = 0; n < Ports; n++) begin : gen_port
    assign ports_o[n] = all_reads[n] && !passing_i[Ports-1-n];
  end
endmodule
