// SPDX-License-Identifier: Apache-2.0
// The launch of a kernel for the golden reference: shape, resources, parameters, constant banks, textures, options.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "hw/common/limits.h"
#include "hw/common/types.h"
#include "tb/golden/texture_math.h"

namespace g80::golden {

// Every row of hw/config/policies.def is a value; only the values that other code uses have a name here.
enum class FirstPath : std::uint8_t { kTaken, kFallthrough };  // sm.divergence_first
enum class BarrierCount : std::uint8_t { kLive, kLaunched };   // sm.barrier_expected

/// A g[] space: byte addresses base .. base+limit of memory. CUDA uses g14 over the whole address space.
struct GlobalSpace {
  bool enabled = true;
  std::uint32_t base = 0;
  std::uint32_t limit = 0xffffffffu;
};

inline constexpr unsigned kHeaderWords = 4;  // block and grid at the start of s[], before the parameters

struct Launch {
  std::uint32_t grid_x = 1, grid_y = 1;
  std::uint32_t block_x = 1, block_y = 1, block_z = 1;
  std::uint32_t threads = 0;  // per block that run; 0 means the block's product
  std::uint32_t start_pc = 0;
  std::uint32_t registers = 128;                 // per thread
  std::uint32_t shared_bytes = kMaxSharedBytes;  // header and parameters included
  std::uint32_t local_bytes = 0;                 // per thread
  std::uint32_t stack_depth = kMaxStackDepth;
  std::uint32_t call_limit = 0;      // nesting of limited calls; 0 is none
  std::uint32_t lock_flags = 256;    // of s[]; a word's is its number modulo this
  std::uint32_t locks_per_warp = 1;  // words a warp may hold locked
  std::uint16_t grid_id = 0;
  std::vector<std::uint32_t> params;  // words from s[0x10]
  std::array<std::vector<std::uint8_t>, kNumConstBanks> constant;
  std::array<GlobalSpace, kNumGlobalSpaces> global;
  std::array<TextureHeader, kMaxTextures> texture;
  std::array<Sampler, kMaxSamplers> sampler;

  FirstPath first_path = FirstPath::kTaken;          // side of a divergent branch that runs first
  BarrierCount barrier_count = BarrierCount::kLive;  // whether exited warps still count at a barrier

  std::uint32_t block_threads() const { return threads ? threads : block_x * block_y * block_z; }
  std::uint32_t warps_per_block() const { return (block_threads() + kWarpSize - 1) / kWarpSize; }
  std::uint32_t num_blocks() const { return grid_x * grid_y; }
};

}  // namespace g80::golden
