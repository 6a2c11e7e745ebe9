// SPDX-License-Identifier: Apache-2.0
// Signals of decode for the simulator only: its register as a C++ struct, and whether the clock may stop.
module decode_observer (
  input logic                  idle_i,
  input g80_pkg::decode_regs_t registers_i
);
  // The adapter reads these.
  g80_pkg::decode_regs_t registers /*verilator public_flat_rd*/;
  logic                  sleep     /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = idle_i;
endmodule

bind decode decode_observer u_observer (
  .idle_i     (!reply_i.valid),
  .registers_i('{group: group_q})
);
