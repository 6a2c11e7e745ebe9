// SPDX-License-Identifier: Apache-2.0
// The functions of a kernel and the kernel: what callers must know, and one code.
#pragma once
#include "toolchain/compiler/codegen/choose_version.h"

namespace g80::codegen {

/// Of a function that is finished.
CalledFunction describe(const Version& version);

/// Puts the functions that are reached from the kernel behind its code, and fills in the targets of all calls. Counts
/// and lines of `kernel.info` are then those of the whole.
void link_functions(Version& kernel, const std::vector<Version>& functions, isa::Arch arch);

}  // namespace g80::codegen
