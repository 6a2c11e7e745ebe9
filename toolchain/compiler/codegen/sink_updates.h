// SPDX-License-Identifier: Apache-2.0
// Keeps a loop variable and its next value in one register.
#pragma once
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// A value that is only copied to another register at the end of the block (the next value of a loop variable) is
/// computed after the last use of what that register held, where this is possible: then both can be one register.
void sink_updates(MachineFunction& function);

}  // namespace g80::codegen
