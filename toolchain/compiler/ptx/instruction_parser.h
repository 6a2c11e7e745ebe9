// SPDX-License-Identifier: Apache-2.0
// Parses one instruction: guard, name, modifiers, types, operands.
#pragma once
#include "toolchain/compiler/ptx/cursor.h"
#include "toolchain/compiler/ptx/scope.h"
#include "toolchain/compiler/ptx/syntax.h"

namespace g80::ptx {

/// Parses up to and including the ';'. Labels that are not known yet are left as kLabel with id kNoId.
Instruction parse_instruction(Cursor& cursor, const Module& module, const Function& function, const ScopeStack& scopes);

}  // namespace g80::ptx
