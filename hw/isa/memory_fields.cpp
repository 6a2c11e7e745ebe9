// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/memory_fields.h"

#include <optional>

#include "hw/isa/field_codec.h"

namespace g80::isa {

unsigned log2_bytes(MemType type) {
  const unsigned bytes = element_bytes(type);
  return bytes == 1 ? 0 : bytes == 2 ? 1 : 2;
}

std::int32_t sign_extend(std::uint32_t value, unsigned bits) {
  const std::uint32_t sign = 1u << (bits - 1);
  return static_cast<std::int32_t>((value ^ sign) - sign);
}

OperandKind register_kind(unsigned width) {
  return width == 16    ? OperandKind::kHalf
         : width == 64  ? OperandKind::kPair
         : width == 128 ? OperandKind::kQuad
                        : OperandKind::kReg;
}

MemType register_type(unsigned width) {
  return width == 16 ? MemType::kU16 : width == 64 ? MemType::kB64 : MemType::kB32;
}

void set_register(Operand& op, unsigned width, std::uint32_t index) {
  op.kind = register_kind(width);
  op.index = static_cast<std::uint8_t>(index);
}

namespace {

constexpr std::uint64_t kConst2Bit = std::uint64_t{1} << 23, kConst3Bit = std::uint64_t{1} << 24;

bool has_long_address(const Row& row) { return row.form == Form::kLong; }

void read_address(const Row& row, std::uint64_t word, Instruction& insn, std::uint64_t& used) {
  insn.addr_reg = static_cast<std::uint8_t>(kAddrLow.get(word));
  used |= kAddrLow.mask() | kPostIncrement.mask();
  if (has_long_address(row)) {
    insn.addr_reg = static_cast<std::uint8_t>(insn.addr_reg | kAddrHigh.get(word) << 2);
    used |= kAddrHigh.mask();
  }
  insn.post_increment = kPostIncrement.get(word) != 0;
}

DecodeError check_post_increment(const Instruction& insn) {
  const bool has_register = insn.addr_reg >= 1 && insn.addr_reg <= kLastAddr;
  return insn.post_increment && !has_register ? DecodeError::kIllegalPostIncrement : DecodeError::kNone;
}

bool write_address(const Row& row, const Instruction& insn, std::uint64_t& word) {
  if (insn.addr_reg > (has_long_address(row) ? 7 : 3)) return false;
  word |= std::uint64_t{insn.addr_reg & 3u} << kAddrLow.lo | std::uint64_t{insn.addr_reg >> 2 & 1u} << kAddrHigh.lo;
  if (insn.post_increment) word |= kPostIncrement.mask();
  return true;
}

// Computes the element number of a memory operand: its offset or increment in units of the element size. False if it
// is not a multiple or does not fit into `bits`.
std::optional<std::uint32_t> element_number(const Instruction& insn, const Operand& op, unsigned shift, unsigned bits,
                                            bool is_signed) {
  const std::int64_t bytes = insn.post_increment ? insn.increment : op.offset;
  if ((bytes & ((1 << shift) - 1)) != 0) return std::nullopt;
  const std::int64_t value = bytes >> shift;
  const std::int64_t top = std::int64_t{1} << bits;
  if (insn.post_increment && is_signed ? (value < -(top / 2) || value >= top / 2) : (value < 0 || value >= top))
    return std::nullopt;
  return static_cast<std::uint32_t>(value & (top - 1));
}

void set_element(Instruction& insn, Operand& op, std::uint32_t number, unsigned shift, unsigned bits, bool is_signed) {
  if (insn.post_increment) {
    insn.increment = (is_signed ? sign_extend(number, bits) : static_cast<std::int32_t>(number)) * (1 << shift);
  } else {
    op.offset = static_cast<std::uint16_t>(number << shift);
  }
}

DecodeError read_shared(const Row& row, const Field& field, std::uint64_t word, Instruction& insn,
                        std::uint64_t& used) {
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

bool write_shared(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word) {
  const Operand& op = operand(insn, field.role);
  if (op.kind == register_kind(field.width)) {
    if (op.index >> field.pieces[0].width != 0) return false;
    word |= std::uint64_t{op.index} << field.pieces[0].lo;
    return true;
  }
  if (op.kind != OperandKind::kShared) return false;
  unsigned mode = 0;
  while (mode < 4 && kSharedModes[mode] != op.type) ++mode;
  const unsigned offset_bits = field.pieces[0].width - 2u;
  const auto number = element_number(insn, op, log2_bytes(op.type), offset_bits, true);
  if (mode == 4 || !number) return false;
  word |= std::uint64_t{mode << offset_bits | *number} << field.pieces[0].lo | field.pieces[1].mask();
  return write_address(row, insn, word);
}

DecodeError read_const(const Row& row, const Field& field, std::uint64_t word, Instruction& insn, std::uint64_t& used) {
  Operand& op = operand(insn, field.role);
  const bool is_long = row.form == Form::kLong;
  const std::uint32_t select = kConstSelect.get(word);
  // Both select bits are set: with an s[] operand in a long form, both sources are registers. All else is for graphics.
  if (select == 3 && !(is_long && kSharedSelectLong.get(word) != 0)) return DecodeError::kGraphicsOnly;
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

bool write_const(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word) {
  const Operand& op = operand(insn, field.role);
  const bool is_long = row.form == Form::kLong;
  const bool second = field.kind == FieldKind::kConst2;
  if (op.kind == register_kind(field.width)) {
    if (op.index >> (is_long ? 7 : 6) != 0) return false;
    word |= std::uint64_t{op.index} << field.pieces[0].lo;
    return true;
  }
  if (op.kind != OperandKind::kConst || op.bank >> field.pieces[1].width != 0) return false;
  if ((word & (second ? kConst3Bit : kConst2Bit)) != 0 && is_long) return false;  // one c[] operand per instruction
  if (!is_long && (word & kConst3Bit) != 0) return false;                         // short forms: s[] or c[], not both
  const unsigned shift = field.width == 16 ? 1 : 2;
  const bool direct = insn.src[0].kind == OperandKind::kShared;
  Instruction plain = insn;
  if (direct) plain.post_increment = false;
  const auto number = element_number(plain, op, shift, field.pieces[0].width, true);
  if (!number) return false;
  word |= std::uint64_t{*number} << field.pieces[0].lo | std::uint64_t{op.bank} << field.pieces[1].lo;
  word |= second ? kConst2Bit : kConst3Bit;
  return write_address(row, insn, word);  // with s[]: the same $a once more
}

// Type of the memory operand of a load or store instruction of c[], s[] or l[].
MemType memory_type(const Field& field, std::uint64_t word, const Instruction& insn) {
  if (field.words[0] == "l") return insn.mem_type;
  if (field.width == 0) return kSharedModes[field.pieces[1].get(word)];
  return field.width == 8 ? MemType::kU8 : field.width == 16 ? MemType::kU16 : MemType::kB32;
}

unsigned memory_shift(const Field& field, MemType type) { return field.words[0] == "l" ? 0 : log2_bytes(type); }

DecodeError read_memory(const Row& row, const Field& field, std::uint64_t word, Instruction& insn,
                        std::uint64_t& used) {
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

bool write_memory(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word) {
  const Operand& op = operand(insn, field.role);
  const char space = field.words[0][0];
  const OperandKind kind = space == 'c'   ? OperandKind::kConst
                           : space == 's' ? OperandKind::kShared
                                          : OperandKind::kLocal;
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
  const auto number = element_number(insn, op, shift, offset.width, false);
  if (!number) return false;
  word |= std::uint64_t{*number} << offset.lo;
  if (space == 'c') {
    if (op.bank > 15) return false;
    word |= std::uint64_t{op.bank} << field.pieces[2].lo;
  }
  return write_address(row, insn, word);
}

}  // namespace

DecodeError read_memory_field(const Row& row, const Field& field, std::uint64_t word, Instruction& insn,
                              std::uint64_t& used) {
  if (field.kind == FieldKind::kShared) return read_shared(row, field, word, insn, used);
  if (field.kind == FieldKind::kMemory) return read_memory(row, field, word, insn, used);
  return read_const(row, field, word, insn, used);
}

bool write_memory_field(const Row& row, const Field& field, const Instruction& insn, std::uint64_t& word) {
  if (field.kind == FieldKind::kShared) return write_shared(row, field, insn, word);
  if (field.kind == FieldKind::kMemory) return write_memory(row, field, insn, word);
  return write_const(row, field, insn, word);
}

}  // namespace g80::isa
