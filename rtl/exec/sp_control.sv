// SPDX-License-Identifier: Apache-2.0
// The control bits that an instruction gives to the stages of the scalar processors. This is where its way through them
// is decided. Twin of hw/exec/sp_control.cpp.
module sp_control (
  input  g80_pkg::sp_instruction_t instruction_i,
  output g80_pkg::sp_control_t     control_o,
  output logic                     has_path_o    // the SPs execute the operation
);
  g80_pkg::sp_format_t to, from, second_from;
  sp_format u_to (
    .type_i  (instruction_i.dst_type),
    .format_o(to)
  );
  sp_format u_from (
    .type_i  (instruction_i.src_type),
    .format_o(from)
  );
  sp_format u_second_from (
    .type_i  (instruction_i.src2_type),
    .format_o(second_from)
  );

  logic [6:0] op, sum_op;  // op_e; what the adder does, of a mad the second operation
  logic       is_mad, is_sum, is_product, writes_16, reads_16;
  assign op         = instruction_i.op;
  assign is_mad     = op == g80_pkg::OpMad16 || op == g80_pkg::OpMad24;
  assign is_product = is_mad || op == g80_pkg::OpMul16 || op == g80_pkg::OpMul24;
  assign sum_op     = is_mad ? instruction_i.mad_op : op;
  assign writes_16  = to.width == g80_pkg::SpWidth16;
  assign reads_16   = from.width == g80_pkg::SpWidth16;

  always_comb begin : sums
    case (op)
      g80_pkg::OpAdd, g80_pkg::OpSub, g80_pkg::OpSubr, g80_pkg::OpAddc, g80_pkg::OpMad16, g80_pkg::OpMad24:
               is_sum = 1'b1;
      default: is_sum = 1'b0;
    endcase
  end

  always_comb begin : control
    control_o              = g80_pkg::SpControlDefault;
    has_path_o             = 1'b1;
    control_o.from         = from;
    control_o.second_from  = second_from;
    control_o.to           = to;
    control_o.writes_flags = instruction_i.writes_flags;
    control_o.negate_a     = instruction_i.negate[0];
    control_o.absolute_a   = instruction_i.absolute[0];
    control_o.negate_b     = instruction_i.negate[1];
    control_o.absolute_b   = instruction_i.absolute[1];
    control_o.negate_c     = instruction_i.negate[2];
    control_o.saturate     = instruction_i.saturate;
    control_o.high         = instruction_i.high;
    control_o.integral     = instruction_i.integral;
    control_o.round        = instruction_i.round;
    control_o.relations    = instruction_i.compare;

    if (op == g80_pkg::OpQuadop) begin
      control_o.quad.enabled = 1'b1;
      control_o.quad.zero    = instruction_i.quad_lane[2];
      control_o.quad.lane    = instruction_i.quad_lane[1:0];
      control_o.quad.op      = instruction_i.quad_op;
    end
    if (is_sum) begin  // subtraction as an addition: invert what is subtracted and carry a one in
      control_o.invert_x = sum_op == g80_pkg::OpSubr;
      control_o.invert_y = sum_op == g80_pkg::OpSub;
      case (sum_op)
        g80_pkg::OpAdd:  control_o.carry = g80_pkg::SpCarryZero;
        g80_pkg::OpAddc: control_o.carry = g80_pkg::SpCarryFlags;
        default:         control_o.carry = g80_pkg::SpCarryOne;
      endcase
    end
    if (is_product) begin
      if (op == g80_pkg::OpMul16 || op == g80_pkg::OpMad16) begin
        control_o.from.width        = g80_pkg::SpWidth16;
        control_o.second_from.width = g80_pkg::SpWidth16;
      end else begin
        control_o.from.width        = g80_pkg::SpWidth24;
        control_o.second_from.width = g80_pkg::SpWidth24;
      end
    end

    case (op)
      g80_pkg::OpNop, g80_pkg::OpPmevent: control_o.path = g80_pkg::SpPathNone;
      g80_pkg::OpMov: begin
        control_o.path         = g80_pkg::SpPathMove;
        control_o.takes_second = !instruction_i.has_first;
        control_o.half         = writes_16;
      end
      g80_pkg::OpLdConst, g80_pkg::OpLdShared, g80_pkg::OpMovFromSpecial, g80_pkg::OpMovFromAddr:
        control_o.path = g80_pkg::SpPathMove;
      g80_pkg::OpLdSharedLock, g80_pkg::OpVote: begin
        control_o.path  = g80_pkg::SpPathMove;
        control_o.flags = g80_pkg::SpFlagsVerdict;
      end
      g80_pkg::OpMovFromFlags: begin
        control_o.path        = g80_pkg::SpPathMove;
        control_o.takes_flags = 1'b1;
      end
      g80_pkg::OpMovToFlags: begin
        control_o.path  = g80_pkg::SpPathMove;
        control_o.flags = g80_pkg::SpFlagsWord;
      end
      g80_pkg::OpSlct: begin
        control_o.path    = g80_pkg::SpPathMove;
        control_o.selects = 1'b1;
        control_o.flags   = g80_pkg::SpFlagsSelected;
      end
      g80_pkg::OpShlAddr: begin
        control_o.path = g80_pkg::SpPathShiftLeft;
        control_o.half = 1'b1;
      end
      g80_pkg::OpAddAddr: begin
        control_o.path = g80_pkg::SpPathAdd;
        control_o.half = 1'b1;
      end
      g80_pkg::OpAdd, g80_pkg::OpSub, g80_pkg::OpSubr, g80_pkg::OpAddc: begin
        control_o.path = g80_pkg::SpPathAdd;
        control_o.half = writes_16;
      end
      g80_pkg::OpAnd, g80_pkg::OpOr, g80_pkg::OpXor, g80_pkg::OpMov2: begin
        control_o.path = g80_pkg::SpPathLogic;
        control_o.half = writes_16;
        case (op)
          g80_pkg::OpAnd: control_o.logic_ = g80_pkg::SpLogicAnd;
          g80_pkg::OpOr:  control_o.logic_ = g80_pkg::SpLogicOr;
          g80_pkg::OpXor: control_o.logic_ = g80_pkg::SpLogicXor;
          default:        control_o.logic_ = g80_pkg::SpLogicSecond;
        endcase
      end
      g80_pkg::OpSet, g80_pkg::OpMin, g80_pkg::OpMax: begin
        control_o.path = g80_pkg::SpPathCompare;
        control_o.half = reads_16;
        if (op == g80_pkg::OpMin) control_o.choice = g80_pkg::SpChoiceSmaller;
        if (op == g80_pkg::OpMax) control_o.choice = g80_pkg::SpChoiceLarger;
      end
      g80_pkg::OpFset: control_o.path = g80_pkg::SpPathCompare;
      g80_pkg::OpFmin, g80_pkg::OpFmax: begin
        control_o.path   = g80_pkg::SpPathCompare;
        control_o.choice = op == g80_pkg::OpFmin ? g80_pkg::SpChoiceSmaller : g80_pkg::SpChoiceLarger;
        control_o.flags  = g80_pkg::SpFlagsFloat32;
      end
      g80_pkg::OpShl: begin
        control_o.path = g80_pkg::SpPathShiftLeft;
        control_o.half = writes_16;
      end
      g80_pkg::OpShr: begin
        control_o.path = g80_pkg::SpPathShiftRight;
        control_o.half = writes_16;
      end
      g80_pkg::OpMul16, g80_pkg::OpMul24: control_o.path = g80_pkg::SpPathMultiply;
      g80_pkg::OpMad16, g80_pkg::OpMad24: control_o.path = g80_pkg::SpPathMultiplyAdd;
      g80_pkg::OpSad: control_o.path = g80_pkg::SpPathDistance;
      g80_pkg::OpFadd, g80_pkg::OpQuadop, g80_pkg::OpFmul, g80_pkg::OpFmad: begin
        control_o.path       = g80_pkg::SpPathFloat;
        control_o.flags      = g80_pkg::SpFlagsFloat32;
        control_o.adds       = op == g80_pkg::OpFadd || op == g80_pkg::OpQuadop;
        control_o.multiplies = op == g80_pkg::OpFmul;
        if (op == g80_pkg::OpFmad) control_o.round = g80_pkg::RoundRn;
      end
      g80_pkg::OpCvtI2i, g80_pkg::OpCvtF2i: begin
        control_o.path = g80_pkg::SpPathToInteger;
        control_o.half = writes_16 || instruction_i.writes_half;
      end
      g80_pkg::OpCvtI2f, g80_pkg::OpCvtF2f: begin
        control_o.path  = g80_pkg::SpPathToFloat;
        control_o.flags = writes_16 ? g80_pkg::SpFlagsFloat16 : g80_pkg::SpFlagsFloat32;
      end
      default: has_path_o = 1'b0;
    endcase
  end
endmodule
