// Which words of virtual registers hold a value that is still needed, where. Where some registers have 16 bits, all are
// followed by halves.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

/// A set of small numbers.
class BitSet {
 public:
  explicit BitSet(std::size_t size = 0) : words_((size + 63) / 64, 0) {}
  bool test(std::size_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << i % 64); }
  /// True if the set grew.
  bool merge(const BitSet& other) {
    std::uint64_t grown = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      grown |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return grown != 0;
  }
  template <typename F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        f(i * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
      }
    }
  }
  bool contains(const BitSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((other.words_[i] & ~words_[i]) != 0) return false;
    }
    return true;
  }
  bool intersects(const BitSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }

 private:
  std::vector<std::uint64_t> words_;
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

}  // namespace g80::codegen
