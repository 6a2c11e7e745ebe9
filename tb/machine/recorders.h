// SPDX-License-Identifier: Apache-2.0
// Who keeps a record of what the warps do: the flight recorder always; on request a sampler of counters, latencies of
// loads, a timeline, and a sink of the caller's. All hear of one event source.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/machine/machine_options.h"
#include "tb/record/flight_recorder.h"
#include "tb/record/load_latency.h"
#include "tb/record/sampler.h"
#include "tb/scenario/backend.h"

namespace g80 {

class Recorders {
 public:
  /// The machine is built and outlives the recorders. Throws InputError: a timeline of an SM that is not there.
  Recorders(Gpu& gpu, const MachineOptions& options, isa::Arch arch);

  void launch_begins();
  /// Fills in what was recorded over time: `accepted` is the shader edge of the doorbell.
  void launch_ended(Cycle accepted, LaunchResult& result);
  FlightLog flight_log() const;
  /// Block and warp of an instruction that a slot's warp, there or gone, has issued.
  FlightRecorder::Place place_of(const Origin& origin) const {
    return flight_.place_of(origin.sm, origin.warp, origin.tag.bits);
  }
  /// Writes the timeline. Returns sentences for the user. Throws InputError.
  std::vector<std::string> write_timeline() const;
  /// A timeline was asked for, and no warp ran in its window.
  bool timeline_empty() const { return timeline_ && timeline_->events().empty(); }

 private:
  const isa::Arch arch_;
  FlightRecorder flight_;
  std::unique_ptr<Sampler> sampler_;      // null without history
  std::unique_ptr<LoadLatency> latency_;  // likewise
  std::unique_ptr<Timeline> timeline_;
  EventSource source_;  // goes first: it tells the others
};

}  // namespace g80
