// SPDX-License-Identifier: Apache-2.0
// Reads the tab-separated result vectors that a user may have beside the project.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace g80::conformance {

using Row = std::vector<std::string>;

/// Rows of DIR/name without comments; nothing if the file is absent.
inline std::optional<std::vector<Row>> read_rows(const std::string& directory, const std::string& name) {
  std::ifstream file(directory + "/" + name);
  if (!file) return std::nullopt;
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    Row row(1);
    for (const char c : line) {
      if (c == '\t') {
        row.emplace_back();
      } else if (c != '\r') {
        row.back() += c;
      }
    }
    rows.push_back(row);
  }
  return rows;
}

inline std::uint64_t hex(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 16); }
inline std::uint32_t hex32(const std::string& text) { return static_cast<std::uint32_t>(hex(text)); }

/// "aaaaaaaa bbbbbbbb" to words.
inline std::vector<std::uint32_t> hex_words(const std::string& text) {
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t space = text.find_first_of(" ,", i);
    const std::size_t end = space == std::string::npos ? text.size() : space;
    if (end > i) words.push_back(hex32(text.substr(i, end - i)));
    i = end + 1;
  }
  return words;
}

}  // namespace g80::conformance
