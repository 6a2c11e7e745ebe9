// Machine code as text: lines of hex words, and whole modules as source that assembles back to the same words.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>

#include "kernels/toolchain/cubin/module.h"

namespace g80 {

/// "w0" or "w0 w1" in hex (0x optional) to the instruction's text, or "error: <reason>".
std::string disassemble_words_line(std::string_view line, isa::Arch arch);

/// One line of words in, one line of text out. True if every line was an instruction.
bool disassemble_words(std::istream& in, std::ostream& out, isa::Arch arch);

/// The module as .sasm source: assemble() of it gives the same code words, sizes, constants, variables and textures.
std::string list_module(const Module& module);

}  // namespace g80
