// Which words of virtual registers hold a value that is still needed, where.
#pragma once
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
  std::vector<std::uint32_t> first_word;  // of each virtual register; words are numbered through
  std::uint32_t words = 0;
  std::vector<std::uint32_t> owner;       // of each word: the virtual register
  std::vector<BitSet> live_in, live_out;  // by block

  std::uint32_t word(const Reg& reg, unsigned offset = 0) const { return first_word[reg.id] + reg.word + offset; }
  /// Takes the set from after an instruction to before it.
  void step_back(const MachineInst& inst, BitSet& live) const;
};

Liveness find_liveness(const MachineFunction& function);

}  // namespace g80::codegen
