// SPDX-License-Identifier: Apache-2.0
// The registers of fault_reporter as a C++ struct, for the simulator only.
module fault_reporter_observer (
  input g80_pkg::fault_reporter_regs_t registers_i
);
  g80_pkg::fault_reporter_regs_t registers /*verilator public_flat_rd*/;  // the adapter reads it

  assign registers = registers_i;
endmodule

bind fault_reporter fault_reporter_observer u_observer (
  .registers_i('{reported: reported_q, fault: fault_q})
);
