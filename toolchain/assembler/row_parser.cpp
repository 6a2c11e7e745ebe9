// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/row_parser.h"

#include <fmt/format.h>

#include "hw/isa/condition_names.h"
#include "hw/isa/field_codec.h"

namespace g80::isa {
namespace {

bool is_word_char(char c) { return is_name_char(c) || c == '#'; }

// Decimal number of at most three digits, or -1.
int small_number(std::string_view digits) {
  if (digits.empty() || digits.size() > 3) return -1;
  int value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace

bool RowParser::fail(std::size_t position, std::string message) {
  if (refused_) return false;
  if (!failed_ || position > problem_.position) problem_ = {position, std::move(message)};
  failed_ = true;
  return false;
}

// A register that another row wants at the same place says less.
bool RowParser::fail_to_fit(std::size_t start, unsigned bits) {
  std::size_t end = position_;
  while (text_[end - 1] == ' ' || text_[end - 1] == '\t') --end;
  if (failed_ && problem_.position == start) failed_ = false;
  return fail(start, fmt::format("'{}' does not fit {} bits", text_.substr(start, end - start), bits));
}

void RowParser::skip_spaces() {
  while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
}

std::string_view RowParser::peek_word() {
  skip_spaces();
  std::size_t end = position_;
  while (end < text_.size() && is_word_char(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

std::string_view RowParser::take_word() {
  const std::string_view word = peek_word();
  position_ += word.size();
  return word;
}

bool RowParser::take_char(char c) {
  skip_spaces();
  if (position_ >= text_.size() || text_[position_] != c) return false;
  ++position_;
  return true;
}

bool RowParser::expect_char(char c) { return take_char(c) || fail(position_, fmt::format("'{}' is expected here", c)); }

bool RowParser::read_prefix() {
  while (true) {
    const std::size_t start = position_;
    if (take_char('(')) {
      const std::string_view word = take_word();
      unsigned code = 0;
      while (code < 32 && (kConditionNames[code] != word || code == kAlways)) ++code;
      if (word == "lnone" || (word.size() > 1 && word[0] == 'l' && word[1] >= '0' && word[1] <= '3')) {
        has_lanes_ = true;
        prefix_.lane_mask = 0;
        for (const char c : word.substr(word == "lnone" ? word.size() : 1)) {
          if (c < '0' || c > '3') return fail(start, "a lane mask contains lanes 0 to 3");
          prefix_.lane_mask = static_cast<std::uint8_t>(prefix_.lane_mask | 1u << (c - '0'));
        }
      } else if (code < 32) {
        has_guard_ = true;
        prefix_.cond = static_cast<std::uint8_t>(code);
        unsigned flags = 0;
        if (code != 0 && !match_indexed("$c", 3, flags)) return fail(position_, "a flag register $c0..$c3 is expected");
        prefix_.flag_src = static_cast<std::uint8_t>(flags);
      } else {
        return fail(start, fmt::format("'{}' is not a condition", word));
      }
      if (!expect_char(')')) return false;
      continue;
    }
    const std::string_view word = peek_word();
    if (word != "exit" && word != "join") {
      body_ = position_;
      mnemonic_ = word;
      return !word.empty() || fail(position_, "an instruction is expected");
    }
    (word == "exit" ? prefix_.exit : prefix_.join) = true;
    if (prefix_.exit && prefix_.join) return fail(position_, "exit and join exclude each other");
    take_word();
  }
}

bool RowParser::match(const Row& row, Instruction& insn) {
  position_ = body_;
  results_empty_ = false;
  insn = prefix_;
  insn.op = row.op;
  insn.form = row.form;
  insn.unit = row.unit;
  insn.bytes = (row.match & 1) != 0 ? 8 : 4;
  for (const auto& [role, value] : row.fixed) set_role(insn, role, value);
  if (has_guard_ && !row.guarded) return fail(body_, "this form of the instruction takes no condition");
  if ((prefix_.exit || prefix_.join) && row.form != Form::kLong)
    return fail(body_, "this form of the instruction cannot carry exit or join");
  bool takes_lanes = false;
  for (const Item& item : row.items) {
    if (item.field != nullptr && item.field->kind == FieldKind::kLanes) {
      takes_lanes = true;
    } else if (!match_item(item, insn)) {
      return false;
    }
  }
  if (has_lanes_ && !takes_lanes) return fail(body_, "only the long mov takes a lane mask");
  skip_spaces();
  return position_ == text_.size() || fail(position_, "unexpected text after the instruction");
}

bool RowParser::match_item(const Item& item, Instruction& insn) {
  if (item.opens && !expect_char('(')) return false;
  if (item.field != nullptr) {
    if (!match_field(*item.field, insn)) return false;
  } else {
    const std::size_t start = position_;
    if (take_word() != item.text) {
      position_ = start;
      skip_spaces();
      return fail(position_, fmt::format("'{}' is expected here", item.text));
    }
  }
  return !item.closes || expect_char(')');
}

bool RowParser::match_indexed(std::string_view prefix, unsigned limit, unsigned& index) {
  const std::string_view word = peek_word();
  if (word.substr(0, prefix.size()) != prefix) return false;
  const int value = small_number(word.substr(prefix.size()));
  if (value < 0 || static_cast<unsigned>(value) > limit) return false;
  index = static_cast<unsigned>(value);
  take_word();
  return true;
}

bool RowParser::match_number(std::int64_t& value) {
  skip_spaces();
  TextProblem problem;
  const std::optional<std::int64_t> result = evaluate(text_, position_, symbols_, problem);
  if (!result) return fail(problem.position, problem.message);
  value = *result;
  return true;
}

bool RowParser::match_field(const Field& field, Instruction& insn) {
  skip_spaces();
  const std::size_t start = position_;
  unsigned index = 0;
  std::int64_t value = 0;
  switch (field.kind) {
    case FieldKind::kFlag:
      if (peek_word() == field.words[0]) {
        take_word();
        set_role(insn, field.role, 1);
      }
      return true;
    case FieldKind::kWords:
    case FieldKind::kWordOrFirst: return match_words(field, insn);
    case FieldKind::kNumber:
      if (!match_number(value)) return false;
      if (value < 0 || value >= std::int64_t{1} << (field.bits() + field.width) ||
          (value & ((1 << field.width) - 1)) != 0)
        return fail(start, fmt::format("a number from 0 to 0x{:x}{} is expected",
                                       ((std::int64_t{1} << field.bits()) - 1) << field.width,
                                       field.width != 0 ? fmt::format(", a multiple of {},", 1 << field.width) : ""));
      set_role(insn, field.role, value);
      return true;
    case FieldKind::kOffset: {
      if (start == text_.size()) return true;
      if (!match_number(value)) return false;
      const std::int64_t half = std::int64_t{1} << (field.bits() - 1);
      if (value < -half || value >= half)
        return fail(start, fmt::format("a number from {} to {} is expected", -half, half - 1));
      set_role(insn, field.role, value);
      return true;
    }
    case FieldKind::kUnitNumber: return match_unit_number(field, insn);
    case FieldKind::kRegister: return match_register(field.width, field.pieces[0].width, operand(insn, field.role));
    case FieldKind::kDestination:
      if (peek_word() == "#") {
        take_word();
        insn.dst.kind = OperandKind::kDiscard;
        insn.dst.type = field.width == 16 ? MemType::kU16 : field.width == 64 ? MemType::kB64 : MemType::kB32;
        return true;
      }
      return match_register(field.width, 7, insn.dst);
    case FieldKind::kSameAsDst: {
      Operand& op = operand(insn, field.role);
      if (!match_register(field.width, 7, op)) return false;
      return op.index == insn.dst.index || fail(start, "this operand must be the destination register");
    }
    case FieldKind::kShared: return match_shared(field, insn);
    case FieldKind::kConst2:
    case FieldKind::kConst3:
      if (peek_word().substr(0, 1) == "c") return match_const(field, insn, operand(insn, field.role));
      return match_register(field.width, field.pieces[0].width < 6 ? 6 : 7, operand(insn, field.role));
    case FieldKind::kImmediate: {
      if (start < text_.size() && (text_[start] == '$' || text_[start] == '#'))
        return fail(start, "a number is expected here");
      if (!match_number(value)) return false;
      const std::int64_t low = field.bits() == 32 ? -(std::int64_t{1} << 31) : field.bits() == 16 ? -(1 << 15) : 0;
      if (value < low || value >= std::int64_t{1} << field.bits()) return fail_to_fit(start, field.bits());
      operand(insn, field.role).kind = OperandKind::kImm;
      insn.immediate = static_cast<std::uint32_t>(value) & (field.bits() == 32 ? ~0u : (1u << field.bits()) - 1);
      return true;
    }
    case FieldKind::kAddrSrc:
      if (peek_word() == "0x0" || peek_word() == "0") {
        take_word();
      } else if (!match_indexed("$a", 7, index)) {
        return fail(start, "an address register $a0..$a4 is expected");
      }
      operand(insn, field.role).kind = OperandKind::kAddr;
      operand(insn, field.role).index = static_cast<std::uint8_t>(index);
      return true;
    case FieldKind::kAddrDst:
      if (!match_indexed("$a", 4, index)) return fail(start, "an address register $a1..$a4 is expected");
      insn.dst.kind = OperandKind::kAddr;
      insn.dst.index = static_cast<std::uint8_t>(index);
      return true;
    case FieldKind::kFlagOut:
      insn.writes_flags = match_indexed("$c", 3, index);
      insn.flag_dst = static_cast<std::uint8_t>(index);
      return true;
    case FieldKind::kFlagDst:
      if (!match_indexed("$c", 3, index)) return fail(start, "a flag register $c0..$c3 is expected");
      insn.writes_flags = true;
      insn.flag_dst = static_cast<std::uint8_t>(index);
      return true;
    case FieldKind::kFlagSrc:
      if (!match_indexed("$c", 3, index)) return fail(start, "a flag register $c0..$c3 is expected");
      if (has_guard_ && prefix_.cond != 0 && prefix_.flag_src != index)
        return fail(start, "the condition and the carry come from the same flag register");
      insn.flag_src = static_cast<std::uint8_t>(index);
      return true;
    case FieldKind::kSpecial: {
      const std::string_view word = peek_word();
      for (std::size_t i = 0; i < field.words.size(); ++i)
        if (field.words[i] == word) {
          take_word();
          insn.src[0].kind = OperandKind::kSpecial;
          insn.src[0].index = static_cast<std::uint8_t>(i);
          return true;
        }
      return fail(start, "a special register is expected");
    }
    case FieldKind::kMemory: return match_memory(field, insn);
    case FieldKind::kGlobal: return match_global(field, insn);
    case FieldKind::kTexDst: return match_results(field, insn);
    case FieldKind::kTexSrc: return match_sources(insn);
    case FieldKind::kLanes: break;
  }
  return true;
}

bool RowParser::match_words(const Field& field, Instruction& insn) {
  const std::string_view word = peek_word();
  std::string choices;
  for (std::size_t i = 0; i < field.words.size(); ++i) {
    if (field.values[i] < 0) continue;
    if (field.words[i] == word) {
      take_word();
      set_role(insn, field.role, field.values[i]);
      return true;
    }
    choices += (choices.empty() ? "" : " ") + std::string(field.words[i]);
  }
  if (field.kind == FieldKind::kWordOrFirst) return true;
  return fail(position_, fmt::format("one of {} is expected here", choices));
}

// "$t3", "$tNAME" or a plain number.
bool RowParser::match_unit_number(const Field& field, Instruction& insn) {
  const std::size_t start = position_;
  const std::string_view word = peek_word();
  std::int64_t value = 0;
  if (word.substr(0, 2) == field.words[0]) {
    position_ += 2;
  } else if (word.empty() || word[0] == '$') {
    return fail(start, fmt::format("{}<number> is expected here", field.words[0]));
  }
  if (!match_number(value)) return false;
  if (value < 0 || value >> field.bits() != 0)
    return fail(start, fmt::format("a number from 0 to {} is expected", (1 << field.bits()) - 1));
  set_role(insn, field.role, value);
  return true;
}

bool RowParser::match_register(unsigned width, unsigned bits, Operand& op) {
  const std::size_t start = position_;
  std::string_view word = peek_word();
  const char suffix = width == 64 ? 'd' : width == 128 ? 'q' : '\0';
  const char* const shape = width == 16    ? "a half register ($r0l..)"
                            : width == 64  ? "a register pair ($r0d..)"
                            : width == 128 ? "a register quad ($r0q..)"
                                           : "a register ($r0..)";
  const auto wrong = [&] { return fail(start, fmt::format("{} is expected here", shape)); };
  if (word.size() < 3 || word.substr(0, 2) != "$r") return wrong();
  const std::size_t length = word.size();
  bool high = false;
  if (width == 16) {
    if (word.back() != 'l' && word.back() != 'h') return wrong();
    high = word.back() == 'h';
  } else if (suffix != '\0' && word.back() != suffix) {
    return wrong();
  }
  if (width != 32) word.remove_suffix(1);
  int number = small_number(word.substr(2));
  if (number < 0) return wrong();
  if (width == 16) number = number * 2 + (high ? 1 : 0);
  if (number >> bits != 0)
    return fail(start, fmt::format("this form cannot encode register '{}'", text_.substr(start, length)));
  op.kind = width == 16    ? OperandKind::kHalf
            : width == 64  ? OperandKind::kPair
            : width == 128 ? OperandKind::kQuad
                           : OperandKind::kReg;
  op.index = static_cast<std::uint8_t>(number);
  take_word();
  return true;
}

}  // namespace g80::isa
