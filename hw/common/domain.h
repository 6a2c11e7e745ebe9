// SPDX-License-Identifier: Apache-2.0
// A clock domain: steps every awake module of one clock, then commits all of them. The calendar calls it at its edges.
//
// At an edge every awake module first runs step() (reads wires and its registers), then every stepped module runs
// commit() (updates registers, drives wires); the order inside each phase cannot matter because outputs depend on
// registers only. A module without work sleeps and costs nothing; a domain in which all modules sleep has no events at
// all. Half-rate modules (the SM front end) run on even edges only: the domain's issue_en phase.
//
// Modules that share wires are a group; a large domain has many. domain.cpp has one edge; domain_wakes.cpp says which
// edge is the next one, domain_rows.cpp how far groups run ahead, domain_threads.cpp how threads share them.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <systemc>
#include <vector>

#include "hw/common/calendar.h"
#include "hw/common/clock_times.h"
#include "hw/common/group.h"
#include "hw/common/traceable.h"
#include "hw/common/types.h"
#include "hw/common/workers.h"

namespace g80 {

class ClockedBase;

enum class Rate : std::uint8_t { kFull, kHalf };

class Domain final : public sc_core::sc_module {
 public:
  /// Edges of a reset that end_reset() ends.
  static constexpr Cycle kUntilReleased = ~Cycle{0};
  /// `number` orders coincident edges; behaviour never depends on it. `mhz` is a multiple of 100 Hz. `reset_edges`: for
  /// so many a testbench holds the modules in reset.
  Domain(const sc_core::sc_module_name& name, unsigned number, double mhz, Cycle reset_edges, bool no_sleep);
  ~Domain() override;

  /// Puts a module under this clock. Before simulation starts.
  void add(ClockedBase& module, Rate rate = Rate::kFull);
  /// Groups of modules are stepped side by side. Before modules are added.
  void step_groups_with(Workers& workers);
  /// No wire joins the groups, and all their crossing queues go to or come from `meeting`. Before modules are added.
  void run_groups_apart(Domain& meeting);
  /// The modules added from here on are a group, at most 64. They share nothing with others but what goes through wires
  /// and crossing queues. Modules added before the first group stay on the thread that calls the domain. `place`, 0 to
  /// 1: groups of all domains that have much to tell each other lie near each other, and come to the same thread.
  void begin_group(double place = 0);
  /// So many awake modules are worth a turn of all threads: fewer where each of them takes long.
  void share_from(unsigned modules) { fewest_shared_ = modules; }
  /// A wire from `driver`, a module of this domain, to `reader` joins two groups.
  bool joins_groups(const ClockedBase& driver, const ClockedBase& reader) const;
  /// What wakes `reader` then: it is changed by atomic operations and counts from the next edge on.
  Wakes wakes_by_post(const ClockedBase& reader);
  /// Steps and commits the modules of each edge in random order. Results must not change: it looks for modules that
  /// read what another one changes in the same phase.
  void shuffle(std::uint64_t seed) { order_.emplace(seed); }

  /// The last edge of the present turn, or of the last one: all up to it are passed. While groups run apart, each block
  /// knows its own. A crossing queue keeps its address.
  const Cycle& edge() const { return edge_; }
  Picoseconds edge_time(Cycle edge) const { return clock_.time_of(edge); }
  static Picoseconds edge_time(double mhz, Cycle edge) { return ClockTimes(mhz).time_of(edge); }
  /// First edge strictly after the present simulation time that is not passed.
  Cycle first_edge_after_now() const {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    return following_.time > now ? following_.edge : first_edge_from(now + 1);
  }
  /// Last edge at the present simulation time or before, whether the domain ran at it, slept or is ahead of it.
  Cycle last_edge() const { return last_edge_by(sc_core::sc_time_stamp().value()); }
  /// The same for `time`.
  Cycle last_edge_by(Picoseconds time) const { return first_edge_from(time + 1) - 1; }
  /// First edge strictly after `time`, at which something happens in another domain: it is not passed yet, or another
  /// domain's edges run beside it.
  G80_INLINE Cycle first_edge_after(Picoseconds time) const {
    if (__builtin_expect(running_ && time < next_.time, 0)) return edge_;
    if (following_.time <= time) return first_edge_from(time + 1);
    if (__builtin_expect(following_.time - time > clock_.period() + 1, 0)) arrives_in_the_past(time);
    return following_.edge;
  }
  /// From now on no module sleeps.
  void stay_awake();
  double mhz() const { return clock_.mhz(); }
  unsigned number() const { return number_; }
  /// The modules are held in reset at the present edge or, between two, at the next one.
  bool in_reset() const { return in_reset_; }
  /// Behind the present edge: drive() of a ResetSynchroniser.
  void end_reset() { in_reset_ = false; }

