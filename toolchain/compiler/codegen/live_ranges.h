// SPDX-License-Identifier: Apache-2.0
// Liveness of the words of virtual registers. If some registers have 16 bits, it is computed for halves of all
// registers.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "toolchain/compiler/codegen/bit_set.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

struct Liveness {
  // A unit is a word, of general registers half a word if the function has halves.
  unsigned per_word = 1;                  // units in a word of a general register
  std::vector<std::uint32_t> first_unit;  // of each virtual register, and of the end; units are numbered through
  std::vector<std::uint8_t> scale;        // units in a word of each virtual register
  std::uint32_t units = 0;
  std::vector<std::uint32_t> owner;       // of each unit: the virtual register
  std::vector<BitSet> live_in, live_out;  // by block

  bool knows(const Reg& reg) const { return reg.id < scale.size(); }
  /// The first unit of an operand.
  std::uint32_t unit(const Reg& reg) const {
    const unsigned step = scale[reg.id];
    return first_unit[reg.id] + reg.word * step + (reg.part == Part::kHigh && step == 2 ? 1 : 0);
  }
  /// How many units an operand of so many words has.
  unsigned count(const Reg& reg, unsigned words) const {
    const unsigned step = scale[reg.id];
    if (step == 1) return words;
    if (reg.part != Part::kWhole) return 1;
    return std::min(words * step, first_unit[reg.id + 1] - first_unit[reg.id] - reg.word * step);
  }
  template <typename F>
  void for_each_unit(const Reg& reg, unsigned words, F&& f) const {
    const std::uint32_t first = unit(reg);
    for (unsigned i = 0, n = count(reg, words); i < n; ++i) f(first + i);
  }
  /// Takes the set from after an instruction to before it.
  void step_back(const MachineInst& inst, BitSet& live) const;
};

Liveness find_liveness(const MachineFunction& function);

/// What is alive in front of each block, and behind it (added to `live_out`), from what the blocks read before they
/// write it, and what they write.
std::vector<BitSet> spread_liveness(const MachineFunction& function, const std::vector<BitSet>& reads,
                                    const std::vector<BitSet>& writes, std::vector<BitSet>& live_out);

}  // namespace g80::codegen
