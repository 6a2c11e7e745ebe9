// SPDX-License-Identifier: Apache-2.0
// Checks operands against the letters of opcodes.def, one letter per operand.
#pragma once
#include <string>

#include "toolchain/compiler/ptx/syntax.h"

namespace g80::ptx {

/// Throws SourceError naming operand, its type and what the instruction wants. `text` is the instruction as written
/// ("add.s32").
void check_operands(const Module& module, const Function& function, const Instruction& instruction,
                    const std::string& text);

}  // namespace g80::ptx
