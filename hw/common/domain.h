// SPDX-License-Identifier: Apache-2.0
// A clock domain: steps every awake module of one clock, then commits all of them. The calendar calls it at its edges.
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
#include <deque>
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

/// Blocks that a change wakes: their bits in a word of their domain.
struct Wakes {
  std::uint64_t* awake = nullptr;
  std::uint64_t bits = 0;
};

class Domain final : public sc_core::sc_module, private Workers::Work {
 public:
  /// `number` orders coincident edges; behaviour never depends on it. `mhz` is a multiple of 100 Hz.
  Domain(const sc_core::sc_module_name& name, unsigned number, double mhz, Cycle reset_cycles, bool no_sleep);
  ~Domain() override;

  /// Puts a module under this clock. Before simulation starts.
  void add(ClockedBase& module, Rate rate = Rate::kFull);
  /// Groups of modules are stepped side by side. Before modules are added.
  void step_groups_with(Workers& workers);
  /// The modules added from here on are a group, at most 64. They share nothing with others but what goes through wires
  /// and crossing queues. Modules added before the first group stay on the thread that calls the domain.
  void begin_group();
  /// So many awake modules are worth a turn of all threads: fewer where each of them takes long.
  void share_from(unsigned modules) { fewest_shared_ = modules; }
  /// What wakes `reader` when an output of `driver` changes.
  Wakes wakes_from(const ClockedBase& driver, const ClockedBase& reader);
  /// Steps and commits the modules of each edge in random order. Results must not change: it looks for modules that
  /// read what another one changes in the same phase.
  void shuffle(std::uint64_t seed) { order_.emplace(seed); }

