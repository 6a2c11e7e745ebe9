// SPDX-License-Identifier: Apache-2.0
// What the scoreboard asks of an instruction.
module hazards #(
  localparam int unsigned StateW = g80_pkg::ThreadStateWidth
) (
  input  logic [63:0]            words_i,
  input  g80_pkg::decode_error_e error_i,
  output logic [StateW-1:0]      needs_o,        // what it reads or writes
  output logic [StateW-1:0]      writes_o,
  output logic [StateW-1:0]      writes_late_o,  // the same if its result comes from memory
  output g80_pkg::unit_e         unit_o,
  output logic                   control_o,
  output logic                   drains_o,
  output logic                   multiplies_o,
  output logic                   takes_shared_port_o,
  output logic                   uses_load_table_o
);
  g80_pkg::decoded_instruction_t decoded;
  logic                          fault;

  instruction_decoder #(.Eager(1'b1)) u_decoder (
    .words_i,
    .error_i,
    .decoded_o(decoded)
  );

  // Words that are no instruction need nothing, and the control path takes them. That is known late, and said at the
  // end.
  assign fault = decoded.error != g80_pkg::DecodeErrorNone;

  assign needs_o             = fault ? '0 : decoded.reads | decoded.writes;
  assign writes_o            = fault ? '0 : decoded.writes;
  assign writes_late_o       = !fault && decoded.long_latency ? decoded.writes : '0;
  assign unit_o              = fault ? g80_pkg::UnitControl : decoded.unit;
  assign control_o           = fault || decoded.control;
  assign drains_o            = !fault && decoded.drains;
  assign multiplies_o        = !fault && decoded.multiplies_fp32;
  assign takes_shared_port_o = !fault && decoded.takes_shared_port;
  assign uses_load_table_o   = !fault && decoded.uses_load_table;
endmodule
