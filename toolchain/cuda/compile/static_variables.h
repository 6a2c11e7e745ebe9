// SPDX-License-Identifier: Apache-2.0
// Static variables of functions that are initialised when their function is first executed.
#pragma once
#include <string>

namespace g80::cuda {

/// Refuses the first of them in an IR text, with its place in the source (SourceError): among thousands of threads
/// nobody is the first, and LLVM has no code for it. nvcc refuses them, too.
void check_static_variables(const std::string& ir);

}  // namespace g80::cuda
