// SPDX-License-Identifier: Apache-2.0
// What the scoreboard asks of an instruction. One with a decode error needs nothing, and the control path takes it.
module hazards #(
  localparam int unsigned StateW = g80_pkg::ThreadStateWidth
) (
  input  g80_pkg::fetched_instruction_t insn_i,
  output logic [StateW-1:0]             needs_o,        // what it reads or writes
  output logic [StateW-1:0]             writes_o,
  output logic [StateW-1:0]             writes_late_o,  // the same if its result comes from memory
  output g80_pkg::unit_e                unit_o,
  output logic                          control_o,
  output logic                          drains_o,
  output logic                          multiplies_o,
  output logic                          takes_shared_port_o,
  output logic                          uses_load_table_o,
  output logic                          wide_o
);
  g80_pkg::decoded_instruction_t decoded;

  micro_op_fields u_fields (
    .insn_i,
    .decoded_o(decoded)
  );

  assign needs_o             = decoded.reads | decoded.writes;
  assign writes_o            = decoded.writes;
  assign writes_late_o       = decoded.long_latency ? decoded.writes : '0;
  assign unit_o              = decoded.unit;
  assign control_o           = decoded.control;
  assign drains_o            = decoded.drains;
  assign multiplies_o        = decoded.multiplies_fp32;
  assign takes_shared_port_o = decoded.takes_shared_port;
  assign uses_load_table_o   = decoded.uses_load_table;
  assign wide_o              = decoded.wide;
endmodule
