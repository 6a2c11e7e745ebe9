// SPDX-License-Identifier: Apache-2.0
#include "app/run/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace g80 {

std::size_t terminal_width(int descriptor) {
  constexpr std::size_t kUnknown = 80;  // a terminal that does not say
  if (::isatty(descriptor) == 0) return 0;
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : kUnknown;
}

std::string cut_lines(const std::string& text, std::size_t width) {
  if (width == 0) return text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += text.substr(at, std::min(end - at, width));
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string fold_lines(const std::string& text, std::size_t indent, std::size_t width) {
  if (width == 0) return text;
  indent = std::min(indent, width / 2);
  std::string out;
  std::size_t begin = 0;  // of what is left of the line
  for (std::size_t margin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size()), room = width - margin;
    out.append(margin, ' ');
    if (end - begin <= room) {
      out.append(text, begin, end + 1 - begin);
      begin = end + 1;
      margin = 0;
      continue;
    }
    const std::size_t first = text.find_first_not_of(' ', begin);
    std::size_t cut = text.rfind(' ', begin + room);
    if (cut == std::string::npos || cut < first) cut = begin + room;  // a word without end
    out.append(text, begin, text.find_last_not_of(' ', cut - 1) + 1 - begin);
    out += '\n';
    begin = text.find_first_not_of(' ', cut);
    margin = indent;
  }
  return out;
}

std::string coloured(std::string_view text, Colour colour, int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  if (::isatty(descriptor) == 0 || (refused != nullptr && *refused != '\0')) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<unsigned>(colour), text);
}

bool confirmed(const std::string& question) {
  fmt::print("{}? [y/N] ", question);
  std::fflush(stdout);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./=,:+@%") == std::string::npos;
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace g80
