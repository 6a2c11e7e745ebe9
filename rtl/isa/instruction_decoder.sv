// SPDX-License-Identifier: Apache-2.0
// What an SM wants to know of a fetched instruction: its fields, the unit it issues to, and the registers that it reads
// and writes. No state: each block that asks has one, and only the logic of what it asks remains. If it is eager, what
// it says does not wait for the error: of words that are no instruction only the error counts.
// Twin of hw/bundles/decoded_instruction.cpp.
module instruction_decoder #(
  parameter bit Eager = 1'b0
) (
  input  logic [63:0]                    words_i,
  input  g80_pkg::decode_error_e         error_i,   // found before: the chip lacks the instruction
  output g80_pkg::decoded_instruction_t  decoded_o
);
  g80_pkg::instruction_t  fields, insn;
  g80_pkg::decode_error_e field_error, error;
  logic [1:0]             arch;

  opcode_decoder u_opcode_decoder (
    .word_i (words_i),
    .insn_o (fields),
    .error_o(field_error),
    .arch_o (arch)
  );

  always_comb begin : find_error
    error = field_error;
    // The coverage-sample query exists for graphics programs only.
    if (field_error == g80_pkg::DecodeErrorNone && fields.op == g80_pkg::OpTexCsaa)
      error = g80_pkg::DecodeErrorGraphicsOnly;
    if (error_i != g80_pkg::DecodeErrorNone) error = error_i;
  end

  assign insn = Eager || error == g80_pkg::DecodeErrorNone ? fields : g80_pkg::InstructionDefault;

  // Registers of the four operands
  g80_pkg::operand_t      src0, src1, src2;
  g80_pkg::thread_state_t of_dst, of_src0, of_src1, of_src2;

  assign {src2, src1, src0} = insn.src;

  operand_registers u_dst (
    .kind_i     (insn.dst.kind),
    .index_i    (insn.dst.index),
    .registers_o(of_dst)
  );
  operand_registers u_src0 (
    .kind_i     (src0.kind),
    .index_i    (src0.index),
    .registers_o(of_src0)
  );
  operand_registers u_src1 (
    .kind_i     (src1.kind),
    .index_i    (src1.index),
    .registers_o(of_src1)
  );
  operand_registers u_src2 (
    .kind_i     (src2.kind),
    .index_i    (src2.index),
    .registers_o(of_src2)
  );

  // Unit
  logic              loads_operand, texture, memory_operand;
  g80_pkg::unit_e    unit;
  logic [2:0]        in_shared, in_const, in_memory;

  // The SPs execute a load from s[] or c[] as a move: its operand is read like that of any instruction.
  assign loads_operand = insn.op == g80_pkg::OpLdConst || insn.op == g80_pkg::OpLdShared ||
                         insn.op == g80_pkg::OpLdSharedLock;
  assign texture = insn.op == g80_pkg::OpTexAuto || insn.op == g80_pkg::OpTexFetch || insn.op == g80_pkg::OpTexBias ||
                   insn.op == g80_pkg::OpTexLod || insn.op == g80_pkg::OpTexSize;

  always_comb begin : find_unit
    unit = insn.unit;
    if (loads_operand) unit = g80_pkg::UnitSp;
    if (texture) unit = g80_pkg::UnitTexture;
    if (insn.op == g80_pkg::OpNop || insn.op == g80_pkg::OpPmevent || insn.op == g80_pkg::OpVote)
      unit = g80_pkg::UnitSp;
    if (!Eager && error != g80_pkg::DecodeErrorNone) unit = g80_pkg::UnitControl;  // it raises the fault
  end

  assign in_shared = {src2.kind == g80_pkg::OperandShared, src1.kind == g80_pkg::OperandShared,
                      src0.kind == g80_pkg::OperandShared};
  assign in_const  = {src2.kind == g80_pkg::OperandConst, src1.kind == g80_pkg::OperandConst,
                      src0.kind == g80_pkg::OperandConst};
  assign in_memory = in_shared | in_const | {src2.kind == g80_pkg::OperandLocal, src1.kind == g80_pkg::OperandLocal,
                                             src0.kind == g80_pkg::OperandLocal};
  assign memory_operand = loads_operand || (|in_memory);

  // Registers that a texture instruction reads and writes: from the destination's on
  logic [2:0]   num_results;
  logic [127:0] tex_reads, tex_writes;

  assign num_results = {2'd0, insn.tex_mask[0]} + {2'd0, insn.tex_mask[1]} + {2'd0, insn.tex_mask[2]} +
                       {2'd0, insn.tex_mask[3]};
  assign tex_reads   = {124'd0, (4'd1 << insn.tex_sources) - 4'd1} << insn.dst.index;
  assign tex_writes  = {124'd0, (4'd1 << num_results) - 4'd1} << insn.dst.index;

  // Flags and address registers beside the operands
  logic       reads_flags;
  logic [3:0] flag_read, flag_written;
  logic [4:0] addr_used, addr_written;

  assign reads_flags = (insn.cond != 5'd15 && insn.cond != 5'd0) || insn.op == g80_pkg::OpAddc ||
                       insn.op == g80_pkg::OpMovFromFlags || insn.op == g80_pkg::OpVote ||
                       ((insn.op == g80_pkg::OpMad16 || insn.op == g80_pkg::OpMad24) &&
                        insn.mad_op == g80_pkg::OpAddc);
  assign flag_read    = reads_flags ? 4'd1 << insn.flag_src : 4'd0;
  assign flag_written = insn.writes_flags ? 4'd1 << insn.flag_dst : 4'd0;
  assign addr_used    = memory_operand ? 5'd1 << insn.addr_reg : 5'd0;
  assign addr_written = insn.post_increment ? addr_used : 5'd0;

  localparam logic [4:0] AddressRegisters = 5'b11110;  // $a1 to $a4; $a0 is the constant 0

  g80_pkg::thread_state_t reads, writes;

  always_comb begin : find_reads
    reads.registers.low  = of_src0.registers.low | of_src1.registers.low | of_src2.registers.low;
    reads.registers.high = of_src0.registers.high | of_src1.registers.high | of_src2.registers.high;
    if (texture) begin
      reads.registers.low  |= tex_reads[63:0];
      reads.registers.high |= tex_reads[127:64];
    end
    reads.flags = of_src0.flags | of_src1.flags | of_src2.flags | flag_read;
    reads.addrs = (of_src0.addrs | of_src1.addrs | of_src2.addrs | addr_used) & AddressRegisters;
  end

  always_comb begin : find_writes
    writes = of_dst;
    if (texture) begin
      writes.registers.low  = tex_writes[63:0];
      writes.registers.high = tex_writes[127:64];
      writes.flags = 4'd0;
      writes.addrs = 5'd0;
    end
    writes.flags |= flag_written;
    writes.addrs = (writes.addrs | addr_written) & AddressRegisters;
  end

  logic on_operand_path;

  assign on_operand_path = unit == g80_pkg::UnitSp || unit == g80_pkg::UnitSfu || unit == g80_pkg::UnitDp;

  always_comb begin : result
    decoded_o.insn                 = insn;
    decoded_o.error                = error;
    decoded_o.arch                 = arch;
    decoded_o.unit                 = unit;
    decoded_o.reads                = reads;
    decoded_o.writes               = writes;
    decoded_o.control              = unit == g80_pkg::UnitControl || insn.exit || insn.join_;
    decoded_o.drains               = insn.op == g80_pkg::OpBar;
    decoded_o.uses_load_table      = texture || insn.op == g80_pkg::OpLdGlobal || insn.op == g80_pkg::OpLdLocal ||
                                     insn.op == g80_pkg::OpAtom;
    decoded_o.long_latency         = decoded_o.uses_load_table;
    decoded_o.reads_shared_operand = on_operand_path && (|in_shared);
    decoded_o.takes_shared_port    = unit == g80_pkg::UnitSp && (|in_shared) && insn.op != g80_pkg::OpMov;
    decoded_o.reads_const_operand  = on_operand_path && (|in_const);
    decoded_o.multiplies_fp32      = insn.op == g80_pkg::OpFmul && unit == g80_pkg::UnitSp && !(|in_shared);
  end
endmodule
