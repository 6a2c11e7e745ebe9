// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/source_line.h"

#include <fmt/format.h>

#include "toolchain/cubin/module.h"

namespace g80 {

void SourceLine::fail(std::size_t position, const std::string& message) const {
  throw SourceError(fmt::format("{}:{}:{}: {}", *filename_, number_, position + 1, message));
}

void SourceLine::skip_spaces() {
  while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
}

std::string_view SourceLine::rest() {
  skip_spaces();
  return text_.substr(position_);
}

bool SourceLine::at_end() {
  skip_spaces();
  return position_ == text_.size();
}

bool SourceLine::take(char c) {
  skip_spaces();
  if (position_ == text_.size() || text_[position_] != c) return false;
  ++position_;
  return true;
}

std::string_view SourceLine::peek_word() {
  skip_spaces();
  std::size_t end = position_;
  while (end < text_.size() && isa::is_name_char(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

std::string_view SourceLine::take_word() {
  const std::string_view word = peek_word();
  position_ += word.size();
  return word;
}

std::string SourceLine::take_name(std::string_view what) {
  const std::string_view word = peek_word();
  if (word.empty() || !isa::is_name_start(word[0])) fail(position_, fmt::format("{} is expected here", what));
  return std::string(take_word());
}

std::string SourceLine::take_ptx_name(std::string_view what) {
  const bool is_marked = rest().substr(0, 1) == "%";
  const std::size_t start = position_;
  if (is_marked) ++position_;
  const std::string_view word = take_word();
  if (word.empty() || !(is_marked || word[0] == '$' || isa::is_name_start(word[0])))
    fail(start, fmt::format("{} is expected here", what));
  return std::string(text_.substr(start, position_ - start));
}

std::int64_t SourceLine::take_number(const isa::SymbolLookup& symbols, std::int64_t low, std::int64_t high,
                                     std::string_view what) {
  skip_spaces();
  const std::size_t start = position_;
  isa::TextProblem problem;
  const auto value = isa::evaluate(text_, position_, symbols, problem);
  if (!value) fail(problem.position, problem.message);
  if (*value < low || *value > high) {
    // A number as it is written, because one of 64 bits may have become negative; a name by its value.
    const std::string_view written = text_.substr(start, position_ - start);
    const bool is_name = isa::is_name_start(written[0]);
    fail(start, fmt::format("{} is {}, outside {} to {}", what, is_name ? std::to_string(*value) : std::string(written),
                            low, high));
  }
  return *value;
}

void SourceLine::expect_end() {
  if (!at_end()) fail(position_, fmt::format("unexpected '{}' at the end of this line", text_.substr(position_)));
}

std::vector<SourceLine> source_lines(std::string_view text, const std::string& filename) {
  std::vector<SourceLine> lines;
  unsigned number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    line = line.substr(0, std::min(line.find("//"), line.find(';')));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.remove_suffix(1);
    for (std::size_t i = 0; i < line.size(); ++i)
      if ((static_cast<unsigned char>(line[i]) < 0x20 && line[i] != '\t') || static_cast<unsigned char>(line[i]) > 0x7e)
        SourceLine(filename, number, line).fail(i, "this character is not allowed in assembly source");
    if (line.find_first_not_of(" \t") != std::string_view::npos) lines.emplace_back(filename, number, line);
  }
  return lines;
}

}  // namespace g80
