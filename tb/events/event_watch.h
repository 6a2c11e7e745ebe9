// SPDX-License-Identifier: Apache-2.0
// Reports when an event expression, or one of several, becomes true. It is attached only to the objects that the
// expressions name, so other changes cost nothing, and reads an object once for all of them.
//
// It evaluates after all blocks of all clocks have taken their state at a point in time, so coincident edges of two
// clocks are one moment. An event is the moment at which a condition is true and was not before; rises(), falls() and
// changes() are true at the moment of the change only, so each change counts by itself.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/common/alarm.h"
#include "tb/events/event_expression.h"

namespace g80 {

class EventWatch final : public TraceSink {
 public:
  /// Called inside the simulation with the instances in which event number `event` happened, at most once in a point of
  /// time.
  using Happened = std::function<void(std::size_t event, const std::vector<std::string>& instances)>;

  /// Attaches to the machine, which must be built. A condition that is already true is not an event.
  EventWatch(std::vector<EventExpression> events, Happened happened);
  ~EventWatch() override;
  EventWatch(const EventWatch&) = delete;
  EventWatch& operator=(const EventWatch&) = delete;

  void changed(std::uint32_t slot) override;

  /// Throws InputError if the expression could not be evaluated: it counts as an event. Called outside the simulation.
  void check() const;

 private:
  struct Item;
  struct Instance {
    std::uint32_t event, place;  // which of its event's instances this is
    std::vector<Value> slots;
    bool was = false;     // true at the moment before
    bool stale = false;   // a signal of it has changed
    bool pulsed = false;  // one of rises(), falls(), changes() is 1
  };

  std::uint32_t number_of(const Field& signal);
  void read(Item& item);
  void take(std::uint32_t signal, std::uint64_t value);
  bool evaluate(const Instance& instance);
  void look();

  const std::vector<EventExpression> events_;
  Happened happened_;
  std::vector<Item> items_;
  std::vector<Domain*> domains_;                                             // of their blocks
  std::vector<std::uint64_t> values_;                                        // by signal
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> users_;  // by signal: instance, slot
  std::vector<Instance> instances_;                                          // of the first event, of the second, ...
  std::vector<std::uint32_t> marked_;                                        // items to look at
  std::vector<std::uint32_t> stale_;                                         // instances to evaluate
  std::string failure_;
  Alarm alarm_;  // evaluates after everything else of this moment
};

}  // namespace g80
