// SPDX-License-Identifier: Apache-2.0
// Common code of the passes over LLVM's assembly language.
#pragma once
#include <algorithm>
#include <string_view>

namespace g80::cuda {

inline bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// Calls `visit` with each line, its end included.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    visit(text.substr(0, length));
    text.remove_prefix(length);
  }
}

/// The end of the name that begins at `at` (with its '%' or '@').
inline std::size_t name_end(std::string_view text, std::size_t at) {
  return std::min(text.size(),
                  text.find_first_not_of("-._$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1));
}
inline std::string_view name_at(std::string_view text, std::size_t at) {
  return text.substr(at, name_end(text, at) - at);
}

/// Calls `visit` with each %name in the text until it returns true.
template <class Visit>
bool any_name(std::string_view text, Visit visit) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    if (visit(name_at(text, at))) return true;
  }
  return false;
}

/// The place of the next comma that is inside no bracket; the length of the text if there is none.
inline std::size_t next_comma(std::string_view text, std::size_t at = 0) {
  for (int depth = 0; at < text.size(); ++at) {
    const char c = text[at];
    depth += (c == '(' || c == '[' || c == '{' || c == '<') - (c == ')' || c == ']' || c == '}' || c == '>');
    if (depth < 0 || (c == ',' && depth == 0)) break;
  }
  return at;
}

}  // namespace g80::cuda
