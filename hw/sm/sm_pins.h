// SPDX-License-Identifier: Apache-2.0
// The pins of a multiprocessor, and what the testbench may read of it. hw/sm/README.md describes them.
//
// The chip and the testbench know an SM only as SmPins. So another SM, one in RTL, can stand in the place of
// hw/sm/sm.h: it drives the same pins, reports the same cycles and answers the same questions.
#pragma once
#include "hw/bundles/retirement_port.h"
#include "hw/bundles/signals.h"
#include "hw/bundles/sm_state.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"

namespace g80 {

class SmPins : public sc_core::sc_module {
 public:
  // CTA scheduler and command processor
  CrossingIn<LaunchBeat> launch_i{"launch_i"};
  CrossingIn<CtaLaunch> cta_i{"cta_i"};
  CrossingOut<CtaDone> cta_done_o{"cta_done_o"};
  CrossingOut<KernelFault> fault_o{"fault_o"};
  // Coalescer out, crossbar replies in
  CrossingOut<HalfWarpAccess> access_o{"access_o"};
  CrossingIn<MemReply> reply_i{"reply_i"};
  // Texture unit of the TPC
  CrossingOut<TexRequest> tex_o{"tex_o"};
  CrossingIn<TexReply> tex_i{"tex_i"};
  // Second-level constant and instruction cache of the TPC
  CrossingOut<LineRequest> line_o{"line_o"};
  CrossingIn<LineReply> line_i{"line_i"};

  // Outputs for recorders: timelines, the flight recorder, waves and breakpoints watch them.
  Wire<WarpStart> warp_start{"warp_start"};
  Wire<WarpReady> ready{"ready"};
  Wire<Issue> issue{"issue"};
  Wire<Release> release{"release"};
  Wire<Resolve> resolve{"resolve"};
  Wire<WarpMask> barrier_opened{"barrier_opened"};

  /// The retirement port: the observer is told every scheduler cycle from now on. It must outlive its attachment.
  virtual void attach(SmObserver& observer, RetirementPort::Reads reads) = 0;
  virtual void detach(SmObserver& observer) = 0;
  /// Tells the observers the cycles up to now; otherwise the last one comes with the next.
  virtual void flush_reports() = 0;
  /// The scheduler cycles up to edge `now` that no report has told: the SM sleeps.
  virtual SmReport::Stall unreported(Cycle now) const = 0;

  /// Counters up to and including edge `now`.
  virtual SmCounterBank counters(Cycle now) const = 0;
  /// A launch begins: SmCounterBank::first_issue is that of the next issue.
  virtual void begin_launch() = 0;
  /// The live state, and a word of a memory. Watchdog, diagnoses and shell read them while the clock stands.
  virtual void read_state(SmState& state) const = 0;
  virtual LaneWords peek(SmMemory memory, unsigned warp, unsigned index) const = 0;

 protected:
  explicit SmPins(const sc_core::sc_module_name& name) : sc_module(name) {}
};

}  // namespace g80
