// SPDX-License-Identifier: Apache-2.0
// An event of the command line or the shell: a condition on signals, a launch, a cycle. docs/events.md.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "hw/common/alarm.h"
#include "hw/common/domain.h"
#include "tb/events/event_watch.h"

namespace g80 {

struct Event {
  enum class Kind : std::uint8_t { kCondition, kLaunch, kCycle };
  Kind kind = Kind::kCondition;
  std::string text;          // as given
  std::string condition;     // on signals
  std::string kernel;        // of a launch; empty: any
  std::uint64_t number = 0;  // of a launch, from 1; shader cycle
};

/// Throws InputError for a wrong text. The trigger looks up the names of a condition in a machine.
Event parse_event(const std::string& text);

/// Waits on a machine for an event to happen, once or more often.
class EventTrigger {
 public:
  /// Called inside the simulation (a launch: outside) with the part of the machine, or nothing, where it happened.
  using Happened = std::function<void(const std::string& where)>;

  /// Call after the machine is built. Throws InputError for unknown names. A cycle in the past never happens.
  EventTrigger(const Event& event, const Domain& shader, Happened happened);
  EventTrigger(const EventTrigger&) = delete;
  EventTrigger& operator=(const EventTrigger&) = delete;

  /// The host is about to launch `kernel`, as launch `number` of this machine.
  void launched(const std::string& kernel, std::uint64_t number);
  /// Throws InputError if a condition could not be evaluated.
  void check() const;

 private:
  Event event_;
  Happened happened_;
  std::unique_ptr<EventWatch> watch_;
  std::unique_ptr<Alarm> alarm_;  // of a cycle: first at its time, then behind its edges
  bool at_time_ = false;          // the first has been
};

/// A trigger that an option of the command line asks for: errors are "<option>: ...".
std::unique_ptr<EventTrigger> trigger_for(const char* option, const Event& event, const Domain& shader,
                                          EventTrigger::Happened happened);

}  // namespace g80
