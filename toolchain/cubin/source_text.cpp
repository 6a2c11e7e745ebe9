// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cubin/source_text.h"

#include <algorithm>

#include "toolchain/cubin/module.h"

namespace g80 {
namespace {

std::string shown(std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(first);
  std::string text;
  // Listings are shown on a terminal, so control characters become spaces.
  for (const char c : line) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  try {
    const std::string text = read_text_file(file);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines.push_back(shown(std::string_view(text).substr(at, end - at)));
      at = end + 1;
    }
  } catch (const SourceError&) {
    lines.clear();
  }
  return lines;
}

}  // namespace

std::optional<std::string_view> SourceText::line(const SourcePlace& place) {
  auto found = files_.find(place.file);
  if (found == files_.end()) found = files_.emplace(place.file, lines_of(std::string(place.file))).first;
  if (place.line == 0 || place.line > found->second.size()) return std::nullopt;
  return found->second[place.line - 1];
}

}  // namespace g80
