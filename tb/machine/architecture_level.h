// SPDX-License-Identifier: Apache-2.0
// The blocks and wires that --wave-level arch records: those that show the progress of a program.
#pragma once
#include <vector>

#include "hw/common/traceable.h"

namespace g80 {

class Gpu;

/// The command processor and the CTA scheduler, and of every SM the wires with its warp events, which the
/// flight recorder also reads.
std::vector<const Traceable*> architecture_of(Gpu& gpu);

}  // namespace g80
