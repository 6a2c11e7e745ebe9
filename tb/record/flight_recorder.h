// The last events of a machine, always kept: what a failure is explained with when no wave was drawn.
#pragma once
#include <string>
#include <vector>

#include "hw/isa/encoding.h"
#include "tb/record/machine_events.h"

namespace g80 {

class FlightRecorder final : public EventSink {
 public:
  static constexpr std::size_t kEvents = 1 << 14;  // some thousand cycles of every SM

  FlightRecorder() : ring_(kEvents) {}
  void event(const MachineEvent& event) override { ring_[count_++ % kEvents] = event; }

  /// Since the machine was built.
  std::uint64_t events() const { return count_; }
  /// The events kept, oldest first.
  std::vector<MachineEvent> kept() const;

 private:
  std::vector<MachineEvent> ring_;
  std::uint64_t count_ = 0;
};

/// One line: cycle, SM, warp, what happened. Addresses are relative to the code base, as in waves.
std::string event_text(const MachineEvent& event, isa::Arch arch);

/// The lines of what the recorder kept, below a heading that says which cycles they span.
std::string flight_text(const FlightRecorder& recorder, isa::Arch arch);

}  // namespace g80
