// SPDX-License-Identifier: Apache-2.0
// What --wave-level arch draws: the blocks and wires at which a program's progress can be seen.
#pragma once
#include <vector>

#include "hw/common/traceable.h"

namespace g80 {

class Gpu;

/// The command processor and the CTA scheduler, and of every SM the wires that tell what happens to its warps, which
/// the flight recorder reads as well.
std::vector<const Traceable*> architecture_of(Gpu& gpu);

}  // namespace g80
