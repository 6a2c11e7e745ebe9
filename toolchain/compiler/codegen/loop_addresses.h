// SPDX-License-Identifier: Apache-2.0
// Pointers of loops in address registers.
#pragma once
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// A loop variable that grows by a constant, and that a loop of one block reads only to shift it into an address
/// register, lives in the address register: `add $a` replaces the sum, the shift and the copy for the next iteration.
/// Address registers cannot be spilled, so at most three are in use at once. Runs behind share_address_registers().
void keep_loop_addresses(MachineFunction& function);

}  // namespace g80::codegen
