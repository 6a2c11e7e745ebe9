// SPDX-License-Identifier: Apache-2.0
// Machine code as text: lines of hex words, and whole modules as source that assembles back to the same words.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>

#include "toolchain/cubin/module.h"
#include "toolchain/cubin/source_text.h"

namespace g80 {

/// A line of hex words as text: the instruction, or "error: <reason>".
struct WordsText {
  std::string text;
  bool is_words = true;  // false: the line is not one or two hex words
};
/// "w0" or "w0 w1" in hex (0x optional).
WordsText disassemble_words_line(std::string_view line, isa::Arch arch);

/// One line of words in, one line of text out. Returns the number of the first line that is not words, or 0.
unsigned disassemble_words(std::istream& in, std::ostream& out, isa::Arch arch);

/// The module as .sasm source: assemble() of it gives the same code words, sizes, constants, variables and textures.
/// With `source`, every run of instructions of one source line has that line in front as a comment.
std::string list_module(const Module& module, SourceText* source = nullptr);

}  // namespace g80
