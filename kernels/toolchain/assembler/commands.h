// What `g80 asm` and `g80 disasm` do, without the command line: files in, text out, exit status back.
//
// Status 0: done. Status 2: bad input, with one sentence on `errors`. A path "-" is standard input or output.
#pragma once
#include <iosfwd>
#include <string>

#include "hw/isa/encoding.h"

namespace g80 {

/// A .sasm source to a text cubin.
int assemble_command(const std::string& source_path, const std::string& cubin_path, std::ostream& errors);

/// A cubin (or .sasm source) to source that assembles to the same words.
int disassemble_command(const std::string& path, std::ostream& out, std::ostream& errors);

/// One line of text for every line of one or two hex words. An illegal encoding is the line "error: <reason>" and does
/// not change the status; a line that is not words does.
int disassemble_words_command(const std::string& path, isa::Arch arch, std::ostream& out, std::ostream& errors);

}  // namespace g80