  /// Steps or commits the modules of an edge just now.
  bool runs() const { return running_; }
  /// A module was woken while runs() is false: by another domain or by the testbench.
  void woken_from_outside();
  /// A module drives a signal of SystemC, which may wake a process at any edge.
  void drives_signal() { calendar_->others_listen(); }
  /// Makes module `index` run at edge `edge` (or the next one if that has passed).
  void wake_at(unsigned index, Cycle edge);
  /// The same for what it is most often: a near edge, not before the next one that runs anyway, and one thread. False
  /// if it is not that.
  bool wakes_soon(Group& group, unsigned index, Cycle edge) const {
    if (Outbox::in_use || row_size_ != 0 || edge - edge_ - 1 >= Group::kWheel - 1) return false;
    if (!running_ && (next_.edge == 0 || edge < next_.edge)) return false;
    group.wake_at(index, edge);
    return true;
  }

  /// Adds a sink that is called at every edge that runs.
  void attach_trace(TraceSink& sink) { watches_.add(sink, 0); }
  void detach_trace(const TraceSink& sink) { watches_.remove(sink); }
  /// The same group by group, where groups run apart on one thread: they may run ahead of each other. Null: no more.
  void attach_groups(GroupSink* sink) { group_sink_ = sink; }
  bool calls_group_sink() const { return meeting_ != nullptr && workers_ == nullptr; }
  void attach_faults(FaultHook* hook) { faults_ = hook; }
  /// Somebody looks at the machine at each edge: groups that run apart do not run ahead.
  bool is_watched() const { return !watches_.empty() || faults_ != nullptr; }
  bool runs_at(unsigned index, Cycle edge) const {
    return (edge & 1) == 0 || (groups_[index / 64]->half_rate >> (index % 64) & 1) == 0;
  }
  /// Module `index` will run at `edge`, the next one or one after it: it is awake, or has asked for that edge.
  /// (A later request by another caller counts too.)
  bool will_run(unsigned index, Cycle edge) const;
  Cycle first_edge_from(Picoseconds time) const { return clock_.first_edge_from(time); }
  /// Time of the next edge that runs; Calendar::kNever while all modules sleep.
  Picoseconds next_time() const { return next_.time; }
  /// That edge, at `time`, sees nothing of what happens in other domains from `now` on, and they see nothing of it up
  /// to then.
  bool can_run_beside(Picoseconds now, Picoseconds time) const;
  /// A turn passes edges from the next one on: begin_turn(), then run_turn(), or run_group() of each group, then
  /// end_groups() and end_turn(). Called by the calendar. Domains that run ahead pass each edge up to the last one at
  /// `until`, others the next one alone. False: a turn is too short for all of these edges.
  bool begin_turn(Picoseconds until);
  void run_turn();
  void run_group(unsigned group, Workers::Stage stage, unsigned thread);
  void end_groups();
  void end_turn();
  /// All of it, on this thread.
  void take_turn(Picoseconds until);
  /// A turn from the next edge on is a row of edges, which each group runs for itself.
  bool runs_ahead() const { return meeting_ != nullptr && !runs_in_order(); }
  /// A crossing queue has an end here: what happens on the other side shows at the `edges`-th edge after it at the
  /// earliest.
  void has_queue(unsigned edges) { nearest_queue_ = std::min(nearest_queue_, edges); }
  /// No module runs between `now` and the time returned, whatever the groups of other domains do from now on.
  Picoseconds sleeps_until(Picoseconds now);
  unsigned num_groups() const { return static_cast<unsigned>(groups_.size()); }
  unsigned group_of(const ClockedBase& module) const;
  double place_of(unsigned group) const { return groups_[group]->place; }
  /// The modules that run at this edge, in at least two groups, are worth a turn of all threads.
  bool is_worth_sharing();
  /// Module activations so far, for the speed benchmark.
  std::uint64_t activations() const;
  const std::vector<ClockedBase*>& modules() const { return modules_; }
  /// Some module runs on even edges only.
  bool has_half_rate() const;

