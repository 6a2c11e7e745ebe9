// SPDX-License-Identifier: Apache-2.0
// Where the lanes of a warp that took different ways come together again.
//
// A divergent branch splits a warp; the chip runs one part after the other, until a `join` that matches a `joinat`
// makes them one again. A program is right without any of them: joins are for speed, and for barriers behind a region.
//
// A region starts at its entry, where joinat is executed once, and ends at its meeting point. Every path of the region
// that reaches the meeting point executes the join, a block of its own that only the region's edges lead to; paths that
// end the thread do not, which the chip allows. A region must have no other way in: then joinat and join are always in
// balance, and whatever happens inside, irreducible loops included, only adds to the stack what the joins take away.
#pragma once
#include "toolchain/compiler/codegen/machine.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::codegen {

/// Marks the branches (by block) whose condition may differ between the lanes of a warp, of each function of the kernel
/// and then of the kernel itself.
std::vector<std::vector<std::uint8_t>> find_divergent_branches(const ir::Function& kernel);

/// Adds joinat instructions and join blocks for the branches marked divergent, and breaks for loops (scopes.h).
void insert_reconvergence(MachineFunction& function);

}  // namespace g80::codegen
