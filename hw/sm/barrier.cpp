// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/barrier.h"

#include "hw/common/set_bits.h"
#include "hw/sm/barrier_policies.h"

namespace g80 {

Barrier::Barrier(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name), policy_(config.sm.barrier_expected) {}

/// Number of warps that a barrier of the CTA waits for. This is where it is decided, by sm.barrier_expected.
unsigned Barrier::expected(const BarrierRegs& regs, unsigned cta) const {
  return kBarrierPolicies[static_cast<std::size_t>(policy_)]({regs.launched[cta], regs.live[cta]});
}

WarpMask Barrier::waiting_at(const BarrierRegs& regs, unsigned cta, unsigned id) {
  WarpMask warps = 0;
  for (const unsigned w : set_bits(regs.waiting)) {
    if (regs.cta_of[w] == cta && regs.barrier_of[w] == id) warps |= WarpMask{1} << w;
  }
  return warps;
}

void Barrier::open_if_complete(unsigned cta, unsigned id) {
  std::uint8_t& arrived = d_.arrived[cta][id];
  if (!all_arrived(arrived, expected(d_, cta))) return;
  const WarpMask warps = waiting_at(d_, cta, id);
  d_.opened |= warps;
  d_.waiting &= ~warps;
  if (arrived < d_.launched[cta]) ++counters_.missed;
  arrived = 0;
  ++counters_.openings;
}

void Barrier::next() {
  d_.opened = 0;
  if (const WarpStart& start = start_i.read(); start.valid) {
    if (start.warp_in_cta == 0) {
      d_.launched[start.cta_slot] = d_.live[start.cta_slot] = start.warps_in_cta;
      d_.arrived[start.cta_slot] = {};
    }
    d_.cta_of[start.warp] = start.cta_slot;
    d_.populated[start.warp] = start.lanes;
  }
  if (const Resolve& resolve = resolve_i.read(); resolve.ended) {
    const unsigned cta = d_.cta_of[resolve.ended_warp];
    --d_.live[cta];
    for (unsigned id = 0; id < kMaxBarriers; ++id) open_if_complete(cta, id);
  }
  if (const ControlEvent& event = arrival_i.read(); event.valid) {
    const isa::Instruction& insn = event.fetched.decoded().insn;
    const unsigned cta = d_.cta_of[event.warp], id = insn.barrier % kMaxBarriers;
    const WarpMask bit = WarpMask{1} << event.warp;
    if (event.taken != d_.populated[event.warp]) ++counters_.divergent;
    d_.barrier_of[event.warp] = static_cast<std::uint8_t>(id);
    if (insn.bar_arrive) {
      ++d_.arrived[cta][id];
      ++counters_.arrivals;
    }
    if (insn.bar_wait && d_.arrived[cta][id] != 0) {
      d_.waiting |= bit;
    } else {
      d_.opened |= bit;  // arrive without wait, or wait at a barrier where no warp has arrived
    }
    open_if_complete(cta, id);
  }
  if (d_.opened == 0 && q_.opened == 0 && !start_i.read().valid && !resolve_i.read().ended && !arrival_i.read().valid)
    sleep();
}

void Barrier::drive() {
  opened_o.write(q_.opened);
  waiting_o.write(q_.waiting);
}

}  // namespace g80