 private:
  static constexpr unsigned kMaxRow = 16;  // edges

  /// The next edge is one of the reset, or its modules run in an order of their own.
  bool runs_in_order() const { return in_reset_ || order_.has_value(); }
  /// A testbench holds the reset at the next edge.
  bool is_held(Cycle next) const { return next != 0 && next <= reset_edges_; }
  bool is_grouped() const { return workers_ != nullptr || meeting_ != nullptr; }
  bool begin_row(Picoseconds until);
  void begin_edge();
  void go_on();
  std::uint64_t begin_edge(Group& group, Cycle edge, Picoseconds time) const {
    return group.begin_edge(edge, time, workers_ != nullptr);
  }
  static void begin_outbox(Group& group, Workers::Stage phase, bool in_order);
  static void end_outbox(Group& group, Workers::Stage phase, ThreadNotes& notes);
  /// A thread has left something in the outbox of a group.
  bool has_post();
  void run_deferred();
  void rethrow_first_failure();
  void take_later(Cycle last);
  bool sleeps(const Group& group) const { return group.sleeps(row_slots_, workers_ != nullptr); }
  void run_row(unsigned number, ThreadNotes& notes);
  void step(ClockedBase** begin, ClockedBase** end) const;
  void run_in_order();
  void share_edge();
  void run_stage(Group& group, Workers::Stage stage) const;
  void run_deferred(Workers::Stage phase);
  bool take_all_post();
  unsigned next_timed_wake(Cycle edge) const;
  /// The first edge from `first` on at which a module runs that is awake; 0: all sleep.
  Cycle first_awake(Cycle first) const {
    std::uint64_t awake = 0;
    for (const auto& group : groups_) {
      if ((group->awake & ~group->half_rate) != 0) return first;
      awake |= group->awake;
    }
    return awake == 0 ? 0 : first + (first & 1);
  }
  [[noreturn]] void arrives_in_the_past(Picoseconds time) const;
  void schedule_next(Cycle first);
  void start_of_simulation() override;

  ClockTimes clock_;
  unsigned number_;
  Cycle reset_edges_;
  bool no_sleep_, in_reset_ = true;
  bool running_ = false, started_ = false;
  Cycle edge_ = 0;
  ClockTimes::Edge following_;  // the one after edge_
  ClockTimes::Edge next_;       // that runs; edge 0: none
  ClockTimes::Edge ahead_;      // a later one, for sleeps_until()
  unsigned nearest_queue_ = ~0u;
  std::vector<ClockedBase*> modules_;
  std::vector<ClockedBase*> stepped_;  // at this edge, the first of them; a place more than there are modules
  std::optional<std::mt19937_64> order_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<ThreadNotes> notes_{1};  // by thread
  std::priority_queue<LateWake, std::vector<LateWake>, std::greater<LateWake>> later_;
  std::shared_ptr<Calendar> calendar_;
  TraceWatches watches_;
  GroupSink* group_sink_ = nullptr;
  FaultHook* faults_ = nullptr;

  const Domain* meeting_ = nullptr;            // that of the queues which alone join the groups
  std::array<ClockTimes::Edge, kMaxRow> row_;  // the edges that the groups run in a row
  Group::Slots row_slots_{};                   // their slots
  unsigned row_size_ = 0;

  Workers* workers_ = nullptr;
  unsigned fewest_shared_ = 16;
  unsigned unshared_ = 0;  // edges in a row that were not worth it
};

}  // namespace g80
