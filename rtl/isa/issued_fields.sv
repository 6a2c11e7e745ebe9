// SPDX-License-Identifier: Apache-2.0
// The fields of an instruction that has issued, from what still travels of its micro-op. Operands and types are not
// among them.
module issued_fields (
  input  g80_pkg::issued_instruction_t  insn_i,
  output g80_pkg::decoded_instruction_t decoded_o
);
  localparam int unsigned RestW = g80_pkg::MicroOpWidth - g80_pkg::IssuedOpWidth;

  micro_op_fields u_fields (
    .insn_i   ({insn_i, RestW'(0)}),
    .decoded_o(decoded_o)
  );
endmodule
