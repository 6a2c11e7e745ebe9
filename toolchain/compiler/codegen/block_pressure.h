// SPDX-License-Identifier: Apache-2.0
// How many registers the rest of a block needs, if it is executed in a given order.
//
// Units (words, or halves: live_ranges.h) are followed by value: each definition of one starts a new one, so that an
// order counts whatever became of the block's units before. Dependences keep the values of one unit apart.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/compiler/codegen/live_ranges.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// Registers in use, by RegClass. Halves count as if all could share.
using ClassCounts = std::array<unsigned, 3>;

class BlockPressure {
 public:
  BlockPressure(const MachineFunction& function, ir::BlockId block, const Liveness& liveness);

  /// Executes an instruction (index in the block as it was given).
  void advance(std::uint32_t inst) { step(inst, live_); }
  /// The most registers in use at once while `first`, then `count` instructions from `order` on (without `first`) are
  /// executed.
  ClassCounts peak(std::uint32_t first, const std::uint32_t* order, std::size_t count);

 private:
  /// The most units in use during the instruction.
  ClassCounts step(std::uint32_t inst, ClassCounts& live);

  struct Value {
    std::uint32_t readers = 0;  // instructions still to come; one more if it leaves the block
    RegClass cls = RegClass::kGeneral;
  };
  std::vector<Value> values_;
  std::vector<std::vector<std::uint32_t>> uses_, defs_;  // values, by instruction
  unsigned per_word_;
  ClassCounts live_{};                // units
  std::vector<std::uint32_t> trial_;  // values whose readers a trial has counted down
};

/// The most general registers in use at once in a block, in its present order.
unsigned block_pressure(const MachineFunction& function, ir::BlockId block, const Liveness& liveness);

}  // namespace g80::codegen
