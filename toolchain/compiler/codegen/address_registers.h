// SPDX-License-Identifier: Apache-2.0
// Address registers: values computed once per block, never more at a time than the chip has.
#pragma once
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// Removes `shl $a` and `add $a` that compute a value which an address register of the same block still holds. At most
/// three are kept, so that allocation always succeeds. Under a guard they are computed in every lane.
void share_address_registers(MachineFunction& function);

}  // namespace g80::codegen
