// SPDX-License-Identifier: Apache-2.0
// From a file of PTX or CUDA to a program: what `g80 compile` and `g80 run` have in common.
#pragma once
#include <string>
#include <vector>

#include "tb/scenario/scenario.h"
#include "toolchain/compiler/compile.h"

namespace g80 {

/// True for .ptx and .cu.
bool is_program_source(const std::string& path);

/// The PTX that clang makes of a .cu; `preprocessor` are options for it. Throws InputError: clang has told what is
/// wrong.
std::string ptx_of_cuda(const std::string& path, const CompileOptions& options,
                        const std::vector<std::string>& preprocessor = {});

/// Compiles a .ptx, or a .cu by way of clang. Throws InputError and SourceError.
CompileResult compile_source(const std::string& path, const CompileOptions& options);

/// The program of a scenario for a device of compute capability 1.`compute_minor`: compiled, assembled or read.
Module load_program(const Scenario& scenario, unsigned compute_minor);

}  // namespace g80
