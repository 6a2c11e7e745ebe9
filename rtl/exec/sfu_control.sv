// SPDX-License-Identifier: Apache-2.0
// The control bits that an instruction gives to the SFUs. Twin of control_of() of hw/exec/sfu_datapath.cpp.
module sfu_control (
  input  g80_pkg::instruction_t insn_i,
  output g80_pkg::sfu_control_t control_o,
  output logic                  known_o     // the SFUs execute it
);
  g80_pkg::operand_t src0, src1, src2;

  assign {src2, src1, src0} = insn_i.src;

  always_comb begin : find_function
    known_o = 1'b1;
    case (insn_i.op)
      g80_pkg::OpRcp:    control_o.function_ = g80_pkg::SfuFunctionRcp;
      g80_pkg::OpRsqrt:  control_o.function_ = g80_pkg::SfuFunctionRsqrt;
      g80_pkg::OpLg2:    control_o.function_ = g80_pkg::SfuFunctionLg2;
      g80_pkg::OpEx2:    control_o.function_ = g80_pkg::SfuFunctionEx2;
      g80_pkg::OpSin:    control_o.function_ = g80_pkg::SfuFunctionSin;
      g80_pkg::OpCos:    control_o.function_ = g80_pkg::SfuFunctionCos;
      g80_pkg::OpPresin: control_o.function_ = g80_pkg::SfuFunctionPresin;
      g80_pkg::OpPreex2: control_o.function_ = g80_pkg::SfuFunctionPreex2;
      default: begin
        control_o.function_ = g80_pkg::SfuFunctionRcp;
        known_o             = 1'b0;
      end
    endcase
    control_o.absolute = src0.abs;
    control_o.negate   = src0.neg;
    control_o.saturate = insn_i.saturate;
  end
endmodule
