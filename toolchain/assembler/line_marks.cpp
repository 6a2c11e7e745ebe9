// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/line_marks.h"

#include <string>

#include "toolchain/assembler/line_assembler.h"

namespace g80::isa {
namespace {

struct Word {
  std::size_t position;
  std::string_view text;
};

Word next_word(std::string_view text, std::size_t position) {
  const std::size_t start = text.find_first_not_of(" \t", position);
  if (start == std::string_view::npos) return {text.size(), {}};
  const std::size_t end = text.find_first_of(" \t", start);
  return {start, text.substr(start, end == std::string_view::npos ? end : end - start)};
}

}  // namespace

LineMarks read_marks(std::string_view text) {
  LineMarks marks;
  marks.begin = text.size();
  for (std::size_t i = 1; i < text.size(); ++i)
    if (text[i] == '.' && (text[i - 1] == ' ' || text[i - 1] == '\t')) {
      marks.begin = i;
      break;
    }
  std::size_t position = marks.begin;
  while (true) {
    Word word = next_word(text, position);
    if (word.text.empty()) break;
    position = word.position + word.text.size();
    if (word.text == ".short") {
      marks.wants_short = true;
    } else if (word.text == ".long") {
      marks.wants_long = true;
    } else if (word.text == ".raw") {
      marks.has_raw = true;
      std::uint32_t* const raw[2] = {&marks.raw0, &marks.raw1};
      for (int i = 0; i < 2; ++i) {
        word = next_word(text, position);
        if (word.text.empty() || word.text[0] == '.') {
          if (i == 0) throw AssemblyError(position + 1, ".raw needs one or two numbers");
          break;
        }
        TextProblem problem;
        std::size_t at = word.position;
        const std::optional<std::int64_t> value = evaluate(text, at, {}, problem);
        if (!value || *value < 0 || *value > 0xffffffff)
          throw AssemblyError(word.position + 1, value ? "a 32-bit number is expected" : problem.message);
        *raw[i] = static_cast<std::uint32_t>(*value);
        position = at;
      }
    } else {
      throw AssemblyError(word.position + 1,
                          "unknown mark '" + std::string(word.text) + "' (known: .short .long .raw)");
    }
  }
  if (marks.wants_short && marks.wants_long)
    throw AssemblyError(marks.begin + 1, ".short and .long exclude each other");
  return marks;
}

}  // namespace g80::isa
