// SPDX-License-Identifier: Apache-2.0
// Runs clang over a program's source, whose messages are to be about this program and the chip that its user names.
#pragma once
#include <string>
#include <vector>

#include "toolchain/cuda/compile/cc_options.h"

namespace g80::cuda {

/// Returns clang's exit status, after printing its messages. Throws InputError as run_tool() does.
///
/// Compilers of that time looked up the functions that a template calls where it is used, so one that is declared
/// behind the template was found. If clang misses such a function, it runs again with an option that does the same. It
/// does not always have this option: with it, clang does not read templates that are not used, and functions behind a
/// template may be chosen where standard C++ chooses those in front of it.
int run_clang(std::vector<std::string> words, const CcOptions& options);

/// What to do if clang or the linker says that OpenMP is missing; else empty.
std::string advice_on_openmp(const std::string& said);

}  // namespace g80::cuda
