// SPDX-License-Identifier: Apache-2.0
// One line of assembly text to machine words, by matching the syntax of the rows of opcodes.def.
//
// Beyond the disassembler's text a line may carry marks at its end:
//   .short / .long      the encoding to use where both exist
//   .raw W0 [W1]        exclusive-or into the words, for bits the instruction ignores
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "hw/isa/encoding.h"
#include "toolchain/assembler/expression.h"

namespace g80::isa {

/// What is wrong with a line; `column` counts from 1.
class AssemblyError : public std::runtime_error {
 public:
  AssemblyError(std::size_t column, const std::string& message) : std::runtime_error(message), column_(column) {}
  std::size_t column() const { return column_; }

 private:
  std::size_t column_;
};

/// The encodings of a line; at least one is present.
struct AssembledLine {
  std::optional<Words> short_form, long_form;
  Instruction insn;  // of the long form, or of the short form if there is no other
};

/// Throws AssemblyError.
AssembledLine assemble_line(std::string_view text, Arch arch, const SymbolLookup& symbols = {});

/// The words of a single line: the long form unless the line or the instruction says short.
Words assemble(std::string_view text, Arch arch = Arch::kSm13);

}  // namespace g80::isa
