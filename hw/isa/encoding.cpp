// SPDX-License-Identifier: Apache-2.0
// Words to Instruction and back, by walking the rows of opcodes.def.
#include "hw/isa/encoding.h"

#include <stdexcept>
#include <string>

#include "hw/isa/field_codec.h"
#include "hw/isa/instruction_compare.h"
#include "hw/isa/opcode_table.h"
#include "hw/isa/row_encoding.h"

namespace g80::isa {
namespace {

bool reads_flags(const Row& row) {
  for (const Field* field : row.fields)
    if (field->kind == FieldKind::kFlagSrc) return true;
  return false;
}

// A guard of always or never reads no flag register.
bool guard_reads_flags(std::uint8_t cond) { return cond != kAlways && cond != kNever; }

void read_guard(const Row& row, std::uint64_t word, Instruction& insn, std::uint64_t& used) {
  insn.cond = static_cast<std::uint8_t>(kCondition.get(word));
  used |= kCondition.mask();
  if (guard_reads_flags(insn.cond)) {
    insn.flag_src = static_cast<std::uint8_t>(kConditionFlags.get(word));
    used |= kConditionFlags.mask();
  }
  if (row.form == Form::kLong) {
    insn.exit = kExitJoin.get(word) == 1;
    insn.join = kExitJoin.get(word) == 2;
    used |= kExitJoin.mask();
  }
}

// The error of an s[] operand whose size or sign is not that of the operation.
DecodeError check_shared_operand(const Row& row, const Instruction& insn) {
  if (insn.src[0].kind != OperandKind::kShared) return DecodeError::kNone;
  const MemType type = insn.src[0].type;
  for (const Field* field : row.fields) {
    if (field->kind != FieldKind::kShared) continue;
    if (insn.src_type == NumType::kU8 || insn.src_type == NumType::kS8)
      return type == MemType::kU8 ? DecodeError::kNone : DecodeError::kIllegalMemoryByte;
    if (field->width != 16) return DecodeError::kNone;
    if (type == MemType::kB32) return DecodeError::kIllegalMemorySize;
    if (insn.src_type == NumType::kU16 && type == MemType::kS16) return DecodeError::kIllegalMemorySign;
    if (insn.src_type == NumType::kS16 && type == MemType::kU16) return DecodeError::kIllegalMemorySign;
  }
  return DecodeError::kNone;
}

// True if another row has the same fields and encode() chooses that row. The bits that differ then count as ignored.
bool has_twin_row(const Row& row, const Instruction& insn) {
  const bool from_byte = insn.src_type == NumType::kU8 || insn.src_type == NumType::kS8;
  return row.alias || (from_byte && insn.src[0].kind == OperandKind::kShared);  // a byte of s[] has no register width
}

bool fixed_values_match(const Row& row, const Instruction& insn) {
  for (const auto& [role, value] : row.fixed)
    if (get_role(insn, role) != value) return false;
  return true;
}

}  // namespace

std::optional<Arch> parse_arch(std::string_view name) {
  if (name == "sm_10") return Arch::kSm10;
  if (name == "sm_11") return Arch::kSm11;
  if (name == "sm_12") return Arch::kSm12;
  if (name == "sm_13") return Arch::kSm13;
  return std::nullopt;
}

std::string_view arch_name(Arch arch) {
  constexpr std::string_view kNames[] = {"sm_10", "sm_11", "sm_12", "sm_13"};
  return kNames[static_cast<unsigned>(arch)];
}

std::string_view decode_error_text(DecodeError error) {
  switch (error) {
    case DecodeError::kNone: return "no error";
    case DecodeError::kIllegalOpcode: return "illegal opcode";
    case DecodeError::kIllegalPostIncrement: return "illegal post-increment";
    case DecodeError::kIllegalMemoryByte: return "illegal memory byte access";
    case DecodeError::kIllegalMemorySign: return "illegal memory operand sign";
    case DecodeError::kIllegalMemorySize: return "illegal memory operand size";
    case DecodeError::kGraphicsOnly: return "graphics-only instruction";
    case DecodeError::kUnalignedLong: return "unaligned long instruction";
  }
  return "unknown error";
}

namespace {

DecodeError decode_fields(std::uint32_t w0, std::uint32_t w1, Arch arch, Instruction& out, bool resolve_twins) {
  out = Instruction{};
  const Row* row = OpcodeTable::get().find(w0, w1);
  if (row == nullptr) return DecodeError::kIllegalOpcode;
  if (row->graphics) return DecodeError::kGraphicsOnly;
  if (row->arch > arch) return DecodeError::kIllegalOpcode;

  const bool long_word = is_long(w0);
  const std::uint64_t word = long_word ? std::uint64_t{w1} << 32 | w0 : w0;
  out.op = row->op;
  out.form = row->form;
  out.unit = row->unit;
  out.bytes = long_word ? 8 : 4;
  for (const auto& [role, value] : row->fixed) set_role(out, role, value);
  std::uint64_t used = row->mask;
  if (row->guarded) read_guard(*row, word, out, used);
  DecodeError refused = DecodeError::kNone;
  for (const Field* field : row->fields) {
    const DecodeError error = read_field(*row, *field, word, out, used);
    if (error == DecodeError::kIllegalPostIncrement) {
      refused = error;
    } else if (error != DecodeError::kNone) {
      out.op = Op::kInvalid;
      return error;
    }
  }
  if (refused == DecodeError::kNone) refused = check_shared_operand(*row, out);

  const std::uint64_t all = long_word ? ~std::uint64_t{0} : 0xffffffffu;
  std::uint64_t ignored = (word ^ row->fill) & ~used & all;
  if (resolve_twins && has_twin_row(*row, out)) {
    const Words canonical = encode(out);
    ignored = word ^ (std::uint64_t{canonical.w1} << 32 | canonical.w0);
  }
  out.ignored0 = static_cast<std::uint32_t>(ignored);
  out.ignored1 = static_cast<std::uint32_t>(ignored >> 32);
  return refused;
}

}  // namespace

DecodeError decode(std::uint32_t w0, std::uint32_t w1, Arch arch, Instruction& out) {
  return decode_fields(w0, w1, arch, out, true);
}

RowEncoding encode_row(const Row& row, const Instruction& insn) {
  RowEncoding result;
  std::uint64_t word = row.fill;
  if (row.guarded) {
    if (insn.cond > 31 || insn.flag_src > 3) return {"guard", {}};
    word |= std::uint64_t{insn.cond} << kCondition.lo;
    if (guard_reads_flags(insn.cond)) word |= std::uint64_t{insn.flag_src} << kConditionFlags.lo;
    if (row.form == Form::kLong) {
      if (insn.exit && insn.join) return {"exit and join", {}};
      word |= std::uint64_t{insn.exit ? 1u : insn.join ? 2u : 0u} << kExitJoin.lo;
    }
  } else if (insn.cond != kAlways) {
    return {"guard", {}};
  }
  for (const Field* field : row.fields)
    if (!write_field(row, *field, insn, word)) return {field->name, {}};
  result.words = {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), (row.match & 1) != 0};
  return result;
}

