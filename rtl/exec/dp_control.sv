// SPDX-License-Identifier: Apache-2.0
// The control bits that an instruction gives to the fp64 unit. Twin of control_of() of hw/exec/dp_datapath.cpp.
module dp_control (
  input  g80_pkg::instruction_t insn_i,
  output g80_pkg::dp_control_t  control_o,
  output logic                  third_o,    // the second operand is on the port of the third one
  output logic                  known_o     // the unit executes it
);
  g80_pkg::operand_t src0, src1, src2;

  assign {src2, src1, src0} = insn_i.src;
  assign third_o            = src1.kind == g80_pkg::OperandNone;

  // Number formats that the unit tells apart
  g80_pkg::dp_type_e source, result;
  dp_type u_source (
    .type_i(insn_i.src_type),
    .type_o(source)
  );
  dp_type u_result (
    .type_i(insn_i.dst_type),
    .type_o(result)
  );

  always_comb begin : find_control
    known_o              = 1'b1;
    control_o.operation  = g80_pkg::DpOperationFma;
    control_o.multiplies = 1'b1;
    control_o.adds       = 1'b1;
    control_o.negate     = {src2.neg, src1.neg, src0.neg};
    control_o.absolute   = {src2.abs, src1.abs, src0.abs};
    control_o.round      = insn_i.round;
    control_o.compare    = insn_i.compare;
    control_o.source     = source;
    control_o.result     = result;
    control_o.integral   = 1'b0;
    case (insn_i.op)
      g80_pkg::OpDfma: ;
      g80_pkg::OpDadd: begin  // the second operand is the addend
        control_o.multiplies = 1'b0;
        control_o.negate     = {src1.neg, src2.neg, src0.neg};
      end
      g80_pkg::OpDmul: control_o.adds = 1'b0;
      g80_pkg::OpDmin: control_o.operation = g80_pkg::DpOperationMin;
      g80_pkg::OpDmax: control_o.operation = g80_pkg::DpOperationMax;
      g80_pkg::OpDset: begin
        control_o.operation = g80_pkg::DpOperationSet;
        control_o.result    = g80_pkg::DpTypeU32;
      end
      g80_pkg::OpCvtI2f: control_o.operation = g80_pkg::DpOperationFromInteger;
      g80_pkg::OpCvtF2i: control_o.operation = g80_pkg::DpOperationToInteger;
      g80_pkg::OpCvtF2f: begin
        control_o.operation = g80_pkg::DpOperationToFloat;
        control_o.integral  = insn_i.integral;
      end
      default: known_o = 1'b0;
    endcase
  end
endmodule
