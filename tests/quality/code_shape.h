// SPDX-License-Identifier: Apache-2.0
// What machine code costs, read from its words: registers, instructions, loops.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/isa/encoding.h"

namespace g80::quality {

struct CodeShape {
  unsigned registers = 0;       // highest general register of a reachable instruction, plus one
  unsigned instructions = 0;    // that can be reached from the entry: padding and what follows an exit do not count
  std::vector<unsigned> loops;  // instructions in each innermost loop, in code order
};

/// `entry` is a byte address. A loop is a natural one: the instructions from which a branch back to their common
/// dominator can be reached without leaving through it, all sides of its branches and functions it calls included.
/// Innermost is a loop in which no other starts. Throws std::runtime_error for a word that is no instruction.
CodeShape measure_code(const std::vector<std::uint32_t>& words, std::uint32_t entry, isa::Arch arch);

}  // namespace g80::quality
