// SPDX-License-Identifier: Apache-2.0
// A clock domain: steps every awake module of one clock, then commits all of them. The calendar calls it at its edges.
//
// Modules that share wires are a group; a large domain has many. Where only queues to a domain with a slower clock join
// the groups, they run apart: between two edges of that clock each group runs all of its own edges in a row, while its
// state is in the cache, and on any thread. Where wires join groups, all of them step before one commits. An edge of
// the slower clock and the row of edges up to it do not see each other, so threads run both in one turn.
//
// The rule: nothing arrives in the past. A turn passes edges, one or a row of them, and each edge is passed once. What
// others do from then on shows behind the last edge passed; a wake stays until a turn has passed its edge. It holds as
// follows. A is a domain whose groups run apart, M the one in which they meet, N the fewest edges of M's queues.
//  1. A turn of A that begins at time t ends at U or before: U is the edge at which M runs next or, while M sleeps,
//     the N-th edge of M from t on if that is sooner (sleeps_until()). What wakes M is a wake of its own, which M
//     knows; the host, for which a turn ends before each event of SystemC; or what A or a third domain writes into a
//     queue at t or later, which shows at the N-th edge of M strictly after that. So M does not run between t and U.
//  2. What M writes at U or later shows to A at an edge strictly after that: behind the turn. No wire leads from A
//     to M.
//  3. The domain stands at the last edge of its turn, not at the last one at which a block ran. If it went back and
//     passed an edge again, a block with a wake for a later one would run too soon, sleep, and find its wake used up.
//  4. Beside a turn of A, M runs its edge at U where that is its first one since t: what A writes meanwhile shows at
//     a later edge of M, as N > 1, and what M writes shows to A behind U.
// first_edge_after() checks it whenever a queue is written or read.
//
// Edge k is at round(k * 10^12 / f) ps, k = 1, 2, ..., so the ratios of the domains do not drift. At an edge every
// awake module first runs step() (reads wires and its registers), then every stepped module runs commit() (updates
// registers, drives wires); the order inside each phase cannot matter because outputs depend on registers only.
// A module without work sleeps and costs nothing; a domain in which all modules sleep has no events at all.
// Half-rate modules (the SM front end) run on even edges only: the domain's issue_en phase.
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
#include "hw/common/traceable.h"
#include "hw/common/types.h"
#include "hw/common/workers.h"

namespace g80 {

class ClockedBase;

enum class Rate : std::uint8_t { kFull, kHalf };

/// An edge of a clock.
struct Moment {
  Cycle edge = 0;
  Picoseconds time = 0;
};

/// Blocks that a change wakes: their bits in a word of their domain.
struct Wakes {
  std::uint64_t* awake = nullptr;
  std::uint64_t bits = 0;
};

/// Watches the groups of a domain one by one: each is told of its own edges, those at which modules of it run.
class GroupSink {
 public:
  virtual ~GroupSink() = default;
  /// The group's modules are about to run; the state is still the one before.
  virtual void edge_begin(unsigned group, const Moment& now) = 0;
  /// They have committed the edge, and so have those of each group that was told of it.
  virtual void edge_done() = 0;
};

class Domain final : public sc_core::sc_module {
 public:
  /// `number` orders coincident edges; behaviour never depends on it. `mhz` is a multiple of 100 Hz.
  Domain(const sc_core::sc_module_name& name, unsigned number, double mhz, Cycle reset_cycles, bool no_sleep);
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
  /// knows its own.
  Cycle edge() const { return edge_; }
  Picoseconds edge_time(Cycle edge) const { return time_of(edge, frequency_); }
  static Picoseconds edge_time(double mhz, Cycle edge) { return time_of(edge, frequency(mhz)); }
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
  Cycle first_edge_after(Picoseconds time) const {
    if (__builtin_expect(running_ && time < next_.time, 0)) return edge_;
    if (following_.time <= time) return first_edge_from(time + 1);
    if (__builtin_expect(following_.time - time > period_ + 1, 0)) arrives_in_the_past(time);
    return following_.edge;
  }
  double mhz() const { return mhz_; }
  unsigned number() const { return number_; }
  bool in_reset() const { return edge_ <= reset_cycles_; }
  Cycle reset_cycles() const { return reset_cycles_; }

