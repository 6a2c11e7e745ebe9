// SPDX-License-Identifier: Apache-2.0
#include "hw/config/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t granule) { return (value + granule - 1) / granule * granule; }

std::uint32_t saturated(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

/// Blocks that fit when each takes `share` of `total`. A share of 0 sets no limit.
std::uint32_t fits(std::uint32_t total, std::uint32_t share) {
  return share == 0 ? std::numeric_limits<std::uint32_t>::max() : total / share;
}

}  // namespace

BlockAllocation allocate_block(const Config& config, const BlockNeeds& needs) {
  const std::uint64_t warps = (std::uint64_t{needs.threads} + kWarpSize - 1) / kWarpSize;
  const std::uint64_t registers =
      round_up(warps, config.sm.warp_granule) * kWarpSize * std::min(needs.registers_per_thread, 0xffffu);
  return {saturated(warps), saturated(round_up(registers, config.sm.register_granule)),
          saturated(round_up(needs.shared_bytes, config.sm.shared_granule))};
}

Occupancy occupancy(const Config& config, const BlockNeeds& needs) {
  const BlockAllocation block = allocate_block(config, needs);
  Occupancy result;
  result.blocks_by = {config.sm.max_ctas, fits(config.sm.max_threads, needs.threads),
                      fits(config.sm.max_warps, block.warps), fits(config.sm.num_registers, block.registers),
                      fits(config.sm.shared_bytes, block.shared_bytes)};
  const auto scarcest = std::min_element(result.blocks_by.begin(), result.blocks_by.end());
  result.blocks = *scarcest;
  result.warps = result.blocks * block.warps;
  result.limit = static_cast<SmResource>(scarcest - result.blocks_by.begin());
  return result;
}

std::uint64_t block_shared_bytes(std::uint32_t own, std::uint64_t dynamic) {
  return own + std::min(dynamic, std::numeric_limits<std::uint64_t>::max() - own);
}

std::optional<LaunchRefusal> launch_refusal(const Config& config, const LaunchShape& shape) {
  const auto& device = config.device;
  const std::array<std::uint32_t, 3> max_grid{device.max_grid, device.max_grid, 1};
  const std::array<std::uint32_t, 3> max_block{device.max_block_x, device.max_block_y, device.max_block_z};
  constexpr std::array<char, 3> kAxis{'x', 'y', 'z'};
  for (std::size_t i = 0; i < kAxis.size(); ++i) {
    if (shape.grid[i] < 1 || shape.grid[i] > max_grid[i]) {
      return LaunchRefusal{
          fmt::format("grid dimension {} is {}, but must be from 1 to {}", kAxis[i], shape.grid[i], max_grid[i]), true};
    }
    if (shape.block[i] < 1 || shape.block[i] > max_block[i]) {
      return LaunchRefusal{
          fmt::format("block dimension {} is {}, but must be from 1 to {}", kAxis[i], shape.block[i], max_block[i]),
          true};
    }
  }
  const std::uint64_t threads = std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
  if (threads > device.max_threads_per_block) {
    return LaunchRefusal{
        fmt::format("a block of {} x {} x {} has {} threads, but at most {} are allowed", shape.block[0],
                    shape.block[1], shape.block[2], threads, device.max_threads_per_block),
        true};
  }
  if (shape.num_params > kMaxUserParams) {
    return LaunchRefusal{
        fmt::format("the parameters take {} bytes, but at most {} fit", 4 * shape.num_params, 4 * kMaxUserParams),
        false};
  }
  if (shape.registers_per_thread > kMaxRegistersPerThread) {
    return LaunchRefusal{fmt::format("the kernel uses {} registers per thread, but instructions can name only {}",
                                     shape.registers_per_thread, kMaxRegistersPerThread),
                         false};
  }
  const BlockNeeds needs{static_cast<std::uint32_t>(threads), shape.registers_per_thread,
                         saturated(shape.shared_bytes)};
  const BlockAllocation block = allocate_block(config, needs);
  if (block.registers > config.sm.num_registers) {
    return LaunchRefusal{
        fmt::format("a block of {} threads with {} registers each takes {} registers, but an SM has {}", threads,
                    shape.registers_per_thread, block.registers, config.sm.num_registers),
        false};
  }
  if (block.shared_bytes > config.sm.shared_bytes) {
    return LaunchRefusal{
        fmt::format("a block takes {} bytes of shared memory (header and parameters included), but an SM has {}",
                    shape.shared_bytes, config.sm.shared_bytes),
        false};
  }
  return std::nullopt;
}

}  // namespace g80
