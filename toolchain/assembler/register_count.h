// SPDX-License-Identifier: Apache-2.0
// How many registers and barriers a kernel's instructions name.
#pragma once
#include "hw/isa/instruction.h"

namespace g80 {

/// One more than the highest 32-bit register the instruction names; sources $r124..$r127 do not count (they read zero
/// when not allocated, and compilers use them for that).
unsigned registers_named(const isa::Instruction& insn);

}  // namespace g80
