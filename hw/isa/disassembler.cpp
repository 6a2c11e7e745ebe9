// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/disassembler.h"

#include <fmt/format.h>

#include <stdexcept>

#include "hw/isa/condition_names.h"
#include "hw/isa/field_codec.h"
#include "hw/isa/opcode_table.h"
#include "hw/isa/row_encoding.h"

namespace g80::isa {
namespace {

std::string register_text(const Operand& op) {
  switch (op.kind) {
    case OperandKind::kReg: return fmt::format("$r{}", op.index);
    case OperandKind::kHalf: return fmt::format("$r{}{}", op.index >> 1, (op.index & 1) != 0 ? 'h' : 'l');
    case OperandKind::kPair: return fmt::format("$r{}d", op.index);
    case OperandKind::kQuad: return fmt::format("$r{}q", op.index);
    case OperandKind::kDiscard: return "#";
    default: return "?";
  }
}

// "[$a1+0x10]", "[$a1++0x4]", "[0x10]"; increments are printed as 64-bit two's complement.
std::string address_text(const Instruction& insn, const Operand& op, bool indexed) {
  if (!indexed || (insn.addr_reg == 0 && !insn.post_increment)) return fmt::format("[0x{:x}]", op.offset);
  if (insn.post_increment) {
    const auto step = static_cast<std::uint64_t>(std::int64_t{insn.increment});
    if (insn.addr_reg == 0) return fmt::format("[0x0++0x{:x}]", step);
    return fmt::format("[$a{}++0x{:x}]", insn.addr_reg, step);
  }
  if (op.offset == 0) return fmt::format("[$a{}]", insn.addr_reg);
  return fmt::format("[$a{}+0x{:x}]", insn.addr_reg, op.offset);
}

// Disassemblers have always printed the post-increment of a 32-bit c[] operand in source 2 of a long form like an
// offset. This one does the same, so that texts can be compared.
bool hides_post_increment(const Field& field, const Instruction& insn, const Operand& op) {
  return field.kind == FieldKind::kConst2 && field.width == 32 && insn.form == Form::kLong && insn.post_increment &&
         op.kind == OperandKind::kConst && insn.src[0].kind != OperandKind::kShared;
}

std::string hidden_increment_text(const Field& field, const Instruction& insn, const Operand& op) {
  Instruction plain = insn;
  plain.post_increment = false;
  Operand shown = op;
  shown.offset = static_cast<std::uint16_t>(insn.increment & ((4 << field.pieces[0].width) - 1));
  return fmt::format("c{}", op.bank) + address_text(plain, shown, true);
}

std::string memory_text(const Instruction& insn, const Operand& op) {
  switch (op.kind) {
    case OperandKind::kShared: return "s" + address_text(insn, op, true);
    case OperandKind::kLocal: return "l" + address_text(insn, op, true);
    default: return fmt::format("c{}", op.bank) + address_text(insn, op, insn.src[0].kind != OperandKind::kShared);
  }
}

std::string tex_results(const Instruction& insn) {
  std::string text;
  unsigned reg = insn.dst.index;
  for (unsigned i = 0; i < 4; ++i) {
    if (i != 0) text += ':';
    text += (insn.tex_mask >> i & 1) != 0 ? fmt::format("$r{}", reg++) : "#";
  }
  return text;
}

std::string tex_sources(const Instruction& insn) {
  std::string text;
  for (unsigned i = 0; i < insn.tex_sources; ++i) text += fmt::format("{}$r{}", i != 0 ? ":" : "", insn.dst.index + i);
  return text;
}

std::string lanes_text(unsigned mask) {
  if (mask == 15) return "";
  if (mask == 0) return "(lnone)";
  std::string text = "(l";
  for (unsigned i = 0; i < 4; ++i)
    if ((mask >> i & 1) != 0) text += static_cast<char>('0' + i);
  return text + ")";
}

std::string words_text(const Field& field, const Instruction& insn) {
  const std::int64_t value = get_role(insn, field.role);
  if (field.role == Role::kQuadLane) return std::string(field.words[static_cast<std::size_t>(value & 7)]);
  for (std::size_t i = 0; i < field.values.size(); ++i)
    if (field.values[i] == value) return std::string(field.words[i]);
  return "?";
}

std::string field_text(const Field& field, const Instruction& insn) {
  switch (field.kind) {
    case FieldKind::kFlag: return get_role(insn, field.role) != 0 ? std::string(field.words[0]) : "";
    case FieldKind::kWords:
    case FieldKind::kWordOrFirst: return words_text(field, insn);
    case FieldKind::kNumber: return fmt::format("0x{:x}", get_role(insn, field.role));
    case FieldKind::kOffset: {
      const std::int64_t value = get_role(insn, field.role);
      return value < 0 ? fmt::format("-0x{:x}", -value) : fmt::format("0x{:x}", value);
    }
    case FieldKind::kUnitNumber: return fmt::format("{}{}", field.words[0], get_role(insn, field.role));
    case FieldKind::kImmediate: return fmt::format("0x{:x}", insn.immediate);
    case FieldKind::kRegister:
    case FieldKind::kDestination:
    case FieldKind::kSameAsDst: return register_text(operand(insn, field.role));
    case FieldKind::kShared:
    case FieldKind::kConst2:
    case FieldKind::kConst3: {
      const Operand& op = operand(insn, field.role);
      if (op.kind == OperandKind::kShared) return fmt::format("{} {}", type_name(op.type), memory_text(insn, op));
      if (hides_post_increment(field, insn, op)) return hidden_increment_text(field, insn, op);
      return op.kind == OperandKind::kConst ? memory_text(insn, op) : register_text(op);
    }
    case FieldKind::kMemory: {
      const Operand& op = operand(insn, field.role);
      const std::string text = memory_text(insn, op);
      return field.pieces_used > 1 ? fmt::format("{} {}", type_name(op.type), text) : text;
    }
    case FieldKind::kGlobal: return fmt::format("g{}[{}]", insn.space, register_text(operand(insn, field.role)));
    case FieldKind::kAddrDst: return fmt::format("$a{}", insn.dst.index);
    case FieldKind::kAddrSrc: {
      const unsigned index = operand(insn, field.role).index;
      return index == 0 ? "0x0" : fmt::format("$a{}", index);
    }
    case FieldKind::kFlagOut: return insn.writes_flags ? fmt::format("$c{}", insn.flag_dst) : "";
    case FieldKind::kFlagDst: return fmt::format("$c{}", insn.flag_dst);
    case FieldKind::kFlagSrc: return fmt::format("$c{}", insn.flag_src);
    case FieldKind::kSpecial: return std::string(field.words[insn.src[0].index & 15u]);
    case FieldKind::kLanes: return lanes_text(insn.lane_mask);
    case FieldKind::kTexDst: return tex_results(insn);
    case FieldKind::kTexSrc: return tex_sources(insn);
  }
  return "";
}

void append(std::string& text, std::string_view word) {
  if (word.empty()) return;
  if (!text.empty()) text += ' ';
  text += word;
}

}  // namespace

std::string disassemble(const Instruction& insn) {
  const Row* row = find_row(insn);
  if (row == nullptr) throw std::invalid_argument("no instruction has these field values");
  std::string text;
  if (row->form == Form::kLong && insn.exit) append(text, "exit");
  if (row->form == Form::kLong && insn.join) append(text, "join");
  if (row->guarded && insn.cond == 0) {
    append(text, "(never)");
  } else if (row->guarded && insn.cond != kAlways) {
    append(text, fmt::format("({} $c{})", kConditionNames[insn.cond & 31u], insn.flag_src));
  }
  for (const Item& item : row->items) {
    std::string word = item.field != nullptr ? field_text(*item.field, insn) : std::string(item.text);
    if (item.opens) word.insert(0, 1, '(');
    if (item.closes) word += ')';
    append(text, word);
  }
  return text;
}

bool has_text(const Instruction& insn, DecodeError error) {
  if (insn.op == Op::kInvalid) return false;
  if (error != DecodeError::kIllegalPostIncrement) return true;
  const Row* const row = find_row(insn);
  if (row == nullptr) return false;
  for (const Field* field : row->fields)
    if (hides_post_increment(*field, insn, operand(insn, field->role))) return true;
  return false;
}

std::string disassemble(std::uint32_t w0, std::uint32_t w1, Arch arch) {
  Instruction insn;
  const DecodeError error = decode(w0, w1, arch, insn);
  return has_text(insn, error) ? disassemble(insn) : fmt::format("<{}>", decode_error_text(error));
}

}  // namespace g80::isa
