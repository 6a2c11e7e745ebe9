// SPDX-License-Identifier: Apache-2.0
#include "hw/bundles/launch_beat.h"

namespace g80 {

void TextureBindings::store(unsigned row, std::uint64_t data) {
  using namespace launch_row;
  const auto low = static_cast<std::uint32_t>(data), high = static_cast<std::uint32_t>(data >> 32);
  if (row >= kTexture) {
    texture_row[row - kTexture] = data;
  } else if (row >= kSampler) {
    sampler_row[row - kSampler] = data;
  } else if (row == kTables) {
    header_base = low;
    last_header = high;
  } else {
    sampler_base = low;
    last_sampler = high;
  }
  written |= row + 1 == kEnd;
}

void store_row(const LaunchBeat& beat, LaunchState& launch) {
  using namespace launch_row;
  const unsigned row = beat.row;
  const auto low = static_cast<std::uint32_t>(beat.data), high = static_cast<std::uint32_t>(beat.data >> 32);
  const auto half = [&](unsigned i) { return static_cast<std::uint16_t>(beat.data >> 16 * i); };
  const auto byte = [&](unsigned i) { return static_cast<std::uint8_t>(beat.data >> 8 * i); };
  if (row >= kParam) {
    launch.param[2 * (row - kParam)] = low;
    launch.param[2 * (row - kParam) + 1] = high;
  } else if (row >= kConstBank) {
    launch.const_bank[row - kConstBank].address = low;
    launch.const_bank[row - kConstBank].bytes = high;
  } else if (row >= kGlobal) {
    launch.global[row - kGlobal].base = low;
    launch.global[row - kGlobal].limit = high;
  } else if (row == kCode) {
    launch.code_base = low;
    launch.start_pc = high;
  } else if (row == kGrid) {
    launch.grid_x = half(0);
    launch.grid_y = half(1);
    launch.block_x = half(2);
    launch.block_y = half(3);
  } else if (row == kBlock) {
    launch.block_z = half(0);
    launch.threads = half(1);
    launch.shared_bytes = half(2);
    launch.grid_id = half(3);
  } else if (row == kLimits) {
    launch.registers = byte(0);
    launch.num_params = byte(2);
    launch.call_limit_log = byte(3);
    for (unsigned i = 0; i < kNumConstBanks; ++i) launch.const_bank[i].valid = (half(2) >> i & 1) != 0;
    for (unsigned i = 0; i < kNumGlobalSpaces; ++i) launch.global[i].enabled = (half(3) >> i & 1) != 0;
  } else if (row == kLocal) {
    launch.local_base = low;
    launch.local_bytes = high;
  } else {
    launch.stack_base = low;
    launch.stack_depth = high;
  }
}

}  // namespace g80
