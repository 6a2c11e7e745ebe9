// SPDX-License-Identifier: Apache-2.0
// What a CUDA program allocates: pieces of 256 bytes and their multiples, side by side as on the chip, in blocks of
// whole pages that follow one another. So a read shortly before or behind a buffer finds its neighbour. A guarded heap
// leaves unmapped addresses behind each allocation instead.
#pragma once
#include <cstdint>
#include <map>

#include "tb/driver/memory_layout.h"
#include "tb/driver/range_allocator.h"
#include "tb/scenario/backend.h"

namespace g80::cuda {

class Heap {
 public:
  Heap(Backend& backend, Placement placement) : backend_(backend), placement_(placement) {}

  /// Memory that reads zero. Throws InputError if there is not enough.
  std::uint32_t allocate(std::uint64_t bytes);
  /// Gives back what allocate() returned; false if it did not return this.
  bool release(std::uint32_t address);
  std::uint64_t free_bytes() const;

 private:
  struct Block {
    RangeAllocator free;              // granules, counted from the block's first
    std::uint32_t granules = 0;       // of its allocations
    std::uint32_t used_granules = 0;  // no released allocation reaches beyond
  };
  struct Allocation {
    std::uint32_t block = 0, granules = 0;
  };
  std::uint32_t new_block(std::uint64_t bytes);

  Backend& backend_;
  const Placement placement_;
  std::map<std::uint32_t, Block> blocks_;            // by address; none if guarded
  std::map<std::uint32_t, Allocation> allocations_;  // by address
  unsigned num_allocations_ = 0;                     // ever: names them in messages
};

}  // namespace g80::cuda
