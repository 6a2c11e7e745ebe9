// SPDX-License-Identifier: Apache-2.0
// Signals of instruction_buffer for the simulator only: its registers as a C++ struct, the oldest instruction of each
// warp for waves, and whether the clock may stop.
module instruction_buffer_observer #(
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned Slots  = g80_pkg::MaxBufferEntries,
  localparam int unsigned CountW = $clog2(Slots + 1),
  localparam int unsigned InsnW  = g80_pkg::FetchedInstructionWidth
) (
  input logic                                   idle_i,
  input g80_pkg::instruction_buffer_regs_t      registers_i,
  input logic [Warps-1:0][CountW-1:0]           count_i,
  input logic [Warps-1:0][$clog2(Slots)-1:0]    head_i,
  /* verilator tracing_off */
  input logic [Slots-1:0][Warps-1:0][InsnW-1:0] words_i
  /* verilator tracing_on */
);
  // The adapter reads these.
  g80_pkg::instruction_buffer_regs_t  registers /*verilator public_flat_rd*/;
  logic                               sleep     /*verilator public_flat_rd*/;
  logic [Warps-1:0][CountW+InsnW-1:0] entries   /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = idle_i;

  for (genvar w = 0; w < Warps; w++) begin : gen_front
    assign entries[w] = {count_i[w], count_i[w] == '0 ? g80_pkg::FetchedInstructionDefault : words_i[head_i[w]][w]};
  end
endmodule

bind instruction_buffer instruction_buffer_observer u_observer (
  .idle_i     (!pick_i.valid),
  .registers_i('{issue: issue_q, level: level_o, epoch: epoch_q, sequence_: sequence_q}),
  .count_i    (count_q),
  .head_i     (head_q),
  .words_i    ({gen_bank[7].u_bank.word, gen_bank[6].u_bank.word, gen_bank[5].u_bank.word,
                gen_bank[4].u_bank.word, gen_bank[3].u_bank.word, gen_bank[2].u_bank.word,
                gen_bank[1].u_bank.word, gen_bank[0].u_bank.word})
);
