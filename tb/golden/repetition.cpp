// SPDX-License-Identifier: Apache-2.0
#include "tb/golden/repetition.h"

#include "hw/common/set_bits.h"
#include "tb/golden/step.h"

namespace g80::golden {

void Repetition::begin(std::uint64_t instruction, std::uint64_t changes) {
  since_ = instruction;
  changes_ = changes;
  compared_ = renewed_ = 0;
  compares_ = false;
}

// Brent's method: the state to compare with is taken anew each time twice as many have been compared, so it is in the
// cycle at last, whatever came before.
bool Repetition::is_seen(const std::vector<BlockState>& blocks, std::uint64_t instruction, std::uint64_t changes) {
  if (changes != changes_) begin(instruction, changes);
  if (instruction - since_ < kPatience) return false;
  if (!compares_) {
    compares_ = true;
    deciding_ = {};
  }
  if (!deciding_.settled()) return false;
  std::vector<std::uint64_t> now = places(blocks);
  if (compared_ != 0 && now == places_ && digest(blocks) == digest_) return true;
  if (++compared_ < 2 * renewed_) return false;
  renewed_ = compared_;
  places_ = std::move(now);
  digest_ = digest(blocks);
  return false;
}

std::vector<std::uint64_t> Repetition::places(const std::vector<BlockState>& blocks) {
  std::vector<std::uint64_t> places;
  for (const BlockState& block : blocks) {
    for (const WarpState& warp : block.warps) places.push_back(std::uint64_t{warp.pc} << 32 | warp.active);
  }
  return places;
}

std::uint64_t Repetition::digest(const std::vector<BlockState>& blocks) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3u, hash ^= hash >> 29; };
  for (const BlockState& block : blocks) {
    for (const WarpState& warp : block.warps) {
      mix(warp.broke), mix(warp.returned), mix(warp.exited), mix(warp.waiting), mix(warp.quad_mode), mix(warp.finished);
      mix(warp.limited_calls);
      for (const StackEntry& entry : warp.stack)
        mix(static_cast<std::uint64_t>(entry.type)), mix(entry.pc), mix(entry.mask);
      using Kind = DecidingRegisters::Kind;
      deciding_.for_each(warp.pc, warp.active, [&](Kind kind, unsigned number, LaneMask lanes) {
        mix(std::uint64_t{lanes} << 16 | number << 8 | static_cast<unsigned>(kind));
        for (const unsigned l : set_bits(lanes)) {
          mix(kind == Kind::kRegister ? register_of(warp, number)[l]
              : kind == Kind::kFlags  ? warp.c[number][l]
                                      : warp.a[number][l]);
        }
      });
      for (const std::uint8_t byte : warp.local) mix(byte);
    }
    for (const std::uint8_t byte : block.shared) mix(byte);
    for (const BarrierState& barrier : block.barrier) mix(barrier.arrived);
    block.locks.for_each([&](std::uint32_t flag, unsigned warp) { mix(flag), mix(warp); });
  }
  return hash;
}

}  // namespace g80::golden
