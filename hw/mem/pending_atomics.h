// SPDX-License-Identifier: Apache-2.0
// The atomics of a partition: a place for each from its start until it has been written back and its reply has been
// read. Nothing may follow an atomic to its burst before that is written back, so each transaction is compared with all
// places at once, whatever its size: its address is aligned to its bytes, so a mask of the low bits is enough.
//
// A place costs 29 flip-flops and a comparator of 27 bits. 32 of them are a quarter of what the window of the DRAM
// controller has to keep the order of a sector. An atomic lives for the way to DRAM and back and for the stages of the
// unit and of the reply, about 80 core cycles of an unloaded G80; at one atomic every four cycles that is 20 places.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/check.h"
#include "hw/common/fields.h"
#include "hw/common/set_bits.h"

namespace g80 {

struct PendingAtomics {
  static constexpr unsigned kPlaces = 32;

  std::uint32_t taken = 0;                     // bit i: place i has an atomic
  std::uint32_t pending = 0;                   // bit i: it has not been written back
  std::array<std::uint32_t, kPlaces> burst{};  // its address in the partition

  bool full() const { return taken == ~std::uint32_t{0}; }
  /// A transaction on these bytes would follow an atomic. This is where an access is found to wait for an atomic.
  bool blocks(std::uint32_t address, unsigned bytes, unsigned burst_bytes) const {
    const std::uint32_t differing = ~((bytes > burst_bytes ? bytes : burst_bytes) - 1);
    for (const unsigned place : set_bits(pending)) {
      if (((burst[place] ^ address) & differing) == 0) return true;
    }
    return false;
  }
  /// Returns its place.
  unsigned enter(std::uint32_t of_burst) {
    CHECK(!full(), "more than {} atomics in a partition", kPlaces);
    const auto place = static_cast<unsigned>(__builtin_ctz(~taken));
    taken |= 1u << place;
    pending |= 1u << place;
    burst[place] = of_burst;
    return place;
  }
  void written_back(unsigned place) { pending &= ~(1u << place); }
  void leave(unsigned place) { taken &= ~(1u << place); }

  G80_FIELDS(taken, pending, burst);
};

}  // namespace g80
