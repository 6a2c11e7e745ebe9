// SPDX-License-Identifier: Apache-2.0
// The machine's fixed sizes and the scalar types every module shares.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/common/field_list.h"

// What runs at each edge is compiled into the blocks: other copies of it, as those of hw/bundles/ports.cpp, are hardly
// optimised, and what is put together for a call goes through memory.
#define G80_INLINE [[gnu::always_inline]] inline

namespace g80 {

inline constexpr unsigned kWarpSize = 32;              // lanes in a warp
inline constexpr unsigned kHalfWarp = 16;              // lanes of one memory request
inline constexpr unsigned kNumSpLanes = 8;             // scalar processors in an SM
inline constexpr unsigned kNumSmemBanks = 16;          // shared-memory banks, 32 bits each
inline constexpr unsigned kSectorBytes = 32;           // one DRAM burst of a partition
inline constexpr unsigned kMaxTransactionBytes = 128;  // of one memory transaction

using LaneMask = std::uint32_t;     // bit l = lane l of the warp
using HalfMask = std::uint16_t;     // bit l = lane l of the half-warp
using Cycle = std::uint64_t;        // edge number of a clock domain
using Picoseconds = std::uint64_t;  // simulated time

/// Most often these are all lanes, and the host counts bits slowly.
inline unsigned count_lanes(LaneMask lanes) {
  return lanes == ~LaneMask{0} ? kWarpSize : static_cast<unsigned>(__builtin_popcount(lanes));
}

inline constexpr unsigned kCacheLine = 64;  // bytes, of the host

inline constexpr Cycle kNever = ~Cycle{0};       // an edge that does not come
inline constexpr unsigned kSchedulerPeriod = 2;  // shader edges of a step of a block that runs at half rate

/// One 32-bit value per lane.
struct alignas(64) LaneWords {
  std::uint32_t lane[kWarpSize];
  G80_FIELDS(lane);
  std::uint32_t& operator[](unsigned i) { return lane[i]; }
  const std::uint32_t& operator[](unsigned i) const { return lane[i]; }
};
/// The four condition flags (bit 0 Z, 1 S, 2 C, 3 O) of one `$c` register per lane.
struct alignas(32) LaneFlags {
  std::uint8_t lane[kWarpSize];
  G80_FIELDS((lane, 4));
  std::uint8_t& operator[](unsigned i) { return lane[i]; }
  const std::uint8_t& operator[](unsigned i) const { return lane[i]; }
};

/// Debug tag of an instruction or copy in flight, in every bundle (`uid` in waves, hexadecimal everywhere: 0x2000007
/// is the seventh instruction of SM 2). Bits 31:24 are the SM, kNoSm for a copy; the others count from 1, and 0 means
/// none. It never affects behaviour.
struct Tag {
  std::uint32_t bits = 0;
  static Tag make(unsigned sm, std::uint32_t sequence) { return {(std::uint32_t{sm} << 24) | (sequence & 0xffffffu)}; }
};

}  // namespace g80
