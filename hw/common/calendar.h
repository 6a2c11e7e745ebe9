// SPDX-License-Identifier: Apache-2.0
// The next edge of every clock domain, behind one event of SystemC.
//
// A time step of SystemC's kernel costs as many host instructions as the blocks of a quiet edge. While the testbench
// only waits for a time to come, and SystemC has nothing else to do before the next edge, the calendar goes from edge
// to edge in one activation of its process and moves SystemC's time along, so sc_time_stamp() is right for everybody.
// Domains with an edge at the same time run in order of their numbers.
//
// Domains whose groups run apart (hw/common/domain.h) run ahead up to the next edge of the domain in which they meet:
// an entry of a crossing queue shows at an edge strictly after it was written, so what is written on either side until
// then is seen later. While that domain sleeps, they run up to the edge at which it could see something first. All
// their groups share one turn of the threads, and that domain's edge too if it sees nothing of them.
#pragma once
#include <memory>
#include <systemc>
#include <vector>

#include "hw/common/types.h"
#include "hw/common/workers.h"

namespace g80 {

class Domain;

class Calendar {
 public:
  static constexpr Picoseconds kNever = ~Picoseconds{0};

  /// That of the present simulation. It lives as long as the simulation.
  static std::shared_ptr<Calendar> of_simulation();
  Calendar() = default;
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  void add(Domain& domain);
  void remove(Domain& domain);
  /// The groups of other domains meet in this one.
  void meet_in(Domain& meeting);
  void add_apart(Domain& domain) { apart_.push_back(&domain); }
  /// The groups of `domain` are stepped side by side.
  void share(Domain& domain, Workers& workers);
  /// Runs stages of the edge that `domain` has begun, on all threads.
  void run_groups(Domain& domain, unsigned stages);
  /// A domain's next edge is at `time` now.
  void due(Picoseconds time) {
    if (!running_) notify(time);
  }

  /// An event was notified at an edge: an Alarm's.
  void others_notified() { ask_kernel_ = true; }
  /// Blocks write signals at edges: each may wake a process.
  void others_listen() { ask_kernel_ = others_ = true; }

  /// sc_start(duration) for a caller that nothing stops sooner: no sc_pause(), and no sc_trace file that wants to see
  /// every time step.
  static void start(const sc_core::sc_time& duration);

 private:
  struct Task {
    Domain* domain;
    unsigned group;  // not the first: that one stays on this thread
    double place;
  };
  /// What threads share.
  struct Groups final : Workers::Work {
    std::vector<Task> joined, apart;  // by place
    Domain* at_edge = nullptr;        // steps and commits its groups in this turn
    std::vector<Domain*> rows;        // those whose groups run a row of edges
    void run_task(Workers::Stage stage, unsigned task, unsigned thread) override;
    void run_own(Workers::Stage stage) override;
  };

  void run_edges();
  void run_rows(sc_dt::uint64& now);
  Domain* runs_beside(Picoseconds now, Picoseconds until) const;
  void notify(Picoseconds time);

  std::vector<Domain*> domains_;  // by number
  std::vector<Domain*> meetings_;
  std::vector<Domain*> apart_;  // their groups run apart
  Workers* workers_ = nullptr;
  Groups groups_;
  sc_core::sc_event event_;
  bool running_ = false;
  bool others_ = false;      // at any edge an event of others may be notified
  bool ask_kernel_ = false;  // the time of the next event of others has to be found again
  Picoseconds end_ = 0;      // of start(): edges before it may follow each other at once
  Picoseconds limit_ = 0;    // the same, and before the next event of others
};

}  // namespace g80
