// SPDX-License-Identifier: Apache-2.0
// Member-wise comparison of decoded instructions.
#pragma once
#include "hw/isa/instruction.h"

namespace g80::isa {

/// Name of the first member in which the two differ, or nullptr if they are the same instruction.
const char* first_difference(const Instruction& a, const Instruction& b);

}  // namespace g80::isa