  /// Steps or commits the modules of an edge just now.
  bool runs() const { return running_; }
  /// A module was woken while runs() is false: by another domain or by the testbench.
  void woken_from_outside();
  /// A module drives a signal of SystemC, which may wake a process at any edge.
  void drives_signal() { calendar_->others_listen(); }
  /// Makes module `index` run at edge `edge` (or the next one if that has passed).
  void wake_at(unsigned index, Cycle edge);

  /// Adds a sink that is called at every edge that runs.
  void attach_trace(TraceSink& sink) { watches_.add(sink, 0); }
  void detach_trace(const TraceSink& sink) { watches_.remove(sink); }
  /// The same group by group, where groups run apart on one thread: they may run ahead of each other. Null: no more.
  void attach_groups(GroupSink* sink) { group_sink_ = sink; }
  bool tells_groups() const { return meeting_ != nullptr && workers_ == nullptr; }
  void attach_faults(FaultHook* hook) { faults_ = hook; }
  /// Somebody looks at the machine at each edge: groups that run apart do not run ahead.
  bool is_watched() const { return !watches_.empty() || faults_ != nullptr; }
  /// Module `index` runs at this edge if it is awake.
  bool runs_at(unsigned index, Cycle edge) const {
    return (edge & 1) == 0 || (groups_[index / 64]->half_rate >> (index % 64) & 1) == 0;
  }
  /// Module `index` will run at `edge`, the next one or one after it: it is awake, or has asked for that edge.
  /// (A later request by another caller counts too.)
  bool will_run(unsigned index, Cycle edge) const {
    if (!runs_at(index, edge)) return false;
    const Group& group = *groups_[index / 64];
    const auto has = [&](std::uint64_t word) { return (word >> (index % 64) & 1) != 0; };
    return has(group.awake) || (edge - edge_ < kWheel && has(group.wheel[edge % kWheel])) ||
           (!later_.empty() && later_.top().edge <= edge);
  }
  /// First edge that lies at `time` or later.
  Cycle first_edge_from(Picoseconds time) const;
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
  std::uint64_t activations() const {
    std::uint64_t sum = 0;
    for (const auto& group : groups_) sum += group->activations;
    return sum;
  }
  const std::vector<ClockedBase*>& modules() const { return modules_; }
  /// Some module runs on even edges only.
  bool has_half_rate() const {
    return std::any_of(groups_.begin(), groups_.end(), [](const auto& group) { return group->half_rate != 0; });
  }

 private:
  static constexpr unsigned kWheel = 256;  // timed wakes up to this many edges ahead take no heap
  static constexpr unsigned kMaxRow = 16;  // edges

  /// An edge of the clock. Its time is a quotient, `rest` what the division left.
  struct ClockEdge {
    Cycle edge = 0;
    Picoseconds time = Calendar::kNever;
    std::uint64_t rest = 0;
  };
  using Slots = std::array<std::uint64_t, kWheel / 64>;  // a bit each
  /// Modules of a group that other groups woke, by atomic operations of any thread: a bit each.
  struct alignas(kCacheLine) Inbox {
    static constexpr unsigned kEdges = 32;
    std::uint64_t awake = 0;     // from the next edge on
    std::uint64_t slots = 0;     // those that hold something
    std::uint64_t at[kEdges]{};  // by edge, those up to kEdges after the present one of the domain
    bool is_empty() const {
      return (__atomic_load_n(&awake, __ATOMIC_RELAXED) | __atomic_load_n(&slots, __ATOMIC_RELAXED)) == 0;
    }
  };
  /// Bits stand for modules, by place in the group. What comes first lies in one line of the host's cache: the thread
  /// that has run the group wrote it, and the one that schedules edges reads it.
  struct alignas(kCacheLine) Group {
    std::uint64_t awake = 0, half_rate = 0;
    Moment now;             // the present edge, or the last one that the group ran
    std::uint64_t run = 0;  // modules that this edge steps and commits
    std::uint64_t activations = 0;
    std::uint8_t posted = 0;                    // phases whose outbox is not empty
    Slots timed{};                              // those that hold something
    std::array<std::uint64_t, kWheel> wheel{};  // modules to wake, by edge
    std::array<ClockedBase*, 64> modules{};
    double place = 0;
    std::array<Outbox, 2> outbox;  // by phase; a row of edges uses the first
    Inbox inbox;
  };

