// SPDX-License-Identifier: Apache-2.0
// Stands in for hazards.sv in proofs: any instruction may need and write anything, and be of any kind. What it is
// stands in its words, so that a model can read it, too.
module free_hazards #(
  localparam int unsigned StateW = g80_pkg::ThreadStateWidth
) (
  input  g80_pkg::fetched_instruction_t insn_i,
  output logic [StateW-1:0]             needs_o,
  output logic [StateW-1:0]             writes_o,
  output logic [StateW-1:0]             writes_late_o,
  output g80_pkg::unit_e                unit_o,
  output logic                          control_o,
  output logic                          drains_o,
  output logic                          multiplies_o,
  output logic                          takes_shared_port_o,
  output logic                          uses_load_table_o,
  output logic                          wide_o
);
  logic [63:0] words;

  assign words               = insn_i.words;
  assign needs_o             = words[StateW-1:0] | writes_o;
  assign writes_o            = words[2*StateW-1:StateW];
  assign writes_late_o       = words[16] ? writes_o : '0;
  assign control_o           = words[17];
  assign drains_o            = words[18];
  assign unit_o              = g80_pkg::unit_e'(words[21:19]);
  assign multiplies_o        = words[22];
  assign takes_shared_port_o = words[23];
  assign uses_load_table_o   = words[24];
  assign wide_o              = words[25];
endmodule
