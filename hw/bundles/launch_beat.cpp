// SPDX-License-Identifier: Apache-2.0
#include "hw/bundles/launch_beat.h"

namespace g80 {
namespace {

void store_texture_row(unsigned row, std::uint64_t data, TextureBindings& textures) {
  using namespace launch_row;
  const auto low = static_cast<std::uint32_t>(data), high = static_cast<std::uint32_t>(data >> 32);
  const auto word = [](std::uint32_t bits) { return TableBinding{bits >> 31 != 0, bits & 0x7fffffff}; };
  if (row >= kTexture) {
    textures.texture[2 * (row - kTexture)] = word(low);
    textures.texture[2 * (row - kTexture) + 1] = word(high);
  } else if (row >= kSampler) {
    for (unsigned i = 0; i < 4; ++i) {
      const auto bits = static_cast<std::uint32_t>(data >> 16 * i);
      textures.sampler[4 * (row - kSampler) + i] = {(bits & 0x8000) != 0, bits & 0x7fff};
    }
  } else if (row == kTables) {
    textures.header_base = low;
    textures.last_header = high;
  } else {
    textures.sampler_base = low;
    textures.last_sampler = high;
  }
}

}  // namespace

void store_row(const LaunchBeat& beat, LaunchState& launch, TextureBindings& textures) {
  using namespace launch_row;
  const unsigned row = beat.row;
  const auto low = static_cast<std::uint32_t>(beat.data), high = static_cast<std::uint32_t>(beat.data >> 32);
  const auto half = [&](unsigned i) { return static_cast<std::uint16_t>(beat.data >> 16 * i); };
  const auto byte = [&](unsigned i) { return static_cast<std::uint8_t>(beat.data >> 8 * i); };
  if (row >= kTables) {
    store_texture_row(row, beat.data, textures);
  } else if (row >= kParam) {
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
    launch.num_barriers = byte(1);
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
