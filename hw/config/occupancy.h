// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel fit on one SM, and which launches a device accepts. The block scheduler, the driver and
// the reports all use these functions, so they cannot disagree.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hw/config/config.h"

namespace g80 {

struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;  // with the 16-byte header and the parameters
  bool operator!=(const BlockNeeds& other) const {
    return threads != other.threads || registers_per_thread != other.registers_per_thread ||
           shared_bytes != other.shared_bytes;
  }
};

/// What an SM sets aside for one block: the needs rounded up to the allocation granules.
struct BlockAllocation {
  std::uint32_t warps = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
};

/// The resources that can run out, in the order in which a tie is named: what the programmer chose comes first.
enum class SmResource : std::uint8_t { kBlocks, kThreads, kWarps, kRegisters, kShared };
inline constexpr std::size_t kNumSmResources = 5;
constexpr std::array<Choice<SmResource>, kNumSmResources> choices(SmResource) {
  return {{{SmResource::kBlocks, "blocks"},
           {SmResource::kThreads, "threads"},
           {SmResource::kWarps, "warps"},
           {SmResource::kRegisters, "registers"},
           {SmResource::kShared, "shared memory"}}};
}

struct Occupancy {
  std::uint32_t blocks = 0;  // resident on one SM; 0 when a single block does not fit
  std::uint32_t warps = 0;
  SmResource limit = SmResource::kBlocks;                  // what the next block would lack
  std::array<std::uint32_t, kNumSmResources> blocks_by{};  // how many blocks each resource alone allows
};

/// This is where a block's needs become an allocation.
BlockAllocation allocate_block(const Config& config, const BlockNeeds& needs);

/// This is where it is decided how many equal blocks share an SM.
Occupancy occupancy(const Config& config, const BlockNeeds& needs);

/// A launch as requested by the host.
struct LaunchShape {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t registers_per_thread = 0;
  std::uint64_t shared_bytes = 0;  // with the 16-byte header and the parameters
  std::size_t num_params = 0;      // words
};

/// What a block takes: its kernel's own bytes and those that the launch adds, which may be any number of a program.
std::uint64_t block_shared_bytes(std::uint32_t own, std::uint64_t dynamic);

/// Why a device cannot run a launch.
struct LaunchRefusal {
  std::string text;  // one sentence naming value and limit
  bool of_sizes;     // of grid or block; otherwise a block needs more than an SM has
};
std::optional<LaunchRefusal> launch_refusal(const Config& config, const LaunchShape& shape);

}  // namespace g80
