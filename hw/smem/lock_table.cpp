// SPDX-License-Identifier: Apache-2.0
#include "hw/smem/lock_table.h"

#include "hw/common/set_bits.h"

namespace g80 {

HalfMask grant_locks(HalfMask lanes, const HalfFlags& flag, HalfMask taken, unsigned allowed) {
  unsigned granted = 0;
  for (const unsigned l : set_bits(lanes & ~unsigned{taken})) {
    if (allowed == 0) break;
    bool first = true;
    for (const unsigned lower : set_bits(granted)) first &= flag[lower] != flag[l];
    if (!first) continue;
    granted |= 1u << l;
    --allowed;
  }
  return static_cast<HalfMask>(granted);
}

LockTable::LockTable(const Config& config) : locks_per_warp_(config.sm.locks_per_warp), flags_(config.sm.lock_flags) {}

HalfMask LockTable::lock(unsigned warp, HalfMask lanes, const std::array<std::uint16_t, kHalfWarp>& address) {
  HalfFlags flag{};
  unsigned taken = 0;
  for (const unsigned l : set_bits(lanes)) {
    flag[l] = static_cast<std::uint16_t>(flag_of(address[l]));
    taken |= unsigned{flags_[flag[l]].held} << l;
  }
  CHECK(held_[warp] <= locks_per_warp_, "warp {} holds {} locks, but at most {} are allowed", warp, held_[warp],
        locks_per_warp_);
  const HalfMask granted = grant_locks(lanes, flag, static_cast<HalfMask>(taken), locks_per_warp_ - held_[warp]);
  for (const unsigned l : set_bits(granted)) {
    flags_[flag[l]] = {true, static_cast<std::uint8_t>(warp), static_cast<std::uint16_t>(address[l] / 4u)};
    ++held_[warp];
  }
  return granted;
}

void LockTable::unlock(unsigned warp, HalfMask lanes, const std::array<std::uint16_t, kHalfWarp>& address) {
  for (const unsigned l : set_bits(lanes)) {
    LockFlag& flag = flags_[flag_of(address[l])];
    if (!flag.held || flag.warp != warp) continue;
    CHECK(held_[warp] != 0, "warp {} unlocks a lock that it holds, but its count of locks is 0", warp);
    flag.held = false;
    --held_[warp];
  }
}

void LockTable::release(WarpMask warps) {
  for (LockFlag& flag : flags_) {
    if ((warps >> flag.warp & 1) != 0) flag.held = false;
  }
  for (unsigned w = 0; w < kMaxWarps; ++w) {
    if ((warps >> w & 1) != 0) held_[w] = 0;
  }
}

void LockTable::show(unsigned flag, const LockFlag& holds) {
  held_[flags_[flag].warp] = static_cast<std::uint8_t>(held_[flags_[flag].warp] - flags_[flag].held);
  held_[holds.warp] = static_cast<std::uint8_t>(held_[holds.warp] + holds.held);
  flags_[flag] = holds;
}

WarpMask LockTable::holders() const {
  WarpMask warps = 0;
  for (unsigned w = 0; w < kMaxWarps; ++w) warps |= WarpMask{held_[w] != 0} << w;
  return warps;
}

}  // namespace g80
