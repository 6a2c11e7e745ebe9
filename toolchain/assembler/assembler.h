// SPDX-License-Identifier: Apache-2.0
// The .sasm assembler: translates kernels in assembly to a module. docs/assembly.md describes the language.
#pragma once
#include <string>
#include <string_view>

#include "toolchain/cubin/module.h"

namespace g80 {

/// Throws SourceError with "file:line:column: what is wrong".
Module assemble(std::string_view text, const std::string& filename);
Module assemble_file(const std::string& path);

}  // namespace g80
