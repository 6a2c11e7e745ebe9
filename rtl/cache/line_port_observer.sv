// SPDX-License-Identifier: Apache-2.0
// Signals of line_port for the simulator only: the registers as their C++ struct, the queues for waves, and whether the
// clock may stop. It is bound to the datapath, which does not refer to it.
module line_port_observer #(
  localparam int unsigned CountW = $clog2(2 + 1)
) (
  input logic                     idle_i,         // after the coming edge, nothing changes until an input does
  input g80_pkg::line_port_regs_t registers_i,
  input logic [CountW-1:0]        instructions_i, // entries in the queues
  input logic [CountW-1:0]        constants_i,
  input g80_pkg::line_request_t   instruction_i,  // the oldest of them
  input g80_pkg::line_request_t   constant_i
);
  // The adapter reads these.
  g80_pkg::line_port_regs_t registers /*verilator public_flat_rd*/;
  logic                     sleep     /*verilator public_flat_rd*/;
  logic [2*(CountW+g80_pkg::LineRequestWidth)-1:0] queues /*verilator public_flat_rd*/;

  assign registers = registers_i;
  assign sleep     = idle_i;
  assign queues    = {
    instructions_i, instructions_i == '0 ? g80_pkg::LineRequestDefault : instruction_i,
    constants_i,    constants_i    == '0 ? g80_pkg::LineRequestDefault : constant_i
  };
endmodule

bind line_port line_port_observer u_observer (
  .idle_i        (instruction_empty_next && constant_empty_next && !instruction_i.valid && !constant_i.valid &&
                  !instruction_fill_d.valid && !constant_fill_d.valid),
  .registers_i   ('{instruction_ready: instruction_ready_q, constant_ready: constant_ready_q,
                    constant_first: constant_first_q, instruction_fill: instruction_fill_q,
                    constant_fill: constant_fill_q}),
  .instructions_i(2'($countones(u_instruction.valid_q))),
  .constants_i   (2'($countones(u_constant.valid_q))),
  .instruction_i (u_instruction.entry_q[0]),
  .constant_i    (u_constant.entry_q[0])
);
