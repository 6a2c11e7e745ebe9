// SPDX-License-Identifier: Apache-2.0
// What an instruction needs to be guarded.
#pragma once
#include <vector>

#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

bool can_guard(const MachineInst& inst);

/// Moves an immediate to the literal pool, because an instruction cannot have a guard and an immediate; if the pool is
/// full, to a register: the load goes to the end of `before`.
void use_literal(MachineFunction& function, MachineInst& inst, std::vector<MachineInst>& before);

/// A value that is chosen by a guarded move of what nobody else reads is computed by the guarded instruction instead.
void guard_choices(MachineFunction& function);

}  // namespace g80::codegen
