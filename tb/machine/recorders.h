// SPDX-License-Identifier: Apache-2.0
// Recorders of warp events: always the flight recorder; on request a counter sampler, load latencies, a timeline, and
// a sink of the caller. All are attached to one event source.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/machine/machine_observer.h"
#include "tb/machine/machine_options.h"
#include "tb/record/flight_recorder.h"
#include "tb/record/load_latency.h"
#include "tb/record/machine_events.h"
#include "tb/record/sampler.h"
#include "tb/record/stage_events.h"
#include "tb/scenario/backend.h"

namespace g80 {

/// Without finish(), after an error, the destructor writes a timeline with the events so far.
class Recorders final : public MachineObserver {
 public:
  /// Call after the machine is built; it must outlive the recorders. Throws InputError if a timeline's SM is unknown.
  Recorders(Gpu& gpu, const MachineOptions& options, isa::Arch arch);
  ~Recorders() override;

  void launch_begins(const LoadedKernel& kernel, std::uint64_t number) override;
  void launch_ends(Cycle accepted, LaunchResult& result) override;
  /// Writes the timeline.
  std::vector<std::string> finish() override;
  FlightLog flight_log() const;
  /// Block and warp of an instruction of a warp slot; the warp may have ended.
  FlightRecorder::Place place_of(const Origin& origin) const {
    return flight_.place_of(origin.sm, origin.warp, origin.tag.bits);
  }
  /// True if a timeline was requested, but no warp ran in its window.
  bool timeline_empty() const { return timeline_ && timeline_->events().empty(); }

 private:
  const isa::Arch arch_;
  FlightRecorder flight_;
  std::unique_ptr<Sampler> sampler_;      // null without history
  std::unique_ptr<LoadLatency> latency_;  // likewise
  std::unique_ptr<Timeline> timeline_;
  bool written_ = false;                 // the timeline
  std::unique_ptr<StageEvents> stages_;  // of a timeline for Konata
  EventSource source_;                   // destroyed first: it and the one before it call the others
};

}  // namespace g80
