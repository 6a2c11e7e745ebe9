// SPDX-License-Identifier: Apache-2.0
#include "app/run/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace g80 {

std::size_t terminal_width(int descriptor) {
  constexpr std::size_t kUnknown = 80;  // a terminal that does not say
  if (::isatty(descriptor) == 0) return 0;
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : kUnknown;
}

std::string coloured(std::string_view text, Colour colour, int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  if (::isatty(descriptor) == 0 || (refused != nullptr && *refused != '\0')) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<unsigned>(colour), text);
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
