// SPDX-License-Identifier: Apache-2.0
// The commands `g80 asm` and `g80 disasm`, without the command line: read files, write text.
//
// Bad input is a SourceError. A path "-" is standard input or output.
#pragma once
#include <iosfwd>
#include <string>

#include "hw/isa/encoding.h"

namespace g80 {

/// A .sasm source to a text cubin.
void assemble_command(const std::string& source_path, const std::string& cubin_path);

/// A cubin (or .sasm source) to source that assembles to the same words; `with_source` puts the lines it was made from
/// between the instructions.
void disassemble_command(const std::string& path, bool with_source, std::ostream& out);

/// One line of text for every line of one or two hex words. An illegal encoding is the line "error: <reason>"; a line
/// that is not words is one too, and a SourceError names the first of them after the last line.
void disassemble_words_command(const std::string& path, isa::Arch arch, std::ostream& out);

}  // namespace g80
