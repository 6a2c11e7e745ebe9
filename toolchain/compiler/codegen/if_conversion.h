// SPDX-License-Identifier: Apache-2.0
// Replaces short branches by guarded instructions, and merges blocks that always follow each other.
#pragma once
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// Where a branch chooses between at most two short blocks that meet again, both go into the block of the branch, each
/// instruction guarded by the condition. Limits: 7 instructions a side if lanes may disagree, 4 if they do not.
void convert_ifs(MachineFunction& function);

/// Appends a block to its only predecessor where that goes nowhere else.
void merge_blocks(MachineFunction& function);

}  // namespace g80::codegen
