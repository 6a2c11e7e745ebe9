// SPDX-License-Identifier: Apache-2.0
#include "hw/bundles/micro_op.h"

#include "hw/bundles/decoded_instruction.h"
#include "hw/common/check.h"
#include "hw/isa/opcode_table.h"

namespace g80 {
namespace {

using isa::Op;
using isa::OperandKind;

bool is_in_memory(OperandKind kind) {
  return kind == OperandKind::kShared || kind == OperandKind::kConst || kind == OperandKind::kLocal;
}
bool reads_flag(const isa::Instruction& insn, bool guarded) {
  if (guarded && insn.cond != isa::kAlways && insn.cond != 0) return true;
  if (insn.op == Op::kMad16 || insn.op == Op::kMad24) return insn.mad_op == Op::kAddc;
  return insn.op == Op::kAddc || insn.op == Op::kMovFromFlags || insn.op == Op::kVote;
}

}  // namespace

MicroOp micro_op_of(const DecodedInstruction& decoded) {
  MicroOp micro;
  if (decoded.error != isa::DecodeError::kNone) return micro;
  const isa::Instruction& insn = decoded.insn;
  const isa::Row* const row = isa::OpcodeTable::get().find(static_cast<std::uint32_t>(decoded.words),
                                                           static_cast<std::uint32_t>(decoded.words >> 32));
  CHECK(row != nullptr, "{:#x} is an instruction, but of no row", decoded.words);
  micro.issued.op = insn.op;
  micro.issued.unit = decoded.unit;
  micro.issued.dst = insn.dst.kind;
  micro.src0 = insn.src[0].kind;
  micro.src1 = static_cast<std::uint8_t>(insn.src[1].kind);
  micro.src2 = static_cast<std::uint8_t>(insn.src[2].kind);
  micro.issued.dst_high = (insn.dst.index & 0x40) != 0;
  for (const isa::Field* field : row->fields) {
    if (field->role == isa::Role::kSrc1) micro.src1_at = isa::place_of_index(*field);
    if (field->kind == isa::FieldKind::kSameAsDst) micro.src2_is_dst = true;
  }
  micro.issued.guarded = row->guarded;
  micro.reads_flag = reads_flag(insn, row->guarded);
  micro.flag_src = insn.flag_src;
  micro.issued.writes_flags = insn.writes_flags;
  micro.issued.flag_dst = insn.flag_dst;
  micro.issued.addr_reg = insn.addr_reg;
  micro.issued.post_increment = insn.post_increment;
  micro.issued.mem_type = is_in_memory(insn.src[0].kind) ? insn.src[0].type : insn.mem_type;
  micro.half_const = insn.src[1].kind == OperandKind::kConst && insn.src[1].type == isa::MemType::kU16;
  micro.dst_type = insn.dst_type;
  micro.src_type = insn.src_type;
  micro.src2_type = insn.src2_type;
  for (unsigned i = 0; i < 3; ++i) {
    micro.negate |= static_cast<std::uint8_t>(unsigned{insn.src[i].neg} << i);
    if (i < 2) micro.absolute |= static_cast<std::uint8_t>(unsigned{insn.src[i].abs} << i);
  }
  micro.saturate = insn.saturate;
  micro.variant = insn.high || insn.integral || insn.vote_all || insn.bar_all || insn.tex_cube;
  micro.round = static_cast<std::uint8_t>(static_cast<unsigned>(insn.round) |
                                          (static_cast<unsigned>(insn.mad_op) - static_cast<unsigned>(Op::kAdd)));
  micro.compare = static_cast<std::uint8_t>(insn.compare | static_cast<unsigned>(insn.atom_op));
  return micro;
}

}  // namespace g80
