// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/field_codec.h"

#include "hw/isa/memory_fields.h"

namespace g80::isa {
namespace {

// Pairs and quads may start at any register number, as on the chip.
bool write_register(const Field& field, const Operand& op, std::uint64_t& word) {
  if (op.kind != register_kind(field.width) || op.index >> field.pieces[0].width != 0) return false;
  word |= std::uint64_t{op.index} << field.pieces[0].lo;
  return true;
}

}  // namespace

Operand& operand(Instruction& insn, Role role) {
  return role == Role::kDst ? insn.dst : insn.src[role == Role::kSrc1 ? 1 : role == Role::kSrc2 ? 2 : 0];
}
const Operand& operand(const Instruction& insn, Role role) {
  return role == Role::kDst ? insn.dst : insn.src[role == Role::kSrc1 ? 1 : role == Role::kSrc2 ? 2 : 0];
}

DecodeError read_field(const Row& row, const Field& field, std::uint64_t word, Instruction& insn, std::uint64_t& used) {
  if (is_memory_field(field.kind)) return read_memory_field(row, field, word, insn, used);
  const std::uint32_t value = field.get(word);
  used |= field.mask();
  switch (field.kind) {
    case FieldKind::kFlag:
    case FieldKind::kNumber: set_role(insn, field.role, std::int64_t{value} << field.width); break;
    case FieldKind::kUnitNumber: set_role(insn, field.role, value); break;
    case FieldKind::kOffset: set_role(insn, field.role, sign_extend(value, field.bits())); break;
    case FieldKind::kWords:
    case FieldKind::kWordOrFirst:
      if (value >= field.values.size() || field.values[value] < 0) return DecodeError::kIllegalOpcode;
      set_role(insn, field.role, field.values[value]);
      break;
    case FieldKind::kRegister: set_register(operand(insn, field.role), field.width, value); break;
    case FieldKind::kDestination:
      set_register(insn.dst, field.width, field.pieces[0].get(word));
      if (field.pieces[1].get(word) != 0) {
        if (field.pieces[0].get(word) != 127) return DecodeError::kGraphicsOnly;  // o[] output
        insn.dst.kind = OperandKind::kDiscard;
        insn.dst.index = 0;
        insn.dst.type = register_type(field.width);
      }
      break;
    case FieldKind::kSameAsDst: {
      Operand& op = operand(insn, field.role);
      op.kind = insn.dst.kind;
      op.index = insn.dst.index;
      break;
    }
    case FieldKind::kImmediate:
      operand(insn, field.role).kind = OperandKind::kImm;
      insn.immediate = value;
      break;
    case FieldKind::kAddrDst:
      if (value > kLastAddr) return DecodeError::kIllegalOpcode;
      [[fallthrough]];
    case FieldKind::kAddrSrc:
      operand(insn, field.role).kind = OperandKind::kAddr;
      operand(insn, field.role).index = static_cast<std::uint8_t>(value);
      break;
    case FieldKind::kFlagOut:
      insn.writes_flags = field.pieces[1].get(word) != 0;
      insn.flag_dst = static_cast<std::uint8_t>(insn.writes_flags ? field.pieces[0].get(word) : 0);
      if (!insn.writes_flags) used &= ~field.pieces[0].mask();
      break;
    case FieldKind::kFlagDst:
      insn.writes_flags = true;
      insn.flag_dst = static_cast<std::uint8_t>(value);
      break;
    case FieldKind::kFlagSrc: insn.flag_src = static_cast<std::uint8_t>(value); break;
    case FieldKind::kSpecial:
      operand(insn, field.role).kind = OperandKind::kSpecial;
      operand(insn, field.role).index = static_cast<std::uint8_t>(value);
      break;
    case FieldKind::kGlobal:
      set_register(operand(insn, field.role), 32, field.pieces[0].get(word));
      insn.space = static_cast<std::uint8_t>(field.pieces[1].get(word));
      break;
    case FieldKind::kLanes: insn.lane_mask = static_cast<std::uint8_t>(value); break;
    case FieldKind::kTexDst:
      set_register(insn.dst, 32, field.pieces[0].get(word));
      insn.tex_mask = static_cast<std::uint8_t>(
          field.pieces_used == 1 ? 0xf : field.pieces[1].get(word) | field.pieces[2].get(word) << 2);
      break;
    case FieldKind::kTexSrc: insn.tex_sources = static_cast<std::uint8_t>(value + 1); break;
    default: break;
  }
  return DecodeError::kNone;
}

bool write_field(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word) {
  if (is_memory_field(field.kind)) return write_memory_field(row, field, insn, word);
  const auto put = [&](std::int64_t value) {
    if (value < 0 || value >> field.bits() != 0) return false;
    word |= field.place(static_cast<std::uint64_t>(value));
    return true;
  };
  switch (field.kind) {
    case FieldKind::kFlag:
    case FieldKind::kUnitNumber: return put(get_role(insn, field.role));
    case FieldKind::kNumber: {
      const std::int64_t value = get_role(insn, field.role);
      return (value & ((1 << field.width) - 1)) == 0 && put(value >> field.width);
    }
    case FieldKind::kOffset: {
      const std::int64_t value = get_role(insn, field.role);
      const std::int64_t half = std::int64_t{1} << (field.bits() - 1);
      return value >= -half && value < half && put(value & (2 * half - 1));
    }
    case FieldKind::kWords:
    case FieldKind::kWordOrFirst: {
      const std::int64_t value = get_role(insn, field.role);
      for (std::size_t i = 0; i < field.values.size(); ++i)
        if (field.values[i] == value) return put(static_cast<std::int64_t>(i));
      return false;
    }
    case FieldKind::kRegister: return write_register(field, operand(insn, field.role), word);
    case FieldKind::kDestination:
      if (insn.dst.kind == OperandKind::kDiscard) {
        word |= field.mask();
        return insn.dst.type == register_type(field.width);
      }
      return write_register(field, insn.dst, word);
    case FieldKind::kSameAsDst:
      return operand(insn, field.role).kind == insn.dst.kind && operand(insn, field.role).index == insn.dst.index;
    case FieldKind::kImmediate: return operand(insn, field.role).kind == OperandKind::kImm && put(insn.immediate);
    case FieldKind::kAddrDst:
      if (operand(insn, field.role).index > kLastAddr) return false;
      [[fallthrough]];
    case FieldKind::kAddrSrc:
      return operand(insn, field.role).kind == OperandKind::kAddr && put(operand(insn, field.role).index);
    case FieldKind::kFlagOut: return !insn.writes_flags || (insn.flag_dst < 4 && put(insn.flag_dst | 4));
    case FieldKind::kFlagDst: return put(insn.flag_dst);
    case FieldKind::kFlagSrc: return put(insn.flag_src);
    case FieldKind::kSpecial:
      return operand(insn, field.role).kind == OperandKind::kSpecial && put(operand(insn, field.role).index);
    case FieldKind::kGlobal:
      if (insn.space > 15) return false;
      word |= std::uint64_t{insn.space} << field.pieces[1].lo;
      return operand(insn, field.role).kind == OperandKind::kReg && operand(insn, field.role).index < 128 &&
             (word |= std::uint64_t{operand(insn, field.role).index} << field.pieces[0].lo, true);
    case FieldKind::kLanes: return put(insn.lane_mask);
    case FieldKind::kTexDst:
      if (insn.tex_mask > 15 || (field.pieces_used == 1 && insn.tex_mask != 15)) return false;
      if (insn.dst.kind != OperandKind::kReg || insn.dst.index >> field.pieces[0].width != 0) return false;
      word |= std::uint64_t{insn.dst.index} << field.pieces[0].lo;
      if (field.pieces_used > 1)
        word |= std::uint64_t{insn.tex_mask & 3u} << field.pieces[1].lo | (std::uint64_t{insn.tex_mask} >> 2)
                                                                              << field.pieces[2].lo;
      return true;
    case FieldKind::kTexSrc: return put(insn.tex_sources - 1);
    default: return false;
  }
}

}  // namespace g80::isa
