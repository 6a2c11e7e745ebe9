#include "hw/isa/field_codec.h"

namespace g80::isa {
namespace {

constexpr std::uint64_t kPostBit = std::uint64_t{1} << 25;
constexpr Piece kAddrLow{26, 2}, kAddrHigh{34, 1};
constexpr Piece kConstSelect{23, 2};       // w0[24:23]: 1 source 2 is c[], 2 source 3 is c[], 3 neither may be s[]
constexpr std::uint64_t kConst2Bit = std::uint64_t{1} << 23, kConst3Bit = std::uint64_t{1} << 24;
constexpr std::uint64_t kSharedBitLong = std::uint64_t{1} << 53;
constexpr MemType kSharedModes[4] = {MemType::kU8, MemType::kU16, MemType::kS16, MemType::kB32};

std::int32_t sign_extend(std::uint32_t value, unsigned bits) {
  const std::uint32_t sign = 1u << (bits - 1);
  return static_cast<std::int32_t>((value ^ sign) - sign);
}

OperandKind register_kind(unsigned width) {
  return width == 16 ? OperandKind::kHalf : width == 64 ? OperandKind::kPair
         : width == 128 ? OperandKind::kQuad : OperandKind::kReg;
}

// The size a discarded result would have had: 8-bit conversions exist with both destination widths.
MemType register_type(unsigned width) {
  return width == 16 ? MemType::kU16 : width == 64 ? MemType::kB64 : MemType::kB32;
}

void set_register(Operand& op, unsigned width, std::uint32_t index) {
  op.kind = register_kind(width);
  op.index = static_cast<std::uint8_t>(index);
}

unsigned log2_bytes(MemType type) {
  const unsigned bytes = element_bytes(type);
  return bytes == 1 ? 0 : bytes == 2 ? 1 : 2;
}

bool has_long_address(const Row& row) { return row.form == Form::kLong; }

// $a and post-increment of the one memory operand.
void read_address(const Row& row, std::uint64_t word, Instruction& insn, std::uint64_t& used) {
  insn.addr_reg = static_cast<std::uint8_t>(kAddrLow.get(word));
  used |= kAddrLow.mask() | kPostBit;
  if (has_long_address(row)) {
    insn.addr_reg = static_cast<std::uint8_t>(insn.addr_reg | kAddrHigh.get(word) << 2);
    used |= kAddrHigh.mask();
  }
  insn.post_increment = (word & kPostBit) != 0;
}

DecodeError check_post_increment(const Instruction& insn) {
  const bool has_register = insn.addr_reg >= 1 && insn.addr_reg <= 4;
  return insn.post_increment && !has_register ? DecodeError::kIllegalPostIncrement : DecodeError::kNone;
}

bool write_address(const Row& row, const Instruction& insn, std::uint64_t& word, std::uint64_t& used) {
  if (insn.addr_reg > (has_long_address(row) ? 7 : 3)) return false;
  word |= std::uint64_t{insn.addr_reg & 3u} << 26;
  used |= kAddrLow.mask() | kPostBit;
  if (has_long_address(row)) {
    word |= std::uint64_t{insn.addr_reg >> 2 & 1u} << 34;
    used |= kAddrHigh.mask();
  }
  if (insn.post_increment) word |= kPostBit;
  return true;
}

// Element number of a memory operand: its offset, or its signed increment, in units of the element size.
bool element_number(const Instruction& insn, const Operand& op, unsigned shift, unsigned bits, bool is_signed,
                    std::uint32_t& number) {
  const std::int64_t bytes = insn.post_increment ? insn.increment : op.offset;
  if ((bytes & ((1 << shift) - 1)) != 0) return false;
  const std::int64_t value = bytes >> shift;
  const std::int64_t top = std::int64_t{1} << bits;
  if (insn.post_increment && is_signed ? (value < -(top / 2) || value >= top / 2) : (value < 0 || value >= top)) return false;
  number = static_cast<std::uint32_t>(value & (top - 1));
  return true;
}

void set_element(Instruction& insn, Operand& op, std::uint32_t number, unsigned shift, unsigned bits, bool is_signed) {
  op.offset = 0;
  if (!insn.post_increment) {
    op.offset = static_cast<std::uint16_t>(number << shift);
  } else {
    insn.increment = (is_signed ? sign_extend(number, bits) : static_cast<std::int32_t>(number)) * (1 << shift);
  }
}

DecodeError read_shared(const Row& row, const Field& field, std::uint64_t word, Instruction& insn, std::uint64_t& used) {
  Operand& op = operand(insn, field.role);
  used |= field.pieces[0].mask();
  const std::uint32_t bits = field.pieces[0].get(word);
  const bool neither = row.form == Form::kLong && kConstSelect.get(word) == 3;
  if (!neither) used |= field.pieces[1].mask();
  if (neither || field.pieces[1].get(word) == 0) {
    set_register(op, field.width, bits);
    return DecodeError::kNone;
  }
  const unsigned offset_bits = field.pieces[0].width - 2u;
  op.kind = OperandKind::kShared;
  op.type = kSharedModes[bits >> offset_bits];
  read_address(row, word, insn, used);
  set_element(insn, op, bits & ((1u << offset_bits) - 1), log2_bytes(op.type), offset_bits, true);
  return check_post_increment(insn);
}

bool write_shared(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word, std::uint64_t& used) {
  const Operand& op = operand(insn, field.role);
  used |= field.mask();
  if (op.kind == register_kind(field.width)) {
    if (op.index >> field.pieces[0].width != 0) return false;
    word |= std::uint64_t{op.index} << field.pieces[0].lo;
    return true;
  }
  if (op.kind != OperandKind::kShared) return false;
  unsigned mode = 0;
  while (mode < 4 && kSharedModes[mode] != op.type) ++mode;
  const unsigned offset_bits = field.pieces[0].width - 2u;
  std::uint32_t number = 0;
  if (mode == 4 || !element_number(insn, op, log2_bytes(op.type), offset_bits, true, number)) return false;
  word |= std::uint64_t{mode << offset_bits | number} << field.pieces[0].lo | field.pieces[1].mask();
  return write_address(row, insn, word, used);
}

DecodeError read_const(const Row& row, const Field& field, std::uint64_t word, Instruction& insn, std::uint64_t& used) {
  Operand& op = operand(insn, field.role);
  const bool is_long = row.form == Form::kLong;
  const std::uint32_t select = kConstSelect.get(word);
  // Both select bits: in long forms a way to name two registers if s[] is named too, otherwise a graphics encoding.
  if (select == 3 && !(is_long && (word & kSharedBitLong) != 0)) return DecodeError::kGraphicsOnly;
  const bool second = field.kind == FieldKind::kConst2;
  if (select != 3) used |= second ? kConst2Bit : kConst3Bit;
  if (select != (second ? 1u : 2u)) {
    const Piece reg{field.pieces[0].lo, static_cast<std::uint8_t>(is_long ? 7 : 6)};
    used |= reg.mask();
    set_register(op, field.width, reg.get(word));
    return DecodeError::kNone;
  }
  used |= field.mask();
  op.kind = OperandKind::kConst;
  op.type = field.width == 16 ? MemType::kU16 : MemType::kB32;
  op.bank = static_cast<std::uint8_t>(field.pieces[1].get(word));
  const unsigned shift = field.width == 16 ? 1 : 2;
  if (insn.src[0].kind == OperandKind::kShared) {  // $a belongs to s[]
    op.offset = static_cast<std::uint16_t>(field.pieces[0].get(word) << shift);
    return DecodeError::kNone;
  }
  read_address(row, word, insn, used);
  set_element(insn, op, field.pieces[0].get(word), shift, field.pieces[0].width, true);
  return check_post_increment(insn);
}

bool write_const(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word, std::uint64_t& used) {
  const Operand& op = operand(insn, field.role);
  const bool is_long = row.form == Form::kLong;
  const bool second = field.kind == FieldKind::kConst2;
  used |= second ? kConst2Bit : kConst3Bit;
  if (op.kind == register_kind(field.width)) {
    const unsigned bits = is_long ? 7 : 6;
    if (op.index >> bits != 0) return false;
    const Piece reg{field.pieces[0].lo, static_cast<std::uint8_t>(bits)};
    used |= reg.mask();
    word |= std::uint64_t{op.index} << reg.lo;
    return true;
  }
  if (op.kind != OperandKind::kConst || op.bank >> field.pieces[1].width != 0) return false;
  if ((word & (second ? kConst3Bit : kConst2Bit)) != 0 && is_long) return false;  // one c[] operand per instruction
  if (!is_long && (word & kConst3Bit) != 0) return false;                          // short forms: s[] or c[], not both
  const unsigned shift = field.width == 16 ? 1 : 2;
  const bool direct = insn.src[0].kind == OperandKind::kShared;
  Instruction plain = insn;
  if (direct) plain.post_increment = false;
  std::uint32_t number = 0;
  if (!element_number(plain, op, shift, field.pieces[0].width, true, number)) return false;
  used |= field.mask();
  word |= std::uint64_t{number} << field.pieces[0].lo | std::uint64_t{op.bank} << field.pieces[1].lo;
  word |= second ? kConst2Bit : kConst3Bit;
  return direct || write_address(row, insn, word, used);
}

// The address of a dedicated load or store: c[], s[] or l[].
MemType memory_type(const Field& field, std::uint64_t word, const Instruction& insn) {
  if (field.words[0] == "l") return insn.mem_type;
  if (field.width == 0) return kSharedModes[field.pieces[1].get(word)];
  return field.width == 8 ? MemType::kU8 : field.width == 16 ? MemType::kU16 : MemType::kB32;
}

unsigned memory_shift(const Field& field, MemType type) { return field.words[0] == "l" ? 0 : log2_bytes(type); }

DecodeError read_memory(const Row& row, const Field& field, std::uint64_t word, Instruction& insn, std::uint64_t& used) {
  Operand& op = operand(insn, field.role);
  const char space = field.words[0][0];
  op.kind = space == 'c' ? OperandKind::kConst : space == 's' ? OperandKind::kShared : OperandKind::kLocal;
  op.type = insn.mem_type = memory_type(field, word, insn);
  const unsigned shift = memory_shift(field, op.type);
  const Piece offset{field.pieces[0].lo, static_cast<std::uint8_t>(field.pieces[0].width - shift)};
  used |= offset.mask() | field.pieces[1].mask() | field.pieces[2].mask();
  if (space == 'c') op.bank = static_cast<std::uint8_t>(field.pieces[2].get(word));
  read_address(row, word, insn, used);
  set_element(insn, op, offset.get(word), shift, offset.width, false);
  return check_post_increment(insn);
}

bool write_memory(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word, std::uint64_t& used) {
  const Operand& op = operand(insn, field.role);
  const char space = field.words[0][0];
  const OperandKind kind = space == 'c' ? OperandKind::kConst : space == 's' ? OperandKind::kShared : OperandKind::kLocal;
  if (op.kind != kind) return false;
  if (field.pieces_used > 1) {
    unsigned mode = 0;
    while (mode < 4 && kSharedModes[mode] != op.type) ++mode;
    if (mode == 4) return false;
    word |= std::uint64_t{mode} << field.pieces[1].lo;
  } else if (space == 's' && op.type != memory_type(field, 0, insn)) {
    return false;
  }
  const unsigned shift = memory_shift(field, op.type);
  const Piece offset{field.pieces[0].lo, static_cast<std::uint8_t>(field.pieces[0].width - shift)};
  std::uint32_t number = 0;
  if (!element_number(insn, op, shift, offset.width, false, number)) return false;
  word |= std::uint64_t{number} << offset.lo;
  if (space == 'c') {
    if (op.bank > 15) return false;
    word |= std::uint64_t{op.bank} << field.pieces[2].lo;
  }
  used |= offset.mask() | field.pieces[1].mask() | field.pieces[2].mask();
  return write_address(row, insn, word, used);
}

// A register field; pairs and quads of odd numbers are kept as they are, the chip takes them as written.
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

unsigned element_bytes(MemType type) {
  switch (type) {
    case MemType::kU8:
    case MemType::kS8: return 1;
    case MemType::kU16:
    case MemType::kS16: return 2;
    case MemType::kB64:
    case MemType::kU64: return 8;
    case MemType::kB128: return 16;
    default: return 4;
  }
}

DecodeError read_field(const Row& row, const Field& field, std::uint64_t word, Instruction& insn, std::uint64_t& used) {
  const std::uint32_t value = field.get(word);
  switch (field.kind) {
    case FieldKind::kShared: return read_shared(row, field, word, insn, used);
    case FieldKind::kConst2:
    case FieldKind::kConst3: return read_const(row, field, word, insn, used);
    case FieldKind::kMemory: return read_memory(row, field, word, insn, used);
    default: break;
  }
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
      if (value > 4) return DecodeError::kIllegalOpcode;  // $a5, $a6 do not exist, $a7 must not be used
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

bool write_field(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word, std::uint64_t& used) {
  switch (field.kind) {
    case FieldKind::kShared: return write_shared(row, field, insn, word, used);
    case FieldKind::kConst2:
    case FieldKind::kConst3: return write_const(row, field, insn, word, used);
    case FieldKind::kMemory: return write_memory(row, field, insn, word, used);
    default: break;
  }
  used |= field.mask();
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
    case FieldKind::kAddrSrc:
      return operand(insn, field.role).kind == OperandKind::kAddr && put(operand(insn, field.role).index);
    case FieldKind::kFlagOut:
      if (!insn.writes_flags) {
        used &= ~field.pieces[0].mask();
        return true;
      }
      return put(insn.flag_dst | 4);
    case FieldKind::kFlagDst: return insn.writes_flags && put(insn.flag_dst);
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
        word |= std::uint64_t{insn.tex_mask & 3u} << field.pieces[1].lo | (std::uint64_t{insn.tex_mask} >> 2) << field.pieces[2].lo;
      return true;
    case FieldKind::kTexSrc: return insn.tex_sources >= 1 && put(insn.tex_sources - 1);
    default: return false;
  }
}

}  // namespace g80::isa
