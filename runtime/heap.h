// SPDX-License-Identifier: Apache-2.0
// The heap of a CUDA program: allocations of multiples of 256 bytes, adjacent as on the chip, in consecutive blocks of
// whole pages. So a read just before or after a buffer accesses its neighbour. A guarded heap instead
// leaves unmapped addresses after each allocation.
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
  /// Frees an allocation; false if allocate() did not return this address.
  bool release(std::uint32_t address);
  std::uint64_t free_bytes() const;

 private:
  struct Block {
    RangeAllocator free;              // granules, counted from the block's first
    std::uint32_t granules = 0;       // of its allocations
    std::uint32_t used_granules = 0;  // no released allocation reaches further
  };
  struct Allocation {
    std::uint32_t block = 0, granules = 0;
  };
  std::uint32_t new_block(std::uint64_t bytes);

  Backend& backend_;
  const Placement placement_;
  std::map<std::uint32_t, Block> blocks_;            // by address; none if guarded
  std::map<std::uint32_t, Allocation> allocations_;  // by address
  unsigned num_allocations_ = 0;                     // total so far: numbers them in messages
};

}  // namespace g80::cuda
