// SPDX-License-Identifier: Apache-2.0
// Memory, global and texture operands of RowParser.
#include <fmt/format.h>

#include "hw/isa/field_codec.h"
#include "toolchain/assembler/row_parser.h"

namespace g80::isa {

// "[$a1+0x10]", "[$a1++0x4]", "[$a1]", "[0x10]".
bool RowParser::match_address(Instruction& insn, Operand& op) {
  if (!expect_char('[')) return false;
  skip_spaces();
  unsigned index = 0;
  std::int64_t value = 0;
  const std::size_t start = position_;
  const bool indexed = match_indexed("$a", 7, index);
  if (indexed) {
    insn.addr_reg = static_cast<std::uint8_t>(index);
    if (take_char('+')) insn.post_increment = take_char('+');
    skip_spaces();
  }
  const bool more = !indexed || position_ == text_.size() || text_[position_] != ']';
  if (more && !match_number(value)) return false;
  if (insn.post_increment) {
    if (value < -0x8000 || value > 0xffff) return fail(start, "the increment does not fit 16 bits");
    insn.increment = static_cast<std::int32_t>(value);
  } else {
    if (value < 0 || value > 0xffff) return fail(start, "an offset from 0 to 0xffff is expected");
    op.offset = static_cast<std::uint16_t>(value);
  }
  return expect_char(']');
}

bool RowParser::match_shared(const Field& field, Instruction& insn) {
  Operand& op = operand(insn, field.role);
  const std::size_t start = position_;
  const int type = find_mem_type(peek_word());
  if (type < 0) return match_register(field.width, field.pieces[0].width, op);
  take_word();
  if (take_word() != "s") return fail(start, "'s[' is expected after the element type");
  op.kind = OperandKind::kShared;
  op.type = static_cast<MemType>(type);
  return match_address(insn, op);
}

bool RowParser::match_const(const Field& field, Instruction& insn, Operand& op) {
  unsigned bank = 0;
  if (!match_indexed("c", 15, bank)) return fail(position_, "a constant operand c0[] to c15[] is expected");
  op.kind = OperandKind::kConst;
  op.bank = static_cast<std::uint8_t>(bank);
  if (field.kind != FieldKind::kMemory) op.type = field.width == 16 ? MemType::kU16 : MemType::kB32;
  if (insn.src[0].kind != OperandKind::kShared || field.kind == FieldKind::kMemory) return match_address(insn, op);
  Instruction direct;  // $a, if any, belongs to the s[] operand
  const std::size_t start = position_;
  if (!match_address(direct, op)) return false;
  return (direct.addr_reg == 0 && !direct.post_increment) || fail(start, "$a can index only the s[] operand here");
}

bool RowParser::match_memory(const Field& field, Instruction& insn) {
  Operand& op = operand(insn, field.role);
  const std::size_t start = position_;
  const char space = field.words[0][0];
  if (field.pieces_used > 1) {
    const int type = find_mem_type(take_word());
    if (type < 0) return fail(start, "an element type u8 u16 s16 b32 is expected");
    op.type = static_cast<MemType>(type);
    insn.mem_type = op.type;
  } else if (space == 's') {
    op.type = insn.mem_type = field.width == 8 ? MemType::kU8 : field.width == 16 ? MemType::kU16 : MemType::kB32;
  } else {
    op.type = insn.mem_type;
  }
  skip_spaces();
  if (space == 'c') return match_const(field, insn, op);
  const std::size_t name = position_;
  if (take_word() != std::string_view(&space, 1)) return fail(name, fmt::format("'{}[' is expected here", space));
  op.kind = space == 's' ? OperandKind::kShared : OperandKind::kLocal;
  return match_address(insn, op);
}

bool RowParser::match_global(const Field& field, Instruction& insn) {
  unsigned space = 0;
  if (!match_indexed("g", 15, space)) return fail(position_, "a global operand g0[] to g15[] is expected");
  insn.space = static_cast<std::uint8_t>(space);
  return expect_char('[') && match_register(32, 7, operand(insn, field.role)) && expect_char(']');
}

// "$r4:#:$r5:#": the enabled components, in consecutive registers.
bool RowParser::match_results(const Field& field, Instruction& insn) {
  const std::size_t start = position_;
  unsigned next = 0;
  insn.tex_mask = 0;
  results_empty_ = true;
  for (unsigned i = 0; i < 4; ++i) {
    if (i != 0 && !expect_char(':')) return false;
    if (peek_word() == "#") {
      take_word();
      continue;
    }
    Operand result;
    if (!match_register(32, 8, result)) return false;
    if (results_empty_) {
      insn.dst = result;
    } else if (result.index != next) {
      return fail(start, "texture results are consecutive registers");
    }
    results_empty_ = false;
    next = result.index + 1u;
    insn.tex_mask = static_cast<std::uint8_t>(insn.tex_mask | 1u << i);
  }
  if (field.pieces_used == 1 && insn.tex_mask != 15) return fail(start, "the short form returns all four components");
  return true;
}

bool RowParser::match_sources(Instruction& insn) {
  const std::size_t start = position_;
  Operand first, source;
  if (!match_register(32, 8, first)) return false;
  insn.tex_sources = 1;
  while (take_char(':')) {
    if (!match_register(32, 8, source)) return false;
    if (insn.tex_sources == 4 || source.index != first.index + insn.tex_sources)
      return fail(start, "texture sources are up to four consecutive registers");
    ++insn.tex_sources;
  }
  if (!results_empty_ && first.index != insn.dst.index)
    return fail(start, "texture sources start at the first result register");
  insn.dst = first;
  return true;
}

}  // namespace g80::isa
