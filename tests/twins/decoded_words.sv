// SPDX-License-Identifier: Apache-2.0
// Words through both halves of the decoder, for decoder_test.cpp: to the micro-op, and to what blocks select from it.
module decoded_words (
  input  logic [63:0]                    words_i,
  input  g80_pkg::decode_error_e         error_i,   // found before: the chip lacks the instruction
  output g80_pkg::fetched_instruction_t  insn_o,
  output g80_pkg::decode_error_e         error_o,
  output logic [1:0]                     arch_o,
  output g80_pkg::decoded_instruction_t  decoded_o
);
  g80_pkg::micro_op_t     micro;
  g80_pkg::decode_error_e error;

  instruction_decoder u_decoder (
    .words_i,
    .micro_o(micro),
    .error_o(error),
    .arch_o
  );
  assign error_o = error_i != g80_pkg::DecodeErrorNone ? error_i : error;

  always_comb begin : fetched
    insn_o.pc    = '0;
    insn_o.error = error_o;
    insn_o.words = words_i;
    insn_o.micro = error_o == g80_pkg::DecodeErrorNone ? micro : '0;
  end

  micro_op_fields u_fields (
    .insn_i   (insn_o),
    .decoded_o(decoded_o)
  );
endmodule
