// Values that are computed again where they are needed, instead of being kept: a constant, a parameter or another word
// of the launch, or one cheap operation on a register that is in use there anyway.
#pragma once
#include <optional>
#include <vector>

#include "kernels/toolchain/compiler/codegen/live_ranges.h"
#include "kernels/toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// By virtual register: the instruction that computes it anywhere where it is read. Empty: there is none.
using Recipes = std::vector<std::optional<MachineInst>>;
Recipes find_recipes(const MachineFunction& function, const Liveness& liveness);

/// Computes the register in front of each reader, and no longer at its old place.
void rematerialize(MachineFunction& function, std::uint32_t reg, const MachineInst& recipe);

}  // namespace g80::codegen
