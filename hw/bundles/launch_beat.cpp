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
  written |= row + 1 == kParam;
}

void store_row(const LaunchBeat& beat, LaunchState& launch, std::array<std::uint32_t, kMaxUserParams>& param) {
  using namespace launch_row;
  const unsigned row = beat.row;
  const auto low = static_cast<std::uint32_t>(beat.data), high = static_cast<std::uint32_t>(beat.data >> 32);
  const auto half = [&](unsigned i) { return static_cast<std::uint16_t>(beat.data >> 16 * i); };
  const auto byte = [&](unsigned i) { return static_cast<std::uint8_t>(beat.data >> 8 * i); };
  if (is_of_texture(row) || row >= kEnd) return;
  if (row == kLimits) {
    launch.registers = byte(0);
    launch.number = byte(1);
    launch.num_params = byte(2);
    launch.call_limit_log = byte(3);
    for (unsigned i = 0; i < kNumConstBanks; ++i) launch.const_bank[i].valid = (half(2) >> i & 1) != 0;
    for (unsigned i = 0; i < kNumGlobalSpaces; ++i) launch.global[i].enabled = (half(3) >> i & 1) != 0;
  } else if (row >= kParam) {
    param[2 * (row - kParam)] = low;
    param[2 * (row - kParam) + 1] = high;
  } else if (row >= kConstBank) {
    launch.const_bank[row - kConstBank].address = low;
    launch.const_bank[row - kConstBank].bytes = high & 0x1ffff;
  } else if (row >= kGlobal) {
    launch.global[row - kGlobal].base = low;
    launch.global[row - kGlobal].limit = high;
  } else if (row == kCode) {
    launch.code_base = low;
    launch.start_pc = high & 0xffffff;
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
  } else if (row == kLocal) {
    launch.local_base = low;
    launch.local_bytes = high & 0x1ffff;
  } else {
    launch.stack_base = low;
    launch.stack_depth = high & 0x1fff;
  }
}

std::vector<LaunchBeat> sm_rows(const LaunchState& launch, const std::array<std::uint32_t, kMaxUserParams>& param) {
  using namespace launch_row;
  std::vector<LaunchBeat> rows;
  const auto pair = [&](unsigned row, std::uint64_t low, std::uint64_t high) {
    rows.push_back({true, static_cast<std::uint8_t>(row), low | high << 32});
  };
  const auto halves = [](std::uint32_t low, std::uint32_t high) { return low | high << 16; };
  pair(kCode, launch.code_base, launch.start_pc);
  pair(kGrid, halves(launch.grid_x, launch.grid_y), halves(launch.block_x, launch.block_y));
  pair(kBlock, halves(launch.block_z, launch.threads), halves(launch.shared_bytes, launch.grid_id));
  pair(kLocal, launch.local_base, launch.local_bytes);
  pair(kStack, launch.stack_base, launch.stack_depth);
  std::uint32_t banks = 0, spaces = 0;
  for (unsigned i = 0; i < kNumGlobalSpaces; ++i) {
    pair(kGlobal + i, launch.global[i].base, launch.global[i].limit);
    spaces |= std::uint32_t{launch.global[i].enabled} << i;
  }
  for (unsigned i = 0; i < kNumConstBanks; ++i) {
    pair(kConstBank + i, launch.const_bank[i].address, launch.const_bank[i].bytes);
    banks |= std::uint32_t{launch.const_bank[i].valid} << i;
  }
  for (unsigned i = 0; i < launch.num_params; i += 2) pair(kParam + i / 2, param[i], param[i + 1]);
  const std::uint32_t counts =
      halves(launch.registers | launch.number << 8u, launch.num_params) | std::uint32_t{launch.call_limit_log} << 24;
  pair(kLimits, counts, halves(banks, spaces));
  return rows;
}

}  // namespace g80
