// SPDX-License-Identifier: Apache-2.0
// Monitors of the machine's handshakes. They look at wires and queues between blocks and stop the run at the first
// broken rule: which wire, which shader cycle, which rule.
//
//   offer     valid stays until ready, and what is offered does not change while it waits
//   queue     one entry comes or goes at a time, never more than its places; entries leave as they came, in order
//   answers   each request is answered once, each answer has a request; in order where that is promised
//   credits   not more are taken than exist, not more come back than were taken, and at the end all are back;
//             of those that a block counts itself all are at home, taken or on their way back
// Whatever is offered, queued or asked is taken or answered within a bound of time.
//
// watch_machine() finds them all by the names of the wires: `x` and `x_ready` are a handshake, `x_request` and
// `x_reply` a request and its answer (kAnswerNames in the .cpp lists such pairs). A single wire is attached by one
// line: offer(wire, ready).
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hw/config/config.h"
#include "tb/check/protocol_rules.h"

namespace g80 {

class ProtocolMonitors final {
 public:
  /// `domains`: the clocks; the first, the shader clock, counts cycles. `bound`: its cycles that anything may wait.
  ProtocolMonitors(const std::vector<Domain*>& domains, Cycle bound);
  ~ProtocolMonitors();
  ProtocolMonitors(const ProtocolMonitors&) = delete;
  ProtocolMonitors& operator=(const ProtocolMonitors&) = delete;

  /// Every handshake, queue, request with its answer, and credit of the machine built so far.
  void watch_machine(const Config& config);

  // By hand. `Wire<T>` has a field `valid`; without `ready` whatever is offered is taken at once.
  // An offer that is `stale` may be taken back.
  template <class T>
  void offer(Wire<T>& wire, Wire<bool>* ready, typename protocol::Offer<T>::Stale stale = {}) {
    protocol::Monitor& monitor = add(std::make_unique<protocol::Offer<T>>(wire, ready, std::move(stale), place()));
    attach(wire, monitor);
    if (ready != nullptr) attach(*ready, monitor, protocol::Monitor::kReady);
  }
  /// A CrossingFifo, or what behaves like one.
  template <class Queue>
  void queue(Queue& fifo) {
    attach(fifo, add(std::make_unique<protocol::QueueMonitor<Queue>>(fifo, place())), protocol::Monitor::kEachChange);
  }
  /// What goes over `request` is answered over `answer`; both are attached already.
  void answers(const Traceable& request, const Traceable& answer);
  /// `returned` counts, modulo 256, what comes back of those that `issue` takes where `takes` says so.
  void credits(Wire<Issue>& issue, bool (*takes)(const Issue&), Wire<Credits>& returned, std::uint8_t Credits::*member,
               unsigned limit);

  /// The places that a block counts.
  template <class Block>
  void places(const Block& block) {
    add(std::make_unique<protocol::PlaceAccount<Block>>(block, place()));
  }

  /// Looks for what waits too long or was lost. Call now and then. Throws ModelError.
  void look();
  /// A launch ended as it should: all credits are back and every block has ended. Throws ModelError.
  void launch_finished() const;
  /// A launch ended in another way: what was under way may never be answered. Nothing is watched from here on.
  void stop();

  /// What is watched, one line each, sorted.
  std::vector<std::string> list() const;

 private:
  class Clock;
  void settle();
  protocol::Place place() const { return protocol::Place(shader_, now_); }
  protocol::Monitor& add(std::unique_ptr<protocol::Monitor> monitor);
  void attach(Traceable& item, protocol::Monitor& monitor, protocol::Monitor::Slot slot = protocol::Monitor::kItem);
  protocol::Monitor* monitor_of(const Traceable& item) const;
  void watch_credits(const Config& config, const std::map<std::string, Traceable*>& items);
  void watch_answers();

  const Domain& shader_;
  const Picoseconds bound_;
  std::vector<std::unique_ptr<Clock>> clocks_;
  std::vector<std::unique_ptr<protocol::Monitor>> monitors_;
  std::vector<std::unique_ptr<protocol::Answers>> answers_;
  struct Attached {
    Traceable* item;
    protocol::Monitor* monitor;
  };
  std::vector<Attached> attached_;
  std::vector<protocol::Monitor*> touched_;  // since the edge began
  Picoseconds now_ = 0;                      // of the edge that runs, or of the last one
};

}  // namespace g80
