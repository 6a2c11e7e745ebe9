// SPDX-License-Identifier: Apache-2.0
// Comparisons with zero that the instruction before them can answer.
#pragma once
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// Integer instructions can write the flags of their result: a set that only asks whether a result of the same block is
/// zero goes, and the instruction that computes it writes the flags. `==` becomes the opposite condition in those who
/// read them.
void merge_zero_tests(MachineFunction& function);

}  // namespace g80::codegen
