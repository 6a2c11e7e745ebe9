// SPDX-License-Identifier: Apache-2.0
// g80 asm: .sasm to cubin.
#include <fmt/format.h>

#include <filesystem>

#include "app/command/commands.h"
#include "app/run/program_source.h"
#include "hw/isa/disassembler.h"
#include "input/input_error.h"
#include "tb/scenario/run_result.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/commands.h"

namespace g80 {
namespace {

void print_listing(const Module& module) {
  for (const Kernel& kernel : module.kernels) {
    fmt::print("{}: {} registers, {} bytes s[], {} bytes l[]\n", kernel.name, kernel.reg, kernel.smem, kernel.lmem);
    for (std::size_t k = 0; k < kernel.code.size();) {
      const std::uint32_t w0 = kernel.code[k];
      const bool two = isa::is_long(w0) && k + 1 < kernel.code.size();
      const std::uint32_t w1 = two ? kernel.code[k + 1] : 0;
      fmt::print("{:04x}: {:08x} {:<8}  {}\n", 4 * k, w0, two ? fmt::format("{:08x}", w1) : "",
                 isa::disassemble(w0, w1, module.arch));
      k += two ? 2 : 1;
    }
  }
}

}  // namespace

int asm_command(const AsmCommand& options) {
  if (is_program_source(options.source))
    throw InputError(fmt::format("{0}: this is no assembly (.sasm); `g80 compile {0}` makes a cubin", options.source));
  if (options.list) {
    print_listing(assemble_file(options.source));
    return kExitPass;
  }
  std::string output = options.output;
  if (output.empty() && options.source == "-") output = "-";
  if (output.empty()) output = std::filesystem::path(options.source).replace_extension(".cubin").string();
  assemble_command(options.source, output);
  return kExitPass;
}

}  // namespace g80
