// SPDX-License-Identifier: Apache-2.0
// Liveness of the words of virtual registers. If some registers have 16 bits, it is computed for halves of all
// registers.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// A set of numbers, of which few may be neighbours of many: 64 of them are a chunk, only chunks that hold some are
/// kept. So a set costs what is in it, not what could be.
class BitSet {
 public:
  bool test(std::size_t i) const {
    const auto place = find(i / 64);
    return place != chunks_.end() && place->index == i / 64 && (place->bits >> i % 64 & 1) != 0;
  }
  void set(std::size_t i) {
    auto place = find(i / 64);
    if (place == chunks_.end() || place->index != i / 64) place = chunks_.insert(place, {i / 64, 0});
    place->bits |= std::uint64_t{1} << i % 64;
  }
  void reset(std::size_t i) {
    const auto place = find(i / 64);
    if (place == chunks_.end() || place->index != i / 64) return;
    place->bits &= ~(std::uint64_t{1} << i % 64);
    if (place->bits == 0) chunks_.erase(place);
  }
  /// True if the set grew.
  bool merge(const BitSet& other);
  void remove(const BitSet& other);
  /// In ascending order.
  template <typename F>
  void for_each(F&& f) const {
    for (const Chunk& chunk : chunks_) {
      for (std::uint64_t rest = chunk.bits; rest != 0; rest &= rest - 1) {
        f(chunk.index * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
      }
    }
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (const Chunk& chunk : chunks_) sum += static_cast<std::size_t>(__builtin_popcountll(chunk.bits));
    return sum;
  }
  bool contains(const BitSet& other) const;
  bool intersects(const BitSet& other) const;

 private:
  struct Chunk {
    std::size_t index;
    std::uint64_t bits;
  };
  using Chunks = std::vector<Chunk>;
  static bool is_before(const Chunk& chunk, std::size_t index) { return chunk.index < index; }
  /// The chunk, or the place where it belongs.
  Chunks::const_iterator find(std::size_t index) const {
    if (chunks_.empty() || chunks_.back().index < index) return chunks_.end();
    return std::lower_bound(chunks_.begin(), chunks_.end(), index, is_before);
  }
  Chunks::iterator find(std::size_t index) {
    if (chunks_.empty() || chunks_.back().index < index) return chunks_.end();
    return std::lower_bound(chunks_.begin(), chunks_.end(), index, is_before);
  }

  Chunks chunks_;  // by index; none is empty
};

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
