// SPDX-License-Identifier: Apache-2.0
// Fewer registers by another order: what is computed long before it is read, is computed later.
#pragma once
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// Moves instructions down towards the first that reads their result, where that lengthens the life of no other value.
/// What takes long (memory, SFU) stays. False: nothing moved.
bool shorten_ranges(MachineFunction& function);

}  // namespace g80::codegen
