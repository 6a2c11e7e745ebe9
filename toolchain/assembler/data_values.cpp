// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/data_values.h"

#include <cstdlib>

#include "hw/isa/float_bits.h"

namespace g80 {
namespace {

// "1.5", "-3", "1e-3" (no hex, no trailing f): the length of the literal at the start of `text`, or 0.
std::size_t decimal_length(std::string_view text) {
  std::size_t i = !text.empty() && text[0] == '-' ? 1 : 0;
  const std::size_t digits = i;
  while (i < text.size()) {
    const char c = text[i];
    const bool sign = (c == '+' || c == '-') && (text[i - 1] == 'e' || text[i - 1] == 'E') && i > digits;
    if ((c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && !sign) break;
    ++i;
  }
  const bool ends = i == text.size() || text[i] == ',' || text[i] == ' ' || text[i] == '\t';
  return ends && i > digits && text[digits] >= '0' && text[digits] <= '9' ? i : 0;
}

std::uint64_t take_float(SourceLine& line, DataType type, std::size_t length) {
  const std::string literal(line.rest().substr(0, length));
  const std::size_t start = line.position();
  char* end = nullptr;
  std::uint64_t bits = 0;
  if (type == DataType::kF64) {
    bits = isa::bits_of(std::strtod(literal.c_str(), &end));
  } else {
    bits = isa::bits_of(std::strtof(literal.c_str(), &end));
  }
  if (*end != '\0') line.fail(start, "'" + literal + "' is not a number");
  for (std::size_t i = 0; i < length; ++i) line.take(literal[i]);
  return bits;
}

}  // namespace

std::vector<std::uint8_t> take_values(SourceLine& line, DataType type, const isa::SymbolLookup& symbols) {
  std::vector<std::uint8_t> bytes;
  const unsigned size = data_type_bytes(type);
  const bool is_float = type == DataType::kF32 || type == DataType::kF64;
  do {
    const std::size_t decimal = is_float ? decimal_length(line.rest()) : 0;
    std::uint64_t value = 0;
    if (decimal != 0) {
      value = take_float(line, type, decimal);
    } else {
      const std::int64_t low = size == 8 ? INT64_MIN : -(std::int64_t{1} << (8 * size - 1));
      const std::int64_t high = size == 8 ? INT64_MAX : (std::int64_t{1} << (8 * size)) - 1;
      value = static_cast<std::uint64_t>(line.take_number(symbols, low, high, "the value"));
    }
    for (unsigned i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  } while (line.take(','));
  return bytes;
}

std::vector<std::uint32_t> words_of(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= std::uint32_t{bytes[i]} << (8 * (i % 4));
  return words;
}

}  // namespace g80
