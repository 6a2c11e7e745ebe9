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

void SpinningWarps::note(Sm& sm, const SmState& state, WarpEffects& effects) {
  std::uint64_t changes = effects.shared_changes();
  for (const SmState::Warp& warp : state.warp) changes += 2 * warp.locks_granted - warp.locks_held;
  if (!std::exchange(sm.seen, true))
    sm.changes = changes, sm.clock_reads = effects.clock_reads(), sm.barriers = effects.barriers();
  golden::DecidingRegisters& deciding = effects.deciding();
  disturbed_ |= changes != sm.changes ||
                (effects.clock_reads() != sm.clock_reads && !(deciding.settled() && deciding.clock_only_delays()));
  sm.barriers_passed |= effects.barriers() != sm.barriers;
  may_open_ |= has_block_at_barrier(state);
  for (unsigned w = 0; w < kMaxWarps; ++w) {
    const WarpMask bit = WarpMask{1} << w;
    Warp& warp = sm.warp[w];
    warp.is_live = is_live(state, bit);
    if (warp.is_live) deciding.limit_registers(state.warp[w].registers);
    warp.waits = (state.barrier_waiting & bit) != 0;
    warp.waited &= warp.waits;
  }
}

bool SpinningWarps::has_block_at_barrier(const SmState& state) {
  for (const CtaSlot& slot : state.slot) {
    if (slot.valid && slot.live != 0 && (slot.live & ~state.barrier_waiting) == 0) return true;
  }
  return false;
}

// Brent's method: the state to compare with is taken anew each time twice as many have been compared.
void SpinningWarps::compare(Warp& warp, std::uint64_t state) {
  if (warp.compared != 0 && state == warp.state) {
    warp.repeats = true;
  } else if (++warp.compared >= 2 * warp.renewed) {
    warp.renewed = warp.compared;
    warp.state = state;
  }
}

bool SpinningWarps::all_repeat() {
  unsigned live = 0;
  bool all = true, one_waits = false;
  for (const Sm& sm : sms_) {
    for (const Warp& warp : sm.warp) {
      live += warp.is_live ? 1 : 0;
      if (!warp.is_live || warp.repeats) continue;
      all &= warp.waited && !sm.barriers_passed;
      one_waits = true;
    }
  }
  if (disturbed_ || live != live_) {
    begin(sms_.size());
    live_ = live;
    disturbed_ = may_open_ = false;
    return false;
  }
  const bool opens = std::exchange(may_open_, false) && one_waits;
  return all && live != 0 && !opens;
}

}  // namespace g80
