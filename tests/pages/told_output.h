// SPDX-License-Identifier: Apache-2.0
// What a page says that a command prints, where a line of three dots stands for any lines.
#pragma once
#include <cstddef>
#include <istream>
#include <string>
#include <vector>

namespace g80::test {

using Lines = std::vector<std::string>;

inline Lines lines_of(std::istream&& text) {
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The lines from `line` on are those told from `told` on.
inline bool are_as_told(const Lines& lines, const Lines& expected, std::size_t line = 0, std::size_t told = 0) {
  if (told == expected.size()) return line == lines.size();
  if (expected[told] == "...") {
    return are_as_told(lines, expected, line, told + 1) ||
           (line < lines.size() && are_as_told(lines, expected, line + 1, told));
  }
  return line < lines.size() && lines[line] == expected[told] && are_as_told(lines, expected, line + 1, told + 1);
}

}  // namespace g80::test
