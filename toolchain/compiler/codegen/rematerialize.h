// SPDX-License-Identifier: Apache-2.0
// Values that are computed again where they are needed, instead of being kept: a constant, a parameter or another word
// of the launch, or a few cheap operations, one on the other's result, on a register that is in use there anyway; a
// comparison instead of its flags.
#pragma once
#include <vector>

#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// Instructions that compute a register anywhere where it is read, each but the first from the result of the one
/// before. Empty: there are none.
using Recipe = std::vector<MachineInst>;
/// By virtual register.
using Recipes = std::vector<Recipe>;
Recipes find_recipes(const MachineFunction& function, const Liveness& liveness);

/// A register and its recipe.
struct Recomputed {
  std::uint32_t reg;
  Recipe recipe;
};
/// Computes the registers in front of each reader, and no longer at their old places. No recipe reads another of them.
/// Returns what other registers have no value then: first steps that nobody reads any more.
std::vector<std::uint32_t> rematerialize(MachineFunction& function, const std::vector<Recomputed>& values);

}  // namespace g80::codegen
