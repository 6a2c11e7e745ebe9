// SPDX-License-Identifier: Apache-2.0
// Register allocation: graph colouring on words of virtual registers, or on their halves where some have 16 bits.
#pragma once
#include <stdexcept>
#include <vector>

#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// The limit is below what single instructions need.
class OutOfRegisters : public std::runtime_error {
 public:
  OutOfRegisters() : std::runtime_error("too few registers") {}
};

/// Assigns registers to all virtual registers, with at most `limit` general registers; spills the rest to l[]. Writes
/// the numbers into the instructions and removes copies between equal registers. Returns the number
/// of general registers used.
unsigned allocate_registers(MachineFunction& function, unsigned limit);

/// Lets the words of l[] from byte `first` on, which hold spilled registers, serve several of them.
void share_spill_slots(MachineFunction& function, std::uint32_t first);

/// A register to be kept elsewhere, and which half of a shared word it is if it is half a register.
struct Spilled {
  std::uint32_t reg;
  unsigned half;
};
/// Registers of one class that would have shared a register. Those of several words stand alone.
using SpillGroup = std::vector<Spilled>;
/// Rewrites the function so that registers live in memory (general), or in a general register (flags): those of a group
/// in the same.
void spill(MachineFunction& function, const std::vector<SpillGroup>& groups);

}  // namespace g80::codegen
