// SPDX-License-Identifier: Apache-2.0
// Disassembles lines of hex words.
#include <fmt/format.h>

#include <istream>
#include <optional>
#include <ostream>

#include "hw/isa/disassembler.h"
#include "input/hex_digit.h"
#include "toolchain/assembler/listing.h"

namespace g80 {
namespace {

std::string_view next_word(std::string_view& text) {
  const std::size_t start = text.find_first_not_of(" \t\r,");
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start);
  const std::size_t end = std::min(text.size(), text.find_first_of(" \t\r,"));
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::optional<std::uint32_t> parse_hex(std::string_view word) {
  if (word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) word.remove_prefix(2);
  if (word.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : word) {
    const int digit = hex_digit(c);
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<unsigned>(digit);
    if (value > 0xffffffffu) return std::nullopt;
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace

WordsText disassemble_words_line(std::string_view line, isa::Arch arch) {
  std::uint32_t words[2] = {0, 0};
  unsigned count = 0;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    const std::optional<std::uint32_t> value = parse_hex(word);
    if (!value) return {fmt::format("error: '{}' is not a 32-bit hex word", word), false};
    if (count == 2) return {"error: an instruction has one or two words", false};
    words[count++] = *value;
  }
  if (count == 0) return {"error: no word on this line", false};
  if (isa::is_long(words[0]) && count == 1) return {"error: the second word of a long instruction is missing", false};
  if (!isa::is_long(words[0]) && count == 2) return {"error: a short instruction has one word", false};
  isa::Instruction insn;
  const isa::DecodeError error = isa::decode(words[0], words[1], arch, insn);
  if (!isa::has_text(insn, error)) return {fmt::format("error: {}", isa::decode_error_text(error))};
  return {isa::disassemble(insn)};
}

unsigned disassemble_words(std::istream& in, std::ostream& out, isa::Arch arch) {
  unsigned number = 0, first_bad = 0;
  for (std::string line; std::getline(in, line);) {
    const WordsText result = disassemble_words_line(line, arch);
    ++number;
    if (!result.is_words && first_bad == 0) first_bad = number;
    out << result.text << '\n';
  }
  return first_bad;
}

}  // namespace g80
