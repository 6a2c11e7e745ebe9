// SPDX-License-Identifier: Apache-2.0
// Proves that the warps of a grid go round forever, whatever the timing: each has come back to a state in which it has
// been, and nothing that they read has changed in between.
//
// What decides how a warp goes on: its own state, the clock, shared memory with its locks, and device memory, l[] and
// spilled registers with it. A store of the value that is there changes nothing. A barrier only delays: if it opens,
// each warp goes on as it would without it. So only a change of memory, a lock taken or given back and a read of the
// clock make all observations void, and not even that if the clock only delays too (deciding_registers.h). A warp that
// waits at a barrier all the time need not come back if nobody of its SM has arrived at one since.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "hw/bundles/sm_state.h"
#include "tb/check/warp_effects.h"

namespace g80 {

/// A warp that rests between two instructions.
struct RestingWarp {
  std::uint32_t pc = 0;
  LaneMask active = 0;
  std::uint64_t state = 0;  // a hash of what is not in registers
};

/// Scheduler cycles after which the registers of a warp that rests are read: a finished instruction's result is in the
/// register file four shader cycles after its release, and no later instruction has read its operands by then.
inline constexpr unsigned kLooksToLand = 2;

class SpinningWarps {
 public:
  /// Forgets what was seen.
  void begin(std::size_t sms) { sms_.assign(sms, {}); }
  /// Looks at an SM between two cycles. `place_of(warp)` and `registers_of(warp, place)` are hashes of what is the
  /// warp's own.
  template <class PlaceOf, class RegistersOf>
  void look(std::size_t index, const SmState& state, WarpEffects& effects, const PlaceOf& place_of,
            const RegistersOf& registers_of) {
    Sm& sm = sms_[index];
    note(sm, state, effects);
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      Warp& warp = sm.warp[w];
      if (warp.looks != 0 && --warp.looks == 0 && warp.is_live) compare(warp, registers_of(w, warp.place));
      if (!warp.is_live || warp.waits || warp.repeats) continue;
      const WarpMask bit = WarpMask{1} << w;
      const SmState::Warp& seen = state.warp[w];
      if (seen.in_flight != 0) warp.executed = true;
      const bool rests = seen.in_flight == 0 && seen.has_head && ((state.leaving | state.control) & bit) == 0;
      if (rests && warp.executed && effects.deciding().settled() && !effects.deciding().depends_on_clock(seen.pc)) {
        warp.executed = false;
        warp.looks = kLooksToLand;
        warp.place = {seen.pc, seen.active, place_of(w)};
      }
    }
  }
  /// All SMs were looked at. True if none of the warps can ever end.
  bool all_repeat();

 private:
  struct Warp {
    bool is_live = false, waits = false, executed = false, repeats = false;
    bool waited = true;  // at a barrier, at each look
    RestingWarp place;
    unsigned looks = 0;  // until its registers are those at that place
    std::uint64_t state = 0;
    std::uint32_t compared = 0, renewed = 0;
  };
  struct Sm {
    bool seen = false;                                         // looked at since begin()
    std::uint64_t changes = 0, clock_reads = 0, barriers = 0;  // counts at the first look
    bool barriers_passed = false;
    std::array<Warp, kMaxWarps> warp{};
  };

  void note(Sm& sm, const SmState& state, WarpEffects& effects);
  static bool is_live(const SmState& state, WarpMask warp);
  /// All warps of a block wait, so that its barrier may be about to open.
  static bool has_block_at_barrier(const SmState& state);
  static void compare(Warp& warp, std::uint64_t state);

  std::vector<Sm> sms_;
  unsigned live_ = 0;
  bool disturbed_ = false, may_open_ = false;
};

}  // namespace g80
