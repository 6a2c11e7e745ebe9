// SPDX-License-Identifier: Apache-2.0
// The fields of an instruction, and the registers that it reads and writes, from its micro-op and its words: wiring,
// selection and small matches. No state; only the logic of what a block asks remains.
// Of words with a decode error only that counts: it says nothing of their form and of the numbers in them.
module micro_op_fields (
  input  g80_pkg::fetched_instruction_t insn_i,
  output g80_pkg::decoded_instruction_t decoded_o
);
  logic [63:0]         word;
  g80_pkg::micro_op_t  micro;
  g80_pkg::issued_op_t issued;
  logic                fault;

  assign word   = insn_i.words;
  assign micro  = insn_i.micro;
  assign issued = micro.issued;
  assign fault  = insn_i.error != g80_pkg::DecodeErrorNone;

  // Form. Fields of long forms are a bit wider.
  g80_pkg::form_e form;
  logic           wide;

  always_comb begin : find_form
    unique case (word[1:0])
      2'd0:    form = g80_pkg::FormShort;
      2'd1:    form = word[33:32] == 2'd3 ? g80_pkg::FormImmediate : g80_pkg::FormLong;
      2'd2:    form = g80_pkg::FormShortControl;
      default: form = g80_pkg::FormControl;
    endcase
  end
  assign wide = form == g80_pkg::FormLong;

  // Kinds of the operands
  g80_pkg::operand_kind_e src1_kind, src2_kind;
  logic                   in_memory0, at_access;  // src0: an operand or an access, with the offset of an access

  assign src1_kind  = g80_pkg::operand_kind_e'({1'b0, micro.src1});
  assign src2_kind  = g80_pkg::operand_kind_e'({1'b0, micro.src2});
  assign in_memory0 = micro.src0 == g80_pkg::OperandShared || micro.src0 == g80_pkg::OperandConst ||
                      micro.src0 == g80_pkg::OperandLocal;
  assign at_access  = issued.unit == g80_pkg::UnitMemory || issued.op == g80_pkg::OpLdConst ||
                      issued.op == g80_pkg::OpLdShared || issued.op == g80_pkg::OpLdSharedLock;

  // Numbers of registers, where kinds 1 to 4 are general registers
  logic [6:0] of_dst, of_src1, dst_index, src0_index, src1_index, src2_index;

  assign of_dst  = {issued.dst_high, word[7:2]};
  assign of_src1 = micro.src1_at[1] ? word[8:2] : micro.src1_at[0] ? word[52:46] : {wide && word[22], word[21:16]};

  always_comb begin : find_indexes
    dst_index  = '0;
    src0_index = '0;
    src1_index = '0;
    src2_index = '0;
    case (issued.dst)
      g80_pkg::OperandReg, g80_pkg::OperandHalf, g80_pkg::OperandPair, g80_pkg::OperandQuad: dst_index = of_dst;
      g80_pkg::OperandAddr: dst_index = {4'd0, word[4:2]};
      default: ;
    endcase
    case (micro.src0)
      g80_pkg::OperandReg, g80_pkg::OperandHalf, g80_pkg::OperandPair, g80_pkg::OperandQuad:
        src0_index = {wide && word[15], word[14:9]};
      g80_pkg::OperandAddr:    src0_index = {4'd0, word[34], word[27:26]};
      g80_pkg::OperandSpecial: src0_index = {3'd0, word[49:46]};
      default: ;
    endcase
    if (micro.src1 != '0 && micro.src1 <= 3'd4) src1_index = of_src1;
    if (micro.src2 != '0 && micro.src2 <= 3'd4) src2_index = micro.src2_is_dst ? of_dst : word[52:46];
  end

  // Offsets in memory: of an access 16 bits; of an operand those of a register's number, with a sign where they
  // increment $a
  logic [17:0] access, operand, shared, offset0, increment;
  logic [16:0] offset1;
  logic [15:0] offset2;
  logic        post, post_const;

  assign access  = {2'd0, word[24:9]};
  assign operand = wide ? {{13{issued.post_increment && word[13]}}, word[13:9]}
                        : {{14{issued.post_increment && word[12]}}, word[12:9]};
  assign shared  = at_access ? access : operand;

  always_comb begin : find_offsets
    offset0 = shared;
    if (micro.src0 != g80_pkg::OperandLocal) begin
      if (issued.mem_type == g80_pkg::MemTypeU16 || issued.mem_type == g80_pkg::MemTypeS16)
        offset0 = {at_access ? 2'd0 : {2{shared[17]}}, shared[14:0], 1'b0};
      if (issued.mem_type == g80_pkg::MemTypeB32) offset0 = {at_access ? 2'd0 : {2{shared[17]}}, shared[13:0], 2'b00};
    end
  end

  assign post       = issued.post_increment;
  assign post_const = post && !in_memory0;  // $a belongs to s[] if there is one
  assign offset1    = wide ? {{10{post && of_src1[6]}}, of_src1} : {{12{post && word[20]}}, word[20:16]};
  assign offset2    = {{9{post && word[52]}}, word[52:46]};

  logic [17:0] bytes1, bytes2;

  assign bytes1 = micro.half_const ? {offset1, 1'b0} : {offset1[15:0], 2'b00};
  assign bytes2 = {offset2, 2'b00};

  always_comb begin : find_increment
    increment = '0;
    if (post) begin
      increment = src2_kind == g80_pkg::OperandConst ? bytes2 : bytes1;
      if (in_memory0) increment = offset0;
    end
  end

  // The operands
  g80_pkg::operand_t dst, src0, src1, src2;
  logic [3:0]        bank;

  assign bank = wide ? word[57:54] : {3'd0, word[21]};

  always_comb begin : operands
    dst        = g80_pkg::OperandDefault;
    dst.kind   = issued.dst;
    dst.index  = dst_index;

    src0       = g80_pkg::OperandDefault;
    src0.kind  = micro.src0;
    src0.index = src0_index;
    src0.neg   = micro.negate[0];
    src0.abs   = micro.absolute[0];
    if (in_memory0) begin
      src0.type_ = issued.mem_type;
      if (!post) src0.offset = offset0[15:0];
    end
    if (micro.src0 == g80_pkg::OperandConst) src0.bank = word[57:54];

    src1       = g80_pkg::OperandDefault;
    src1.kind  = src1_kind;
    src1.index = src1_index;
    src1.neg   = micro.negate[1];
    src1.abs   = micro.absolute[1];
    if (src1_kind == g80_pkg::OperandConst) begin
      src1.bank = bank;
      if (micro.half_const) src1.type_ = g80_pkg::MemTypeU16;
      if (!post_const) src1.offset = micro.half_const ? {8'd0, wide ? of_src1 : {2'd0, word[20:16]}, 1'b0}
                                                      : {7'd0, wide ? of_src1 : {2'd0, word[20:16]}, 2'b00};
    end

    src2       = g80_pkg::OperandDefault;
    src2.kind  = src2_kind;
    src2.index = src2_index;
    src2.neg   = micro.negate[2];
    if (src2_kind == g80_pkg::OperandConst) begin
      src2.bank = bank;
      if (!post_const) src2.offset = {7'd0, word[52:46], 2'b00};
    end
  end

  // Registers that a texture instruction reads and writes: from the destination's on
  logic         texture;
  logic [2:0]   tex_sources, num_results;
  logic [3:0]   tex_mask;
  logic [127:0] tex_reads, tex_writes;

  assign texture     = issued.unit == g80_pkg::UnitTexture;
  assign tex_sources = texture ? {1'b0, word[23:22]} + 3'd1 : 3'd1;
  assign tex_mask    = texture && wide ? {word[47:46], word[26:25]} : 4'hf;
  assign num_results = {2'd0, tex_mask[0]} + {2'd0, tex_mask[1]} + {2'd0, tex_mask[2]} + {2'd0, tex_mask[3]};
  assign tex_reads   = {124'd0, (4'd1 << tex_sources) - 4'd1} << dst_index;
  assign tex_writes  = {124'd0, (4'd1 << num_results) - 4'd1} << dst_index;

  // Registers of the four operands
  g80_pkg::thread_state_t of_dst_registers, of_src0, of_src1_registers, of_src2, reads, writes;

  operand_registers u_dst (
    .kind_i     (issued.dst),
    .index_i    (dst_index),
    .registers_o(of_dst_registers)
  );
  operand_registers u_src0 (
    .kind_i     (micro.src0),
    .index_i    (src0_index),
    .registers_o(of_src0)
  );
  operand_registers u_src1 (
    .kind_i     (src1_kind),
    .index_i    (src1_index),
    .registers_o(of_src1_registers)
  );
  operand_registers u_src2 (
    .kind_i     (src2_kind),
    .index_i    (src2_index),
    .registers_o(of_src2)
  );

  localparam logic [4:0] AddressRegisters = 5'b11110;  // $a1 to $a4; $a0 is the constant 0

  logic [3:0] flag_read, flag_written;
  logic [4:0] addr_used;

  assign flag_read    = micro.reads_flag ? 4'd1 << micro.flag_src : 4'd0;
  assign flag_written = issued.writes_flags ? 4'd1 << issued.flag_dst : 4'd0;
  assign addr_used    = 5'd1 << issued.addr_reg;

  always_comb begin : find_reads
    reads.registers.low  = of_src0.registers.low | of_src1_registers.registers.low | of_src2.registers.low;
    reads.registers.high = of_src0.registers.high | of_src1_registers.registers.high | of_src2.registers.high;
    if (texture) begin
      reads.registers.low  |= tex_reads[63:0];
      reads.registers.high |= tex_reads[127:64];
    end
    reads.flags = of_src0.flags | of_src1_registers.flags | of_src2.flags | flag_read;
    reads.addrs = (of_src0.addrs | of_src1_registers.addrs | of_src2.addrs | addr_used) & AddressRegisters;
  end

  always_comb begin : find_writes
    writes = of_dst_registers;
    if (texture) begin
      writes.registers.low  = tex_writes[63:0];
      writes.registers.high = tex_writes[127:64];
      writes.flags = 4'd0;
      writes.addrs = 5'd0;
    end
    writes.flags |= flag_written;
    writes.addrs = (writes.addrs | (post ? addr_used : 5'd0)) & AddressRegisters;
  end

  // The instruction
  g80_pkg::instruction_t insn;
  logic                  sum_of_product, atomic, rearranges;

  assign sum_of_product = issued.op == g80_pkg::OpMad16 || issued.op == g80_pkg::OpMad24;
  assign atomic         = issued.op == g80_pkg::OpRed || issued.op == g80_pkg::OpAtom;
  assign rearranges     = issued.op == g80_pkg::OpQuadop;

  always_comb begin : find_fields
    insn                = g80_pkg::InstructionDefault;
    insn.op             = issued.op;
    insn.form           = form;
    insn.unit           = issued.unit;
    insn.bytes          = word[0] ? 4'd8 : 4'd4;
    insn.cond           = issued.guarded ? word[43:39] : 5'd15;
    insn.flag_src       = micro.flag_src;
    insn.writes_flags   = issued.writes_flags;
    insn.flag_dst       = issued.flag_dst;
    insn.exit           = issued.guarded && wide && word[33:32] == 2'd1;
    insn.join_          = issued.guarded && wide && word[33:32] == 2'd2;
    insn.dst            = dst;
    insn.src            = {src2, src1, src0};
    insn.addr_reg       = issued.addr_reg;
    insn.post_increment = post;
    insn.increment      = increment;
    insn.dst_type       = micro.dst_type;
    insn.src_type       = micro.src_type;
    insn.src2_type      = micro.src2_type;
    insn.saturate       = micro.saturate;
    insn.high           = micro.variant && (issued.op == g80_pkg::OpMul24 || issued.op == g80_pkg::OpMad24);
    insn.integral       = micro.variant && (issued.op == g80_pkg::OpCvtF2f || issued.op == g80_pkg::OpCvtF2i);
    insn.vote_all       = micro.variant && issued.op == g80_pkg::OpVote;
    insn.target         = {word[51:46], word[26:11], 2'd0};
    insn.call_limited   = word[38];
    insn.barrier        = word[24:21];
    insn.bar_arrive     = word[25];
    insn.bar_wait       = word[26];
    insn.space          = issued.op == g80_pkg::OpAtom ? word[26:23] : word[19:16];
    insn.tex_sources    = tex_sources;
    insn.tex_mask       = tex_mask;
    if (at_access) insn.mem_type = issued.mem_type;
    if (src1_kind == g80_pkg::OperandImm) begin
      insn.immediate = {25'd0, word[22:16]};
      if (issued.op == g80_pkg::OpShlAddr) insn.immediate = {28'd0, word[19:16]};
      if (issued.op == g80_pkg::OpAddAddr) insn.immediate = {16'd0, word[24:9]};
      if (form == g80_pkg::FormImmediate) insn.immediate = {word[59:34], word[21:16]};
    end
    if (atomic) insn.atom_op = micro.compare;
    else insn.compare = micro.compare;
    if (!sum_of_product) begin
      insn.round = micro.round;
    end else begin
      unique case (micro.round)
        2'd0:    insn.mad_op = g80_pkg::OpAdd;
        2'd1:    insn.mad_op = g80_pkg::OpSub;
        2'd2:    insn.mad_op = g80_pkg::OpSubr;
        default: insn.mad_op = g80_pkg::OpAddc;
      endcase
    end
    if (issued.op == g80_pkg::OpMov && wide) insn.lane_mask = word[49:46];
    if (rearranges) begin
      insn.quad_lane = word[18:16];
      insn.quad_op   = {word[21:20], word[55:54], word[57:56], word[59:58]};
    end
    if (issued.op == g80_pkg::OpPmevent) insn.pm_event = word[13:10];
    if (texture) begin
      insn.tex     = word[16:9];
      insn.sampler = word[21:17];
      if (wide && issued.op != g80_pkg::OpTexSize) insn.tex_offset = {word[51:48], word[55:52], word[59:56]};
    end
  end

  // What control and the scheduler ask
  g80_pkg::unit_e unit;
  logic           on_operand_path, in_shared, in_const;

  assign unit            = fault ? g80_pkg::UnitControl : issued.unit;  // it raises the fault
  assign on_operand_path = issued.unit == g80_pkg::UnitSp || issued.unit == g80_pkg::UnitSfu ||
                           issued.unit == g80_pkg::UnitDp;
  assign in_shared       = micro.src0 == g80_pkg::OperandShared;
  assign in_const        = micro.src0 == g80_pkg::OperandConst || src1_kind == g80_pkg::OperandConst ||
                           src2_kind == g80_pkg::OperandConst;

  always_comb begin : result
    decoded_o.insn                 = insn;
    decoded_o.error                = insn_i.error;
    decoded_o.arch                 = '0;
    decoded_o.unit                 = unit;
    decoded_o.reads                = reads;
    decoded_o.writes               = writes;
    decoded_o.control              = unit == g80_pkg::UnitControl || insn.exit || insn.join_;
    decoded_o.drains               = issued.op == g80_pkg::OpBar;
    decoded_o.uses_load_table      = texture || issued.op == g80_pkg::OpLdGlobal || issued.op == g80_pkg::OpLdLocal ||
                                     issued.op == g80_pkg::OpAtom;
    decoded_o.long_latency         = decoded_o.uses_load_table;
    decoded_o.wide                 = texture ? tex_sources >= 3'(g80_pkg::HighWords) :
                                     issued.unit == g80_pkg::UnitMemory ?
                                       src1_kind == g80_pkg::OperandQuad || src2_kind != g80_pkg::OperandNone :
                                       micro.src0 == g80_pkg::OperandPair || src1_kind == g80_pkg::OperandPair ||
                                       src2_kind == g80_pkg::OperandPair;
    decoded_o.reads_shared_operand = on_operand_path && in_shared;
    decoded_o.takes_shared_port    = issued.unit == g80_pkg::UnitSp && in_shared && issued.op != g80_pkg::OpMov;
    decoded_o.reads_const_operand  = on_operand_path && in_const;
    decoded_o.multiplies_fp32      = issued.op == g80_pkg::OpFmul && issued.unit == g80_pkg::UnitSp && !in_shared;
  end
endmodule
