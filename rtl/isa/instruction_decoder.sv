// SPDX-License-Identifier: Apache-2.0
// The micro-op of fetched words. No state. Of words that are no instruction only the error counts.
// Twin of hw/bundles/micro_op.cpp, and of what hw/bundles/decoded_instruction.cpp says of errors.
module instruction_decoder (
  input  logic [63:0]            words_i,
  output g80_pkg::micro_op_t     micro_o,
  output g80_pkg::decode_error_e error_o,
  output logic [1:0]             arch_o    // the first compute capability, 1.x, that has the instruction
);
  g80_pkg::instruction_t  insn;
  g80_pkg::decode_error_e field_error;
  logic                   guarded, src2_is_dst;
  logic [1:0]             src1_at;

  opcode_decoder u_opcode_decoder (
    .word_i       (words_i),
    .insn_o       (insn),
    .error_o      (field_error),
    .arch_o,
    .guarded_o    (guarded),
    .src1_at_o    (src1_at),
    .src2_is_dst_o(src2_is_dst)
  );

  // The coverage-sample query exists for graphics programs only.
  assign error_o = field_error == g80_pkg::DecodeErrorNone && insn.op == g80_pkg::OpTexCsaa
                   ? g80_pkg::DecodeErrorGraphicsOnly : field_error;

  // The unit. The SPs execute a load from s[] or c[] as a move: its operand is read like that of any instruction.
  logic           texture;
  g80_pkg::unit_e unit;

  assign texture = insn.op == g80_pkg::OpTexAuto || insn.op == g80_pkg::OpTexFetch || insn.op == g80_pkg::OpTexBias ||
                   insn.op == g80_pkg::OpTexLod || insn.op == g80_pkg::OpTexSize;

  always_comb begin : find_unit
    unit = insn.unit;
    if (texture) unit = g80_pkg::UnitTexture;
    if (insn.op == g80_pkg::OpLdConst || insn.op == g80_pkg::OpLdShared || insn.op == g80_pkg::OpLdSharedLock ||
        insn.op == g80_pkg::OpNop || insn.op == g80_pkg::OpPmevent || insn.op == g80_pkg::OpVote)
      unit = g80_pkg::UnitSp;
  end

  // Flags
  logic       sum_of_product;  // add, sub, subr or addc: which one stands in the place of the rounding
  logic [1:0] sum;

  assign sum_of_product = insn.op == g80_pkg::OpMad16 || insn.op == g80_pkg::OpMad24;

  always_comb begin : find_sum
    unique case (insn.mad_op)
      g80_pkg::OpSub:  sum = 2'd1;
      g80_pkg::OpSubr: sum = 2'd2;
      g80_pkg::OpAddc: sum = 2'd3;
      default:         sum = 2'd0;
    endcase
  end

  g80_pkg::operand_t src0, src1, src2;

  assign {src2, src1, src0} = insn.src;

  always_comb begin : result
    micro_o.issued.op             = insn.op;
    micro_o.issued.unit           = unit;
    micro_o.issued.dst            = insn.dst.kind;
    micro_o.src0           = src0.kind;
    micro_o.src1           = src1.kind[2:0];
    micro_o.src2           = src2.kind[2:0];
    micro_o.issued.dst_high       = insn.dst.index[6];
    micro_o.src1_at        = src1_at;
    micro_o.src2_is_dst    = src2_is_dst;
    micro_o.issued.guarded        = guarded;
    micro_o.reads_flag     = (guarded && insn.cond != 5'd15 && insn.cond != 5'd0) || insn.op == g80_pkg::OpAddc ||
                             insn.op == g80_pkg::OpMovFromFlags || insn.op == g80_pkg::OpVote ||
                             (sum_of_product && sum == 2'd3);
    micro_o.flag_src       = insn.flag_src;
    micro_o.issued.writes_flags   = insn.writes_flags;
    micro_o.issued.flag_dst       = insn.flag_dst;
    micro_o.issued.addr_reg       = insn.addr_reg;
    micro_o.issued.post_increment = insn.post_increment;
    micro_o.issued.mem_type       = src0.kind == g80_pkg::OperandShared || src0.kind == g80_pkg::OperandConst ||
                             src0.kind == g80_pkg::OperandLocal ? src0.type_ : insn.mem_type;
    micro_o.half_const     = src1.kind == g80_pkg::OperandConst && src1.type_ == g80_pkg::MemTypeU16;
    micro_o.dst_type       = insn.dst_type;
    micro_o.src_type       = insn.src_type;
    micro_o.src2_type      = insn.src2_type;
    micro_o.negate         = {src2.neg, src1.neg, src0.neg};
    micro_o.absolute       = {src1.abs, src0.abs};
    micro_o.saturate       = insn.saturate;
    micro_o.variant        = insn.high || insn.integral || insn.vote_all || insn.bar_all || insn.tex_cube;
    micro_o.round          = insn.round | sum;
    micro_o.compare        = insn.compare | insn.atom_op;
  end
endmodule
