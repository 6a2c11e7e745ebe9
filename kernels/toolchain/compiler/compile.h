// The PTX compiler as a whole: text in, module of machine code out.
//
//   PTX text --lower_ptx--> ir::Module (optimised) --generate_code--> Module
// lower_ptx is the front end (folder ptx/), generate_code the code generator (folder codegen/).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/isa/encoding.h"
#include "kernels/toolchain/compiler/ir.h"
#include "kernels/toolchain/cubin/module.h"

namespace g80 {

struct CompileOptions {
  isa::Arch arch = isa::Arch::kSm10;
  unsigned max_registers = 0;  // per thread; 0: what the launch bounds of the kernel ask for, else no limit but 124
  bool fmad = true;            // fuse f32 multiply and add where the source allows it
  bool calls = true;           // of large functions; false: everything is inlined
};

struct Diagnostic {
  std::string message;  // "file:line: what"
};

/// A function that a kernel calls.
struct CalledFunctionInfo {
  std::string name;
  unsigned instructions = 0;
};

/// What the compiler can say about one kernel (the -v output).
struct KernelInfo {
  std::string name;
  unsigned registers = 0;
  std::uint32_t shared_bytes = 0;    // header, parameters and static variables
  std::uint32_t constant_bytes = 0;  // literal pool
  std::uint32_t local_bytes = 0;     // per thread: variables and spilled registers
  unsigned spill_stores = 0, spill_loads = 0;
  unsigned instructions = 0, short_instructions = 0;  // with those of its functions
  unsigned stack_entries = 0;  // of the control stack for joins, breaks and calls; parted lanes add at most 31
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

/// Compiles a PTX text. `filename` is for messages. Throws SourceError "file:line: what is wrong".
CompileResult compile_ptx(std::string_view text, const std::string& filename, const CompileOptions& options);

/// The front end: parses, lowers and optimises. Throws SourceError.
ir::Module lower_ptx(std::string_view text, const std::string& filename, const CompileOptions& options,
                     std::vector<Diagnostic>& warnings);

/// The code generator. `filename` is for messages about instructions it cannot do (SourceError with the PTX line).
CompileResult generate_code(ir::Module module, const std::string& filename, const CompileOptions& options);

}  // namespace g80
