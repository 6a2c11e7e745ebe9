// SPDX-License-Identifier: Apache-2.0
// g80 cc: CUDA programs to host programs.
//
//   .cu --clang, device pass--> PTX --compile_ptx--> cubin --embedded in--> clang, host pass --> object --> program
#pragma once
#include <string>

#include "toolchain/cuda/compile/cc_options.h"

namespace g80::cuda {

/// Folders with the parts that compiled programs need.
struct CcInstallation {
  std::string include_folder;  // the headers of CUDA
  std::string toolkit;         // lib64/ and the words of the linker: cmake/Toolkit.cmake
};

/// Returns 0, or 2 if a compiler rejected the source (after printing why); with -run the exit code of the program.
/// Throws InputError and SourceError.
int run_cc(const CcOptions& options, const CcInstallation& installation);

}  // namespace g80::cuda