  /// Number of the current edge (during step and commit), or of the last edge passed.
  Cycle edge() const { return edge_; }
  Picoseconds edge_time(Cycle edge) const { return time_of(edge, frequency_); }
  static Picoseconds edge_time(double mhz, Cycle edge) { return time_of(edge, frequency(mhz)); }
  /// First edge strictly after the present simulation time.
  Cycle first_edge_after_now() const {
    if (running_) return edge_ + 1;
    const Picoseconds now = sc_core::sc_time_stamp().value();
    return following_time_ > now ? edge_ + 1 : first_edge_from(now + 1);
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
  void attach_trace(TraceSink& sink) { watches_.push_back({&sink, 0}); }
  void detach_trace(const TraceSink& sink) { remove_sink(watches_, sink); }
  void attach_faults(FaultHook* hook) { faults_ = hook; }
  /// Module `index` runs at this edge if it is awake.
  bool runs_at(unsigned index, Cycle edge) const {
    return (edge & 1) == 0 || (half_rate_[index / 64] >> (index % 64) & 1) == 0;
  }
  /// Module `index` will run at `edge`, the next one or one after it: it is awake, or has asked for that edge.
  /// (A later request by another caller counts too.)
  bool will_run(unsigned index, Cycle edge) const {
    if (!runs_at(index, edge)) return false;
    const auto has = [&](std::uint64_t word) { return (word >> (index % 64) & 1) != 0; };
    return has(awake_[index / 64 * stride_]) ||
           (edge - edge_ < kWheel && !wheel_.empty() && has(wheel_[edge % kWheel * half_rate_.size() + index / 64])) ||
           (!later_.empty() && later_.top().edge <= edge);
  }
  /// First edge that lies at `time` or later.
  Cycle first_edge_from(Picoseconds time) const;
  /// Time of the next edge that runs; Calendar::kNever while all modules sleep.
  Picoseconds next_time() const { return next_time_; }
  /// Runs that edge: it is now. Called by the calendar.
  void run_edge();
  /// Module activations so far, for the speed benchmark.
  std::uint64_t activations() const { return activations_; }
  const std::vector<ClockedBase*>& modules() const { return modules_; }
  /// Some module runs on even edges only.
  bool has_half_rate() const {
    return std::any_of(half_rate_.begin(), half_rate_.end(), [](std::uint64_t w) { return w != 0; });
  }

 private:
  static constexpr unsigned kWheel = 256;         // timed wakes up to this many edges ahead take no heap
  static constexpr std::size_t kMaxWords = 1024;  // of 64 modules
  static constexpr unsigned kMaxGroups = 64;
  static constexpr unsigned kWordsOfLine = kCacheLine / sizeof(std::uint64_t);
  using Bits = std::vector<std::uint64_t>;
  enum Phase : unsigned { kStep, kCommit };
  struct alignas(kCacheLine) Group {
    std::uint64_t mail[kMaxGroups]{};  // wakes of modules of other groups
    std::uint64_t receivers = 0;       // bits of the groups that it can have mail for
    std::uint64_t run = 0;             // modules that this edge steps
    std::array<Outbox, 2> outbox;      // by phase
  };

  /// Frequencies are counted in units of 100 Hz: so many edges take exactly kUnitTime.
  static constexpr Picoseconds kUnitTime = 10'000'000'000;
  static std::uint64_t frequency(double mhz) { return static_cast<std::uint64_t>(mhz * 1e4 + 0.5); }
  static Picoseconds time_of(Cycle edge, std::uint64_t frequency) {
    return edge / frequency * kUnitTime + (2 * (edge % frequency) * kUnitTime + frequency) / (2 * frequency);
  }
  void begin_edge();
  void schedule(Cycle edge);
  template <class Call>
  void for_each_that_runs(bool odd, const Call& call);
  void run_in_order(bool odd);
  bool is_worth_sharing(bool odd);
  void run_groups();
  void run_group(unsigned group, unsigned phase);
  void run_task(unsigned task, unsigned phase) override { run_group(task + 1, phase); }
  void do_what_was_put_off(Phase phase);
  /// Wakes what the modules of these groups, one a bit, woke in others.
  void take_mail(std::uint64_t from);
  void take_all_mail() {
    if (joined_) take_mail(~std::uint64_t{0} >> (64 - groups_.size()));
  }
  void collect_timed_wakes();
  unsigned next_timed_wake(Cycle edge) const;
  void schedule_next(Cycle first);
  void start_of_simulation() override;

  double mhz_;
  std::uint64_t frequency_;
  Picoseconds period_;  // between two edges, rounded down; the rest is in units of 1 / (2 * frequency_)
  std::uint64_t period_rest_;
  unsigned number_;
  Cycle reset_cycles_;
  bool no_sleep_;
  bool running_ = false;
  Cycle edge_ = 0;
  Picoseconds following_time_;                // of edge_ + 1
  std::uint64_t following_rest_;              // what the division left that following_time_ is the quotient of
  Cycle scheduled_ = 0;                       // the next edge that runs; 0 = none
  Picoseconds next_time_ = Calendar::kNever;  // of it
  std::uint64_t next_rest_ = 0;
  std::vector<ClockedBase*> modules_;
  std::vector<ClockedBase*> places_;   // modules by index; null where a group has less than 64
  std::vector<ClockedBase*> stepped_;  // at this edge, the first of them; as many places as modules
  std::optional<std::mt19937_64> order_;
  // Bits by index. The words of awake_ lie `stride_` apart: in cache lines of their own if threads share the edge.
  std::array<std::uint64_t, kMaxWords + kWordsOfLine> awake_memory_{};
  std::uint64_t* awake_;
  std::size_t stride_ = 1;
  Bits half_rate_;
  Bits wheel_;  // the words of each slot
  std::array<std::uint64_t, kWheel / 64> wheel_used_{};
  struct Later {
    Cycle edge;
    unsigned index;
    bool operator>(const Later& other) const { return edge > other.edge; }
  };
  std::priority_queue<Later, std::vector<Later>, std::greater<Later>> later_;
  std::shared_ptr<Calendar> calendar_;
  std::vector<TraceWatch> watches_;
  FaultHook* faults_ = nullptr;
  std::uint64_t activations_ = 0;

  Workers* workers_ = nullptr;  // null: one group that is none
  unsigned fewest_shared_ = 16;
  std::deque<Group> groups_;  // they stay in their places
  bool joined_ = false;       // there are wires between groups
  std::uint64_t ran_ = 0;     // groups with modules that ran at this edge
};

}  // namespace g80
