// SPDX-License-Identifier: Apache-2.0
// Loops that test at the end.
#pragma once
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// A short block that decides at the head of a loop is repeated in place of the jump back to it: one branch less per
/// iteration.
void rotate_loops(MachineFunction& function);

}  // namespace g80::codegen
