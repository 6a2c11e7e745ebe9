// SPDX-License-Identifier: Apache-2.0
// Sets of small numbers: blocks, words of registers.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

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

}  // namespace g80::codegen
