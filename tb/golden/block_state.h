// SPDX-License-Identifier: Apache-2.0
// The architectural state of a warp and of a block.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "hw/common/limits.h"
#include "hw/common/types.h"
#include "tb/golden/launch.h"
#include "tb/golden/lock_table.h"

namespace g80::golden {

/// Types of control-stack entries, numbered as the chip stores them.
enum class EntryType : std::uint8_t { kBranch = 1, kCall = 2, kCallLimited = 3, kBreak = 4, kQuadon = 5, kJoinat = 6 };

struct StackEntry {
  EntryType type;
  std::uint32_t pc;  // byte address
  LaneMask mask;
};

/// A 16-bit address register in every lane.
struct alignas(64) LaneHalves {
  std::uint16_t lane[kWarpSize];
  std::uint16_t& operator[](unsigned i) { return lane[i]; }
  const std::uint16_t& operator[](unsigned i) const { return lane[i]; }
};

inline constexpr unsigned kNumAddressRegisters = 5;  // $a0 (reads 0) .. $a4
inline constexpr std::uint8_t kNoBarrier = 0xff;

struct WarpState {
  std::uint32_t pc = 0;
  LaneMask active = 0;
  LaneMask populated = 0;  // lanes that hold a thread
  LaneMask broke = 0, returned = 0, exited = 0;
  std::uint16_t index = 0;            // within the block
  std::uint8_t waiting = kNoBarrier;  // barrier the warp waits at
  bool finished = false;
  bool quad_mode = false;
  std::uint32_t limited_calls = 0;  // kCallLimited entries on the stack
  std::uint64_t retired = 0;        // instructions executed
  std::vector<StackEntry> stack;
  std::vector<LaneWords> r;
  std::array<LaneFlags, 4> c{};
  std::array<LaneHalves, kNumAddressRegisters> a{};
  std::vector<std::uint8_t> local;  // lane-major: lane * local_bytes + offset

  /// Lanes in state 0.
  LaneMask runnable() const { return populated & ~(broke | returned | exited); }
};

struct BarrierState {
  std::uint32_t arrived = 0;  // warps
};

/// An error of the kernel that does not stop it.
enum class Defect : std::uint8_t { kNone, kPartialWarpAtBarrier, kBarrierMissedByExitedWarp };
const char* defect_text(Defect defect);

struct BlockState {
  std::uint32_t index = 0;  // ctaid.x + nctaid.x * ctaid.y
  std::vector<std::uint8_t> shared;
  std::array<BarrierState, kMaxBarriers> barrier{};
  LockTable locks;  // of s[]; lock-step uses the SM's locks instead
  std::vector<WarpState> warps;
  std::uint32_t unfinished = 0;   // warps
  std::uint32_t waiting = 0;      // warps at a barrier
  Defect defect = Defect::kNone;  // first one seen
  std::uint32_t defect_pc = 0;

  /// Block `index` of a launch, ready to run: header and parameters in s[], thread ids in $r0, everything else zero.
  void start(const Launch& launch, std::uint32_t block_index);
};

}  // namespace g80::golden
