// SPDX-License-Identifier: Apache-2.0
// Sets of small numbers: blocks, words of registers.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/common/set_bits.h"

namespace g80::codegen {

/// A set of numbers, of which few may be neighbours of many: 64 of them are a chunk, only chunks that hold some are
/// kept. So a set costs what is in it, not what could be.
class BitSet {
 public:
  bool test(std::size_t i) const {
    const std::size_t place = find(i / 64);
    return place < chunks_.size() && chunks_[place].index == i / 64 && (chunks_[place].bits >> i % 64 & 1) != 0;
  }
  void set(std::size_t i) {
    const std::size_t place = find(i / 64);
    if (place == chunks_.size() || chunks_[place].index != i / 64) chunks_.insert(at(place), {i / 64, 0});
    chunks_[place].bits |= std::uint64_t{1} << i % 64;
  }
  void reset(std::size_t i) {
    const std::size_t place = find(i / 64);
    if (place == chunks_.size() || chunks_[place].index != i / 64) return;
    chunks_[place].bits &= ~(std::uint64_t{1} << i % 64);
    if (chunks_[place].bits == 0) chunks_.erase(at(place));
  }
  /// True if the set grew.
  bool merge(const BitSet& other);
  void remove(const BitSet& other);
  /// In ascending order.
  template <typename F>
  void for_each(F&& f) const {
    for (const Chunk& chunk : chunks_) {
      for (const unsigned bit : set_bits(chunk.bits)) f(chunk.index * 64 + bit);
    }
  }
  /// Those that the other set has not, in ascending order.
  template <typename F>
  void for_each_missing_in(const BitSet& other, F&& f) const {
    auto theirs = other.chunks_.begin();
    for (const Chunk& chunk : chunks_) {
      while (theirs != other.chunks_.end() && theirs->index < chunk.index) ++theirs;
      const bool is_there = theirs != other.chunks_.end() && theirs->index == chunk.index;
      for (const unsigned bit : set_bits(is_there ? chunk.bits & ~theirs->bits : chunk.bits)) {
        f(chunk.index * 64 + bit);
      }
    }
  }
  bool empty() const { return chunks_.empty(); }
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
  /// The position of the chunk, or that where it belongs.
  std::size_t find(std::size_t index) const {
    if (chunks_.empty() || chunks_.back().index < index) return chunks_.size();
    // std::lower_bound, without a branch that is hard to predict
    const Chunk* first = chunks_.data();
    for (std::size_t count = chunks_.size(); count > 1;) {
      const std::size_t half = count / 2;
      first = first[half - 1].index < index ? first + half : first;
      count -= half;
    }
    return static_cast<std::size_t>(first - chunks_.data());
  }
  std::vector<Chunk>::iterator at(std::size_t place) { return chunks_.begin() + static_cast<std::ptrdiff_t>(place); }

  std::vector<Chunk> chunks_;  // by index; none is empty
};

}  // namespace g80::codegen
