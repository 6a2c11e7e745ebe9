// SPDX-License-Identifier: Apache-2.0
// Variables of device code that have no name outside of their file, or are initialised when their function is first
// executed.
#pragma once
#include <string>

namespace g80::cuda {

/// Refuses the first of them in an IR text, with its place in the source (SourceError): among thousands of threads
/// nobody is the first, and LLVM has no code for it. nvcc refuses them, too.
void check_static_variables(const std::string& ir);

/// The IR text with variables outside of functions visible to the host, which writes them: clang hides static ones,
/// those of an unnamed namespace and those of an unnamed type (`__constant__ struct { ... } scene;`) from it, and LLVM
/// would replace them by their initial values.
std::string show_variables(const std::string& ir);

}  // namespace g80::cuda
