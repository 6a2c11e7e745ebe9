// SPDX-License-Identifier: Apache-2.0
// Compiles a PTX or CUDA file to a program, for `g80 compile` and `g80 run`.
#pragma once
#include <string>
#include <vector>

#include "tb/scenario/scenario.h"
#include "toolchain/compiler/compile.h"

namespace g80 {

std::string cuda_include_folder();

/// True for .ptx and .cu.
bool is_program_source(const std::string& path);

/// The PTX that clang makes of a .cu; `preprocessor` are options for it. Throws InputError after clang has printed
/// the error.
std::string ptx_of_cuda(const std::string& path, const CompileOptions& options,
                        const std::vector<std::string>& preprocessor = {});
/// Compiles the PTX of a .cu, with the block sizes of its launches. Throws SourceError.
CompileResult compile_cuda(const std::string& path, const std::string& ptx, const CompileOptions& options,
                           const std::vector<std::string>& preprocessor = {});

/// Compiles a .ptx, or a .cu with clang. Throws InputError and SourceError.
CompileResult compile_source(const std::string& path, const CompileOptions& options);

/// The program of a scenario for a device of compute capability 1.`compute_minor`: compiled, assembled or read.
Module load_program(const Scenario& scenario, unsigned compute_minor);

}  // namespace g80
