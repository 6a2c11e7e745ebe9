// SPDX-License-Identifier: Apache-2.0
// Stands in for opcode_decoder.sv in proofs of the barrier: the fields that the barrier reads.
module barrier_decoder (
  input  logic [63:0]            word_i,
  output g80_pkg::instruction_t  insn_o,
  output g80_pkg::decode_error_e error_o,
  output logic [1:0]             arch_o
);
  always_comb begin : fields
    insn_o            = '0;
    insn_o.op         = g80_pkg::OpBar;
    insn_o.barrier    = word_i[24:21];
    insn_o.bar_arrive = word_i[25];
    insn_o.bar_wait   = word_i[26];
  end
  assign error_o = g80_pkg::DecodeErrorNone;
  assign arch_o  = '0;
endmodule
