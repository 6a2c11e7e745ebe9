// SPDX-License-Identifier: Apache-2.0
// The order of instructions within blocks: what a long wait ends is begun early.
#pragma once
#include <array>

#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// The most general registers in use at once anywhere in the function.
unsigned register_pressure(const MachineFunction& function);

/// Reorders the blocks that gain by it, none of which then has more than `words` general registers in use at once
/// (or as many as before, if that was more). True if anything changed.
bool schedule_blocks(MachineFunction& function, unsigned words);

/// Removes the fences, which only scheduling needs.
void remove_fences(MachineFunction& function);

}  // namespace g80::codegen
