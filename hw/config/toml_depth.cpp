// SPDX-License-Identifier: Apache-2.0
#include "hw/config/toml_depth.h"

#include <algorithm>
#include <cctype>

namespace g80 {
namespace {

/// Position behind the string that starts at `at`. If the text is not TOML, toml++ stops here or earlier with an error.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view three = text.substr(at, 3);
  const bool multi_line = three.size() == 3 && three[1] == quote && three[2] == quote;
  for (std::size_t i = at + (multi_line ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (multi_line ? text.substr(i, 3) == three : text[i] == quote) {
      i += multi_line ? 3 : 1;
      while (multi_line && i < text.size() && text[i] == quote) ++i;  // quotes may stand before the closing three
      return i;
    } else if (!multi_line && text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

}  // namespace

unsigned line_of_too_deep_key(std::string_view text) {
  unsigned dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_string(text, i);
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else {
      const bool part_of_key =
          std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == ' ' || c == '\t';
      if (c == '.' && ++dots > kMaxKeyDots)
        return 1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n'));
      if (c != '.' && !part_of_key) dots = 0;
      ++i;
    }
  }
  return 0;
}

}  // namespace g80
