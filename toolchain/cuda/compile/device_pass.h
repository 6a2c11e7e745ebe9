// SPDX-License-Identifier: Apache-2.0
// The device side of one .cu file.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "toolchain/cuda/compile/cc_options.h"
#include "toolchain/cuda/compile/command.h"

namespace g80::cuda {

/// What clang compiles kernels for: the oldest chip that clang 14 knows.
inline constexpr const char* kClangsChip = "sm_20";

/// Options for all C and C++ of a program: headers, preprocessor options, dialect of g++ of that time.
std::vector<std::string> language_options(const CcOptions& options, const std::string& include_folder);

/// What both passes of clang over a .cu file have in common: language, headers, launch conventions.
std::vector<std::string> clang_command(const std::string& source, const CcOptions& options,
                                       const std::string& include_folder, const TemporaryFolder& folder);

/// What LLVM's code generator makes of addresses in loops, which it believes to have any number of registers: each a
/// variable that is stepped, each invariant in a register in front of the loop. Or it leaves them where they are used.
enum class LoopAddresses { kKept, kComputed };

/// The PTX; nothing if clang rejected the source (after printing why).
std::optional<std::string> compile_to_ptx(const std::string& source, const CcOptions& options,
                                          const std::string& include_folder, const TemporaryFolder& folder,
                                          LoopAddresses addresses = LoopAddresses::kKept);

}  // namespace g80::cuda
