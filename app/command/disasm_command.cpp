// SPDX-License-Identifier: Apache-2.0
// g80 disasm: prints a cubin as source, or words as text.

#include <fmt/format.h>

#include <iostream>

#include "app/command/commands.h"
#include "app/run/program_source.h"
#include "input/input_error.h"
#include "tb/scenario/run_result.h"
#include "toolchain/assembler/commands.h"

namespace g80 {

int disasm_command(const DisasmCommand& options) {
  if (is_program_source(options.file))
    throw InputError(fmt::format("{0}: this is no cubin; `g80 compile {0}` makes one", options.file));
  if (options.file.empty()) throw InputError("disasm: FILE is missing: a cubin, or with --words a file of words or -");
  if (options.words) {
    if (options.source) throw InputError("--source is for a cubin; words have no source lines");
    disassemble_words_command(options.file, *isa::parse_arch(options.arch), std::cout);
    return kExitPass;
  }
  if (options.arch_given) throw InputError("--arch is for --words; a cubin names its own architecture");
  disassemble_command(options.file, options.source, std::cout);
  return kExitPass;
}

}  // namespace g80
