// SPDX-License-Identifier: Apache-2.0
// The architectural events of a running machine, one after the other: warps start and end, instructions issue and
// finish, barriers open, bursts go to the DRAM and come back.
//
// EventSource is a TraceSink on the few wires that carry them, so an event has the cycle at which a wave shows the
// wire, and unused wires cost nothing. One source serves any number of sinks.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/record/machine_event.h"
#include "tb/record/warp_state.h"

namespace g80 {

WarpState warp_state(const WarpReady& ready, unsigned warp);

class EventSource final : public TraceSink {
 public:
  enum class Detail : std::uint8_t { kArchitecture, kEverything };
  /// Call after the machine is built; it must outlive the source.
  explicit EventSource(Gpu& gpu);
  ~EventSource() override;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;

  /// Adds `sink`, which must outlive the source.
  void add(EventSink& sink, Detail detail);

  void changed(std::uint32_t slot) override;

 private:
  enum Probe : std::uint32_t {
    kWarpStarts,
    kResolves,
    kIssues,
    kReleases,
    kBarriers,
    kReadiness,
    kRequests,
    kReplies,
    kNumProbes
  };

  void attach(Traceable& item, unsigned unit, Probe probe);
  void keep_in_order();
  void attach_all(Detail detail);
  [[gnu::noinline]] void issued(unsigned sm);  // most changes tell nothing and need no frame
  [[gnu::noinline]] void released(unsigned sm);
  [[gnu::noinline]] void changed(unsigned unit, Probe probe);
  void readiness_changed(unsigned sm);
  template <class Item>
  void burst(unsigned partition, const CrossingFifo<Item>& queue, EventKind kind);

  using Sinks = std::vector<EventSink*>;
  static void deliver(const Sinks& sinks, const MachineEvent& event) {
    for (EventSink* sink : sinks) sink->event(event);
  }

  /// The present cycle of an SM: SMs run apart.
  Cycle cycle(unsigned sm) const { return sms_[sm]->issue.driver()->edge(); }

  Gpu& gpu_;
  Sinks sinks_;            // all
  Sinks detailed_;         // those with Detail::kEverything
  bool in_order_ = false;  // the machine runs edge by edge
  std::vector<SmPins*> sms_;
  std::vector<Traceable*> attached_;
  std::vector<WarpReady> ready_;                 // by SM, as last seen
  std::vector<std::array<unsigned, 2>> queued_;  // by partition: entries of the queues to and from its DRAM
};

}  // namespace g80
