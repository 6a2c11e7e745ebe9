// SPDX-License-Identifier: Apache-2.0
// Spellings that compilers of that time accepted and clang does not:
//
//   k << < 1, 4 >> > (d);             blanks inside the brackets of a launch, as some editors put them
//   __device__ __shared__ float s;    says twice that it is on the device
//   main() {                          without its type, which is int (g++ takes it, with a warning)
//
// clang reads such files through a copy in which every character that is not concerned keeps its line and column, so
// that its messages are about the program as it is written. (Behind a main without a type, the line's columns are those
// of `int main`.)
#pragma once
#include <string>
#include <vector>

#include "toolchain/cuda/compile/cc_options.h"
#include "toolchain/cuda/compile/command.h"

namespace g80::cuda {

/// The text as clang takes it, with the same lines.
std::string in_clangs_dialect(std::string text);

/// Options that give clang the copies of those files, the source and what it includes, that need one; nothing if none
/// does.
std::vector<std::string> dialect_options(const std::string& source, const CcOptions& options,
                                         const std::string& include_folder, const TemporaryFolder& folder);

}  // namespace g80::cuda
