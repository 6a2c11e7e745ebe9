// SPDX-License-Identifier: Apache-2.0
// The barriers of the CTAs in an SM: counters of warps, opened when the last expected warp arrives.
//
// A bar instruction comes from the control stack, in order with branches: "arrive" counts the warp once, "wait" holds
// it until the counter is back at zero. sm.barrier_expected selects which warps are expected (barrier_policies.h).
//
// From:  reconvergence_stack (bar instructions, ended warps), cta_launcher (warp starts)
// To:    scoreboard (opened, waiting)
#pragma once
#include <utility>

#include "hw/bundles/sm_bundles.h"
#include "hw/bundles/sm_state.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// True when every expected warp has arrived. This is where a barrier opens.
inline bool all_arrived(unsigned arrived, unsigned expected) { return arrived != 0 && arrived >= expected; }

struct BarrierRegs {
  WarpMask opened = 0;  // let through this cycle
  WarpMask waiting = 0;
  std::array<std::uint8_t, kMaxCtasPerSm> launched{}, live{};  // warps
  std::array<std::uint8_t, kMaxWarps> cta_of{};
  std::array<std::uint8_t, kMaxWarps> barrier_of{};  // of its block, to which the warp has come last
  std::array<LaneMask, kMaxWarps> populated{};
  // By CTA slot and barrier; fewer than the block has warps, because the last one opens it
  std::array<std::array<std::uint8_t, kMaxBarriers>, kMaxCtasPerSm> arrived{};
  G80_FIELDS(opened, waiting, (launched, 5), (live, 5), (cta_of, 3), (barrier_of, 4), populated, (arrived, 4));
};

class Barrier : public Clocked<BarrierRegs> {
 public:
  Barrier(const sc_core::sc_module_name& name, const Config& config);

  In<WarpStart> start_i{"start_i"};
  In<ControlEvent> arrival_i{"arrival_i"};
  In<Resolve> resolve_i{"resolve_i"};
  Out<WarpMask> opened_o{"opened_o"};
  Out<WarpMask> waiting_o{"waiting_o"};

  struct Counters {
    std::uint64_t arrivals = 0, openings = 0;
    // Errors of the kernel, for every sm.barrier_expected:
    std::uint64_t divergent = 0;  // executed by part of a warp's populated lanes
    std::uint64_t missed = 0;     // opened although warps of the block had ended without reaching it
    G80_FIELDS(arrivals, openings, divergent, missed);
  };
  const Counters& counters() const { return counters_; }
  unsigned expected(unsigned cta_slot) const { return expected(q_, cta_slot); }
  /// The warps at one barrier of a block.
  BarrierState state(unsigned cta_slot, unsigned id) const {
    return {q_.arrived[cta_slot][id], waiting_at(q_, cta_slot, id)};
  }

 protected:
  void next() override;
  void drive() override;
  void reset() override { counters_ = {}; }
  unsigned expected(const BarrierRegs& regs, unsigned cta_slot) const;
  static WarpMask waiting_at(const BarrierRegs& regs, unsigned cta_slot, unsigned id);
  void open_if_complete(unsigned cta_slot, unsigned id);

  const BarrierExpected policy_;
  Counters counters_;
};

}  // namespace g80
