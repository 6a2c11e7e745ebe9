// SPDX-License-Identifier: Apache-2.0
// Values that are computed again where they are needed, instead of being kept: a constant, a parameter or another word
// of the launch, or one cheap operation on a register that is in use there anyway; a comparison instead of its flags.
#pragma once
#include <optional>
#include <vector>

#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// By virtual register: the instruction that computes it anywhere where it is read. Empty: there is none.
using Recipes = std::vector<std::optional<MachineInst>>;
Recipes find_recipes(const MachineFunction& function, const Liveness& liveness);

/// A register and its recipe.
struct Recomputed {
  std::uint32_t reg;
  MachineInst recipe;
};
/// Computes the registers in front of each reader, and no longer at their old places. No recipe reads another of them.
void rematerialize(MachineFunction& function, const std::vector<Recomputed>& values);

}  // namespace g80::codegen
