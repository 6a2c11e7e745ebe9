// SPDX-License-Identifier: Apache-2.0
// Signals of load_table for the simulator only: its registers as a C++ struct, the queues for waves, and whether the
// clock may stop. It is bound to the datapath, which does not refer to it.
module load_table_observer #(
  localparam int unsigned IdW       = $clog2(g80_pkg::MaxLoads),
  localparam int unsigned MaxStages = 1 + (g80_pkg::MaxSmReturnLatency - 12) / 2
) (
  input logic                             sleep_i,           // after the coming edge, until an input changes
  input g80_pkg::load_table_regs_t        registers_i,
  input logic [MaxStages-1:0]             way_back_i,
  input logic [IdW:0]                     complete_count_i,  // entries of the queue, and the oldest
  input logic [IdW-1:0]                   complete_i
);
  // The adapter reads these.
  g80_pkg::load_table_regs_t           registers /*verilator public_flat_rd*/;
  logic                                sleep     /*verilator public_flat_rd*/;
  logic [MaxStages+IdW+1+8-1:0] queues           /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = sleep_i;
  assign queues    = {way_back_i, complete_count_i, complete_count_i == '0 ? 8'd0 : 8'(complete_i)};
endmodule

bind load_table load_table_observer u_observer (
  .sleep_i         (complete_next == '0 && !leaving_d && !shows_d && way_back_empty && !reply_valid_i && !tex_valid_i &&
                    !open_i.valid && !lanes_i.valid && !freed_d.valid && !stack_d.valid),
  .registers_i     ('{leaving: leaving_q, result: result_q, part: part_q, shows: shows_q, rows: rows_q,
                      freed: freed_q, stack_: stack_q, occupied: occupied_q, fault: fault_q,
                      credit: '{collector: '0, memory: '0, load: credit_q, wide: '0}}),
  .way_back_i      (u_way_back.valid_q),
  .complete_count_i(u_complete.count_q),
  .complete_i      (u_complete.entry_q[u_complete.head_q])
);
