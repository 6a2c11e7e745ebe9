// SPDX-License-Identifier: Apache-2.0
// The front end: translates PTX text to optimised IR.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/compiler/ir/compile_options.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80 {

/// Parses, lowers and optimises. Throws SourceError.
ir::Module lower_ptx(std::string_view text, const std::string& filename, const CompileOptions& options,
                     std::vector<Diagnostic>& warnings);

}  // namespace g80
