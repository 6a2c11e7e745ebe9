// SPDX-License-Identifier: Apache-2.0
// What the control of the SPs asks of a decoded instruction.
module sp_instruction (
  input  g80_pkg::instruction_t    insn_i,
  output g80_pkg::sp_instruction_t instruction_o
);
  g80_pkg::operand_t src0, src1, src2;

  assign {src2, src1, src0} = insn_i.src;

  always_comb begin : choose
    instruction_o.op           = insn_i.op;
    instruction_o.mad_op       = insn_i.mad_op;
    instruction_o.dst_type     = insn_i.dst_type;
    instruction_o.src_type     = insn_i.src_type;
    instruction_o.src2_type    = insn_i.src2_type;
    instruction_o.negate       = {src2.neg, src1.neg, src0.neg};
    instruction_o.absolute     = {src1.abs, src0.abs};
    instruction_o.has_first    = src0.kind != g80_pkg::OperandNone;
    instruction_o.writes_half  = insn_i.dst.kind == g80_pkg::OperandHalf;
    instruction_o.writes_flags = insn_i.writes_flags;
    instruction_o.saturate     = insn_i.saturate;
    instruction_o.high         = insn_i.high;
    instruction_o.integral     = insn_i.integral;
    instruction_o.round        = insn_i.round;
    instruction_o.compare      = insn_i.compare;
    instruction_o.quad_lane    = insn_i.quad_lane;
    instruction_o.quad_op      = insn_i.quad_op;
    instruction_o.pm_event     = insn_i.pm_event;
  end
endmodule
