// From a file of PTX or CUDA to a program: what `g80 compile` and `g80 run` have in common.
#pragma once
#include <string>

#include "kernels/toolchain/compiler/compile.h"
#include "tb/scenario/scenario.h"

namespace g80 {

/// True for .ptx and .cu.
bool is_program_source(const std::string& path);

/// Compiles a .ptx, or a .cu by way of clang. `ptx_file`: where to leave the PTX of a .cu; empty: nowhere. `preprocessor`: options
/// for it. Throws
/// InputError and SourceError.
CompileResult compile_source(const std::string& path, const CompileOptions& options, const std::string& ptx_file = "",
                             const std::vector<std::string>& preprocessor = {});

/// Prints the compiler's warnings to standard error.
void print_warnings(const CompileResult& result);

/// The program of a scenario for a device of compute capability 1.`compute_minor`: compiled, assembled or read.
Module load_program(const Scenario& scenario, unsigned compute_minor);

}  // namespace g80
