// SPDX-License-Identifier: Apache-2.0
// The changes of signals in an FST file, block after block. (The library of GTKWave keeps each change as text in a list
// and walks the lists when a block is full, which takes several times as long.)
//
// A block has its first values, then for each signal its changes: the distance in time steps from the one before it and
// the value. Equal lists are written once. The format is that of block type 8 in gtkwave/fstapi.c.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "hw/common/types.h"

namespace g80 {

class FstBlocks {
 public:
  ~FstBlocks() { close(); }

  /// Appends to a file that has all but the changes after `time`. `values` are the signals' at that time.
  void open(const std::string& path, const std::vector<std::uint8_t>& widths, const std::vector<std::uint64_t>& values,
            Picoseconds time);
  bool is_open() const { return file_ != nullptr; }
  /// The changes that follow happen at `time`, which increases.
  void advance(Picoseconds time);
  /// The last value of a signal at a time counts.
  void change(std::uint32_t signal, std::uint64_t value) {
    Chain& chain = chains_[signal];
    if (chain.step != step_) {
      settle(chain);
      chain.step = step_;
      ++changes_;
    }
    chain.value = value;
  }
  /// A hint that change() follows soon for one signal, and sooner for another: their data are far apart.
  void expect(std::uint32_t soon, std::uint32_t sooner) const {
    __builtin_prefetch(&chains_[soon], 1);
    __builtin_prefetch(chains_[sooner].bytes.data() + chains_[sooner].used, 1);
  }
  void close();
  /// Blocks written, and the time at which the last one ends.
  std::uint64_t count() const { return count_; }
  Picoseconds time() const { return time_; }
  /// Why nothing more is written; empty: all is well.
  const std::string& failure() const { return failure_; }

 private:
  using Bytes = std::vector<std::uint8_t>;
  struct alignas(64) Chain {  // of a signal; in one line of a cache
    std::uint64_t value = 0, put_value = 0;
    Bytes bytes;  // the first `used` of them
    std::uint32_t used = 0;
    std::uint32_t step = 0, put_step = 0;  // of the last change, and of the last one in `bytes`
    std::uint8_t width = 0;
  };

  void settle(Chain& chain) {
    if (chain.value != chain.put_value) append(chain);
  }
  void append(Chain& chain);
  void begin_block();
  void write_block();
  void put_chains(Bytes& block) const;

  std::FILE* file_ = nullptr;
  std::string failure_;
  std::vector<Chain> chains_;
  Bytes first_values_, steps_;  // of the block: as characters; time from step to step
  Bytes block_;                 // as it is written
  std::uint32_t step_ = 0;      // the last one
  std::size_t changes_ = 0;     // in the block
  Picoseconds begin_ = 0, time_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace g80
