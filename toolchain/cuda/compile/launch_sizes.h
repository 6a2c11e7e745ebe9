// SPDX-License-Identifier: Apache-2.0
// The block sizes with which a program launches its kernels, where they are constants: dim3 block(16, 16) and
// <<<grid, 512>>>, through macros, variables, members of classes, loops and functions that this file calls.
//
// A kernel without launch bounds may use more registers than a block of its program's size has, and then the launch
// is refused. The host code of the same file says how many threads it has to leave registers for.
#pragma once
#include <map>
#include <string>

#include "toolchain/cuda/compile/cc_options.h"
#include "toolchain/cuda/compile/device_code.h"

namespace g80::cuda {

/// By kernel, demangled: the threads of the largest block with which this host code, in LLVM's assembly language and
/// optimised, launches it. Launches of other sizes are not known.
std::map<std::string, unsigned> launched_threads(const std::string& host_ir);

/// compile_device_code; a kernel without bounds of its own that needs more registers than the blocks of the program
/// have is bounded by them. `source` is the .cu file that the PTX is from.
CompileResult compile_program(const std::string& ptx, const std::string& source, const CompileOptions& compile,
                              const CcOptions& options, const std::string& include_folder,
                              const TemporaryFolder& folder);

}  // namespace g80::cuda
