// SPDX-License-Identifier: Apache-2.0
// Compiles the PTX that clang made from a CUDA program to machine code.
#pragma once
#include <string>

#include "toolchain/compiler/compile.h"

namespace g80::cuda {

/// compile_ptx, with errors and warnings in terms of the program: "prog.cu:12: 'fib(int)' calls itself; ...". A message
/// about a place that has no source line keeps the line of the PTX, "prog.ptx:3: ...".
CompileResult compile_device_code(const std::string& ptx, const std::string& source, const CompileOptions& options);

/// Prints the warnings to standard error; a warning for several places names the first.
void print_warnings(const CompileResult& result);

}  // namespace g80::cuda
