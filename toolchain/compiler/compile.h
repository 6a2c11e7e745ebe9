// SPDX-License-Identifier: Apache-2.0
// The PTX compiler as a whole: text in, module of machine code out.
//
//   PTX text --lower_ptx--> ir::Module (optimised) --generate_code--> Module
#pragma once
#include <string>
#include <string_view>

#include "toolchain/compiler/codegen/generate.h"

namespace g80 {

/// Compiles a PTX text. `filename` is for messages. Throws SourceError "file:line: what is wrong".
CompileResult compile_ptx(std::string_view text, const std::string& filename, const CompileOptions& options);

}  // namespace g80
