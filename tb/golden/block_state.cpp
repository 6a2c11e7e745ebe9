// SPDX-License-Identifier: Apache-2.0
// Block start: initial contents of shared memory and registers.
#include "tb/golden/block_state.h"

#include <algorithm>

namespace g80::golden {
namespace {

constexpr std::uint32_t kParamBase = kHeaderWords * 4;

void put_half(std::vector<std::uint8_t>& bytes, std::uint32_t address, std::uint32_t value) {
  if (address + 2 > bytes.size()) return;
  bytes[address] = static_cast<std::uint8_t>(value);
  bytes[address + 1] = static_cast<std::uint8_t>(value >> 8);
}

/// $r0: tid.x in bits 15:0, tid.y in 25:16, tid.z in 31:26.
std::uint32_t thread_id(const Launch& launch, std::uint32_t linear) {
  const std::uint32_t x = linear % launch.block_x, yz = linear / launch.block_x;
  return (x & 0xffffu) | (yz % launch.block_y & 0x3ffu) << 16 | (yz / launch.block_y & 0x3fu) << 26;
}

}  // namespace

const char* defect_text(Defect defect) {
  switch (defect) {
    case Defect::kPartialWarpAtBarrier: return "a barrier was executed by part of a warp";
    case Defect::kBarrierMissedByExitedWarp: return "a barrier was never reached by warps that exited";
    default: return "none";
  }
}

void BlockState::start(const Launch& launch, std::uint32_t block_index) {
  index = block_index;
  defect = Defect::kNone;
  barrier.fill({});
  shared.assign(launch.shared_bytes, 0);
  locks.start(launch.lock_flags, launch.locks_per_warp);
  const std::uint32_t header[8] = {launch.grid_id,
                                   launch.block_x,
                                   launch.block_y,
                                   launch.block_z,
                                   launch.grid_x,
                                   launch.grid_y,
                                   block_index % launch.grid_x,
                                   block_index / launch.grid_x};
  for (std::uint32_t i = 0; i < 8; ++i) put_half(shared, i * 2, header[i]);
  for (std::uint32_t i = 0; i < launch.params.size(); ++i) {
    put_half(shared, kParamBase + i * 4, launch.params[i]);
    put_half(shared, kParamBase + i * 4 + 2, launch.params[i] >> 16);
  }

  const std::uint32_t threads = launch.block_threads();
  warps.resize(launch.warps_per_block());
  for (std::uint32_t w = 0; w < warps.size(); ++w) {
    WarpState& warp = warps[w];
    const std::uint32_t lanes = std::min(threads - w * kWarpSize, std::uint32_t{kWarpSize});
    warp.pc = launch.start_pc;
    warp.populated = lanes == kWarpSize ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
    warp.active = warp.populated;
    warp.broke = warp.returned = warp.exited = 0;
    warp.index = static_cast<std::uint16_t>(w);
    warp.waiting = kNoBarrier;
    warp.finished = false;
    warp.quad_mode = false;
    warp.limited_calls = 0;
    warp.retired = 0;
    warp.stack.clear();
    warp.r.assign(std::min(launch.registers, kMaxRegistersPerThread), LaneWords{});
    warp.c = {};
    warp.a = {};
    warp.local.assign(std::size_t{launch.local_bytes} * kWarpSize, 0);
    if (!warp.r.empty()) {
      for (unsigned l = 0; l < lanes; ++l) warp.r[0][l] = thread_id(launch, w * kWarpSize + l);
    }
  }
  unfinished = static_cast<std::uint32_t>(warps.size());
  waiting = 0;
}

}  // namespace g80::golden
