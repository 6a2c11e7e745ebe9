// SPDX-License-Identifier: Apache-2.0
// Proves that the warps of a grid go round forever, whatever they read: each has come back to a state in which it has
// been, or waits at a barrier, and nothing that they read has changed in between.
//
// What decides how a warp goes on: its own state, the clock, shared memory with its locks, the barriers and device
// memory. While warps are looked at, each cycle shows the next instruction of each. One that writes shared memory,
// arrives at a barrier, or reads the clock makes all observations void, as does a change of device memory.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/bundles/sm_state.h"

namespace g80 {

class SpinningWarps {
 public:
  /// Forgets what was seen.
  void begin(std::size_t sms) { warps_.assign(sms, {}); }
  /// Looks at an SM between two cycles. `state_of(warp)` is a hash of what is the warp's own.
  template <class StateOf>
  void look(std::size_t sm, const SmState& state, const StateOf& state_of) {
    disturbed_ |= disturbs(state);
    may_open_ |= has_block_at_barrier(state);
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      Warp& warp = warps_[sm][w];
      const WarpMask bit = WarpMask{1} << w;
      const SmState::Warp& seen = state.warp[w];
      warp.is_live = is_live(state, bit);
      warp.waits = (state.barrier_waiting & bit) != 0;
      if (!warp.is_live || warp.waits || warp.repeats) continue;
      if (seen.in_flight != 0) warp.executed = true;
      const bool rests = seen.in_flight == 0 && seen.has_head && ((state.leaving | state.control) & bit) == 0;
      if (rests && warp.executed) compare(warp, state_of(w));
    }
  }
  /// All SMs were looked at. True if none of the warps can ever end.
  bool all_repeat();

 private:
  struct Warp {
    bool is_live = false, waits = false, executed = false, repeats = false;
    std::uint64_t state = 0;
    std::uint32_t compared = 0, renewed = 0;
  };

  static bool is_live(const SmState& state, WarpMask warp);
  static bool disturbs(const SmState& state);
  /// All warps of a block wait, so that its barrier may be about to open.
  static bool has_block_at_barrier(const SmState& state);
  static void compare(Warp& warp, std::uint64_t state);

  std::vector<std::array<Warp, kMaxWarps>> warps_;
  unsigned live_ = 0;
  bool disturbed_ = false, may_open_ = false;
};

}  // namespace g80