  /// What the thread that begins turns has to know of the groups that a thread ran. It looks at the groups themselves
  /// only if one of them has something in its outbox.
  struct alignas(kCacheLine) Notes {
    bool posted = false;
  };

  /// Frequencies are counted in units of 100 Hz: so many edges take exactly kUnitTime.
  static constexpr Picoseconds kUnitTime = 10'000'000'000;
  static std::uint64_t frequency(double mhz) { return static_cast<std::uint64_t>(mhz * 1e4 + 0.5); }
  static Picoseconds time_of(Cycle edge, std::uint64_t frequency) {
    return edge / frequency * kUnitTime + (2 * (edge % frequency) * kUnitTime + frequency) / (2 * frequency);
  }
  ClockEdge clock_edge(Cycle edge) const;
  void advance(ClockEdge& clock, Cycle edges) const;
  /// The next edge is one of the reset, or its modules run in an order of their own.
  bool runs_in_order() const { return next_.edge <= reset_cycles_ || order_.has_value(); }
  bool is_grouped() const { return workers_ != nullptr || meeting_ != nullptr; }
  bool begin_row(Picoseconds until);
  std::uint64_t begin_edge(Group& group, Cycle edge, Picoseconds time) const;
  static void wake_in(Group& group, unsigned index, Cycle edge);
  static void begin_outbox(Group& group, Workers::Stage phase, bool in_order);
  static void end_outbox(Group& group, Workers::Stage phase, Notes& notes);
  bool has_post();
  void rethrow_first_failure();
  void take_later(Cycle last);
  static std::uint64_t choose(const Group& group, Cycle edge);
  bool sleeps(const Group& group) const;
  void run_row(unsigned number, Notes& notes);
  void step(ClockedBase** begin, ClockedBase** end) const;
  void run_in_order();
  void share_edge();
  void run_stage(Group& group, Workers::Stage stage) const;
  void run_deferred(Workers::Stage phase);
  static void take_post(Group& group, Cycle edge);
  bool take_all_post();
  static void post(Inbox& inbox, unsigned index, Cycle edge);
  unsigned next_timed_wake(Cycle edge) const;
  bool runs_at_once() const;
  [[noreturn]] void arrives_in_the_past(Picoseconds time) const;
  void schedule_next(Cycle first);
  void start_of_simulation() override;

  double mhz_;
  std::uint64_t frequency_;
  Picoseconds period_;  // between two edges, rounded down; the rest is in units of 1 / (2 * frequency_)
  std::uint64_t period_rest_;
  unsigned number_;
  Cycle reset_cycles_;
  bool no_sleep_;
  bool running_ = false, started_ = false;
  Cycle edge_ = 0;
  ClockEdge following_;  // the one after edge_
  ClockEdge next_;       // that runs; edge 0: none
  ClockEdge ahead_;      // a later one, for sleeps_until()
  unsigned nearest_queue_ = ~0u;
  std::vector<ClockedBase*> modules_;
  std::vector<ClockedBase*> stepped_;  // at this edge, the first of them; a place more than there are modules
  std::optional<std::mt19937_64> order_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<Notes> notes_{1};  // by thread
  struct Later {
    Cycle edge;
    unsigned index;
    bool operator>(const Later& other) const { return edge > other.edge; }
  };
  std::priority_queue<Later, std::vector<Later>, std::greater<Later>> later_;
  std::shared_ptr<Calendar> calendar_;
  TraceWatches watches_;
  GroupSink* group_sink_ = nullptr;
  FaultHook* faults_ = nullptr;

  const Domain* meeting_ = nullptr;     // that of the queues which alone join the groups
  std::array<ClockEdge, kMaxRow> row_;  // the edges that the groups run in a row
  Slots row_slots_{};                   // their slots
  unsigned row_size_ = 0;

  Workers* workers_ = nullptr;
  unsigned fewest_shared_ = 16;
  unsigned unshared_ = 0;  // edges in a row that were not worth it
};

}  // namespace g80
