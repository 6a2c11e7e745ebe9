// g80 disasm: a cubin to source, or words to text.
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "kernels/toolchain/assembler/listing.h"
#include "kernels/toolchain/cubin/cubin.h"
#include "tb/main/commands.h"
#include "tb/report/run_result.h"
#include "tb/scenario/input_error.h"

namespace g80 {

int disasm_command(const DisasmCommand& options) {
  if (options.file.empty()) throw InputError("disasm: FILE is missing: a cubin, or with --words a file of words or -");
  if (options.words) {
    const isa::Arch arch = *isa::parse_arch(options.arch);
    bool clean = false;
    if (options.file == "-") {
      clean = disassemble_words(std::cin, std::cout, arch);
    } else {
      std::ifstream stream(options.file);
      if (!stream) throw InputError(fmt::format("{}: cannot be read", options.file));
      clean = disassemble_words(stream, std::cout, arch);
    }
    std::cout.flush();
    return clean ? kExitPass : kExitInput;
  }
  if (options.arch_given) throw InputError("--arch is for --words; a cubin names its own architecture");
  std::cout << list_module(read_cubin(read_text_file(options.file), options.file));
  return kExitPass;
}

}  // namespace g80
