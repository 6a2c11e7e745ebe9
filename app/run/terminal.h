// SPDX-License-Identifier: Apache-2.0
// The terminal, if there is one: its width and colours; words of the shell in it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace g80 {

/// Columns of the terminal behind a file descriptor; 0: it is none. COLUMNS is not asked: shells do not export it.
std::size_t terminal_width(int descriptor);

/// Lines that are longer than `width` end there; 0: all stay as they are.
std::string cut_lines(const std::string& text, std::size_t width);

/// Lines that are longer than `width` go on below, `indent` columns in, from word to word; 0: all stay as they are.
std::string fold_lines(const std::string& text, std::size_t indent, std::size_t width);

enum class Colour : unsigned char { kRed = 31, kGreen = 32, kYellow = 33 };
/// The text in a colour, if the descriptor is a terminal and NO_COLOR (https://no-color.org) is not set.
std::string coloured(std::string_view text, Colour colour, int descriptor);

/// Asks a question that the user answers with y or n, on standard output and input.
bool confirmed(const std::string& question);

/// The text as one word of a shell: in quotes if it needs them.
std::string shell_word(const std::string& text);

}  // namespace g80