namespace {

// Finds the row and the words of `insn`. If there is none, returns null and names the member without an encoding.
const Row* search_row(const Instruction& insn, Words& words, std::string& problem) {
  Instruction wanted = insn;
  wanted.ignored0 = wanted.ignored1 = 0;
  for (const Row* row : OpcodeTable::get().rows_of(insn.op)) {
    if (row->form != insn.form || row->alias || row->graphics || !fixed_values_match(*row, insn)) continue;
    if (!reads_flags(*row) && !(row->guarded && guard_reads_flags(insn.cond))) wanted.flag_src = 0;
    const RowEncoding encoding = encode_row(*row, wanted);
    if (encoding.problem != nullptr) {
      problem = encoding.problem;
      continue;
    }
    Instruction back;
    decode_fields(encoding.words.w0, encoding.words.w1, Arch::kSm13, back, false);
    if (const char* member = first_difference(wanted, back)) {
      problem = member;
      continue;
    }
    words = encoding.words;
    return row;
  }
  return nullptr;
}

}  // namespace

const Row* find_row(const Instruction& insn) {
  Words words;
  std::string problem;
  return search_row(insn, words, problem);
}

Words encode(const Instruction& insn) {
  Words words;
  std::string problem = "op";
  if (search_row(insn, words, problem) == nullptr)
    throw std::invalid_argument("no encoding for this value of " + problem);
  words.w0 ^= insn.ignored0;
  if (words.is_long) words.w1 ^= insn.ignored1;
  return words;
}

}  // namespace g80::isa
