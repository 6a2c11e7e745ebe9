// SPDX-License-Identifier: Apache-2.0
// Checks that joinat and breakaddr match their joins and breaks on every path.
#pragma once
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// The largest number of joinat, breakaddr and call entries on the control stack at once. A divergent branch adds one
/// more, at most 31 at a time: each stands for lanes of the warp that run later. Throws std::logic_error where a path
/// comes to a join or a break that is not the innermost one's, or where paths with different entries meet.
unsigned check_stack(const MachineFunction& function);

}  // namespace g80::codegen
