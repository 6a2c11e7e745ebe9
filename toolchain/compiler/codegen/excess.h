// SPDX-License-Identifier: Apache-2.0
// Which registers to spill where more are alive than the chip has, found without colouring.
#pragma once
#include <array>
#include <vector>

#include "toolchain/compiler/codegen/interference.h"
#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// Units of each class that may be in use at once; behind the classes: of general registers in front of that place,
/// which those that lie nowhere else share.
using ExcessLimits = std::array<unsigned, 4>;

/// Leaders to be given up, so that no instruction finds more in use than the limits. `prices`: by leader; negative: it
/// cannot be given up.
std::vector<std::uint32_t> find_excess(const MachineFunction& function, const Liveness& liveness,
                                       const Interference& graph, const ExcessLimits& limits,
                                       const std::vector<double>& prices);

}  // namespace g80::codegen
