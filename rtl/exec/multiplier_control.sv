// SPDX-License-Identifier: Apache-2.0
// The control bits that an instruction gives to the multipliers. Twin of control_of() of
// hw/exec/multiplier_datapath.cpp.
module multiplier_control (
  input  g80_pkg::instruction_t        insn_i,
  output g80_pkg::multiplier_control_t control_o,
  output logic                         known_o     // an fp32 multiply
);
  g80_pkg::operand_t src0, src1, src2;

  assign {src2, src1, src0} = insn_i.src;

  assign known_o               = insn_i.op == g80_pkg::OpFmul;
  assign control_o.negate      = src0.neg != src1.neg;
  assign control_o.toward_zero = insn_i.round == g80_pkg::RoundRz;
  assign control_o.saturate    = insn_i.saturate;
endmodule
