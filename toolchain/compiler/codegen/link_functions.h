// SPDX-License-Identifier: Apache-2.0
// Links a kernel and its functions: register use of the functions, and one code.
#pragma once
#include "toolchain/compiler/codegen/choose_version.h"

namespace g80::codegen {

/// Of a function that is finished.
CalledFunction describe(const Version& version);

/// Appends the functions that the kernel reaches to its code, and fills in the targets of all calls. Counts
/// and lines of `kernel.info` are then those of the whole.
void link_functions(Version& kernel, const std::vector<Version>& functions, isa::Arch arch);

}  // namespace g80::codegen
