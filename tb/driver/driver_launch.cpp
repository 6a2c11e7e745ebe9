// SPDX-License-Identifier: Apache-2.0
// The driver's launches: the push-buffer methods of one kernel.
#include <algorithm>

#include "hw/bundles/stack_bundles.h"
#include "tb/driver/driver.h"

namespace g80 {
namespace {

constexpr std::uint32_t kSharedUnit = 64;  // SHARED_SIZE counts in units of 64 bytes
constexpr std::uint32_t kUnlimitedCalls = 0xf;
constexpr std::uint32_t kSmallestLocal = 16;  // LOCAL_SIZE_LOG 1

std::uint32_t log2_floor(std::uint32_t value) { return 31 - static_cast<std::uint32_t>(__builtin_clz(value)); }

std::uint32_t power_of_two_from(std::uint32_t value) {
  std::uint32_t power = 1;
  while (power < value) power *= 2;
  return power;
}

std::uint64_t num_warp_slots(const Config& config) {
  return std::uint64_t{config.gpu.num_tpcs} * config.gpu.sms_per_tpc * config.sm.max_warps;
}

}  // namespace

void Driver::launch(const LoadedKernel& loaded, const Launch& launch) {
  start();
  if (stuck_) settle();
  const Kernel& kernel = *loaded.kernel;
  const LaunchShape& shape = launch.shape;
  const auto& [grid_x, grid_y, grid_z] = shape.grid;
  const auto& [block_x, block_y, block_z] = shape.block;
  const auto num_params = static_cast<std::uint32_t>(launch.params.size());
  max_cycles_ = launch.max_cycles;

  PushBuffer buffer;
  write_local(buffer, kernel.lmem);
  write_banks(buffer, loaded);
  write_spaces(buffer);
  write_textures(buffer);
  // First what a block needs: it is worked out while the rest arrives.
  buffer.write(method::kCpRegAllocTemp, {shape.registers_per_thread});
  buffer.write(method::kSharedSize, {round_up(static_cast<std::uint32_t>(shape.shared_bytes), kSharedUnit)});
  buffer.write(method::kBlockdimXy, {block_y << 16 | block_x, block_z});
  buffer.write(method::kBlockAlloc, {std::min(kernel.bar, kMaxBarriers) << 16 | block_x * block_y * block_z});
  buffer.write(method::kBlockdimLatch, {1});
  buffer.write(method::kCpAddressHigh, {0, loaded.code_base});
  buffer.write(method::kCpStartId, {loaded.start});
  buffer.write(method::kStackSizeLog, {log2_floor(config_.sm.stack_depth) + 1, kUnlimitedCalls});
  buffer.write(method::kWatchdogTimer, {0});  // off: the testbench has its own
  buffer.write(method::kUserParamCount, {num_params << 8});
  buffer.write(method::kUserParam, launch.params.data(), num_params);
  buffer.write(method::kGridId, {static_cast<std::uint32_t>(reports_.size()) & 0xffff});
  buffer.write(method::kGridDim, {grid_y << 16 | grid_x});
  if (code_changed_) buffer.write(method::kCodeCbFlush, {0});
  code_changed_ = false;
  buffer.write(method::kLaunch, {0});
  ask_fence(buffer);
  push(buffer);
  reports_.push_back({&loaded, {}, 0});
}

void Driver::map_stacks() {
  const std::uint64_t entries = num_warp_slots(config_) << log2_floor(config_.sm.stack_depth);
  stack_memory_ = map(entries * kStackEntryBytes, "control stacks", Placement::kLast);
}

void Driver::write_local(PushBuffer& buffer, std::uint32_t bytes_per_thread) {
  if (bytes_per_thread == 0) {
    buffer.write(method::kLocalSizeLog, {0});
    return;
  }
  const std::uint32_t per_thread = std::max(kSmallestLocal, power_of_two_from(bytes_per_thread));
  const std::uint64_t bytes = num_warp_slots(config_) * kWarpSize * per_thread;
  if (bytes > local_bytes_) {
    if (local_memory_ != 0) free(local_memory_);
    local_memory_ = local_bytes_ = 0;
    local_memory_ = alloc(bytes, "local memory");
    local_bytes_ = static_cast<std::uint32_t>(bytes);
  }
  buffer.write(method::kLocalAddressHigh, {0, local_memory_, log2_floor(per_thread / 8)});
}

void Driver::write_banks(PushBuffer& buffer, const LoadedKernel& kernel) const {
  for (std::uint32_t bank = 0; bank < kNumConstBanks; ++bank) {
    const LoadedKernel::Bank& bytes = kernel.bank[bank];
    if (bytes.bytes == 0) {
      buffer.write(method::kSetProgramCb, {bank << 8});
      continue;
    }
    buffer.write(method::kCbDefAddressHigh, {0, bytes.address, bank << 16 | (bytes.bytes & 0xffff)});
    buffer.write(method::kSetProgramCb, {bank << 12 | bank << 8 | 1});
  }
}

void Driver::write_spaces(PushBuffer& buffer) const {
  for (std::uint32_t i = 0; i < kNumGlobalSpaces; ++i) {
    const GlobalSetting& space = global_[i];
    buffer.write(method::kGlobal + i * method::kGlobalStride,
                 {0, space.base, 0, space.enabled ? space.limit : 0, space.enabled ? 1u : 0u});
  }
}

void Driver::write_textures(PushBuffer& buffer) {
  if (headers_ == 0) return;
  buffer.write(method::kTicAddressHigh, {0, headers_, kMaxTextures - 1});
  buffer.write(method::kTscAddressHigh, {0, samplers_, kMaxSamplers - 1});
  buffer.write(method::kTexLimits, {log2_floor(kMaxTextures) << 4 | log2_floor(kMaxSamplers)});
  for (std::uint32_t unit = 0; unit < kMaxTextures; ++unit) {
    if (!texture_bound_[unit]) continue;
    buffer.write(method::kBindTic, {unit << 9 | unit << 1 | 1});
    if (unit < kMaxSamplers) buffer.write(method::kBindTsc, {unit << 12 | unit << 4 | 1});
  }
  // An earlier kernel may have written the texture's memory.
  buffer.write(method::kTexCacheCtl, {kTexCacheFlush << 4});
}

}  // namespace g80
