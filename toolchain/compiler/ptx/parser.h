// SPDX-License-Identifier: Apache-2.0
// Parses PTX text to syntax (syntax.h): names resolved, instructions checked against opcodes.def, operands against
// their types.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/compiler/ptx/syntax.h"

namespace g80::ptx {

/// `source` must outlive the module: operands refer to it. Warnings are "file:line: what". Throws SourceError.
Module parse(std::string_view source, const std::string& filename, std::vector<std::string>& warnings);

}  // namespace g80::ptx
