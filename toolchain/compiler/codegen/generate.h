// SPDX-License-Identifier: Apache-2.0
// The code generator: optimised IR in, module of machine code out.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "toolchain/compiler/ir/compile_options.h"
#include "toolchain/compiler/ir/ir.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// A function that a kernel calls.
struct CalledFunctionInfo {
  std::string name;
  unsigned instructions = 0;
};

/// The compiler's report about one kernel (the -v output).
struct KernelInfo {
  std::string name;
  unsigned registers = 0;
  std::uint32_t shared_bytes = 0;    // header, parameters and static variables
  std::uint32_t constant_bytes = 0;  // literal pool
  std::uint32_t local_bytes = 0;     // per thread: variables and spilled registers
  unsigned spill_stores = 0, spill_loads = 0;
  unsigned instructions = 0, short_instructions = 0;  // with those of its functions
  unsigned stack_entries = 0;  // of the control stack for joins, breaks and calls; diverged lanes add at most 31
  std::vector<CalledFunctionInfo> functions;
  std::vector<std::pair<std::string, unsigned>> mix;  // mnemonic, how often; sorted by name
  std::vector<ir::Location> lines;                    // where each instruction comes from, in code order
};

struct CompileResult {
  Module module;
  std::vector<Diagnostic> warnings;
  std::vector<std::string> files;  // what Location::file indexes
  std::vector<KernelInfo> kernels;
};

/// The code generator. `filename` is for messages about instructions it cannot do (SourceError with the PTX line).
CompileResult generate_code(ir::Module module, const std::string& filename, const CompileOptions& options);

}  // namespace g80
