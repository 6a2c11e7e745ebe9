// SPDX-License-Identifier: Apache-2.0
#include "tb/check/spinning_warps.h"

#include <utility>

#include "hw/common/set_bits.h"

namespace g80 {

bool SpinningWarps::is_live(const SmState& state, WarpMask warp) {
  for (const CtaSlot& slot : state.slot) {
    if (slot.valid && (slot.live & warp) != 0) return true;
  }
  return false;
}

bool SpinningWarps::disturbs(const SmState& state) {
  for (const CtaSlot& slot : state.slot) {
    if (!slot.valid) continue;
    for (const unsigned w : set_bits(slot.live)) {
      const SmState::Warp& warp = state.warp[w];
      if (!warp.has_head || (state.barrier_waiting >> w & 1) != 0) continue;
      if (warp.head.error != isa::DecodeError::kNone) return true;
      switch (warp.head.decoded().insn.op) {
        case isa::Op::kStShared:
        case isa::Op::kStSharedUnlock:
        case isa::Op::kLdSharedLock:
        case isa::Op::kMovFromSpecial:
        case isa::Op::kBar: return true;
        default: break;
      }
    }
  }
  return false;
}

bool SpinningWarps::has_block_at_barrier(const SmState& state) {
  for (const CtaSlot& slot : state.slot) {
    if (slot.valid && slot.live != 0 && (slot.live & ~state.barrier_waiting) == 0) return true;
  }
  return false;
}

// Brent's method: the state to compare with is taken anew each time twice as many have been compared.
void SpinningWarps::compare(Warp& warp, std::uint64_t state) {
  warp.executed = false;
  if (warp.compared != 0 && state == warp.state) {
    warp.repeats = true;
  } else if (++warp.compared >= 2 * warp.renewed) {
    warp.renewed = warp.compared;
    warp.state = state;
  }
}

bool SpinningWarps::all_repeat() {
  unsigned live = 0;
  bool all = true;
  for (const auto& sm : warps_) {
    for (const Warp& warp : sm) {
      live += warp.is_live ? 1 : 0;
      all &= !warp.is_live || warp.waits || warp.repeats;
    }
  }
  if (disturbed_ || live != live_) {
    begin(warps_.size());
    live_ = live;
    disturbed_ = may_open_ = false;
    return false;
  }
  const bool opens = std::exchange(may_open_, false);
  return all && live != 0 && !opens;
}

}  // namespace g80
