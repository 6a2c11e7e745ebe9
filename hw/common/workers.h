// SPDX-License-Identifier: Apache-2.0
// Threads that step groups of blocks side by side.
//
// A turn runs each task of its stages once: on the thread that it belongs to, so that its data stay in that thread's
// cache. The thread that begins a turn takes part in it, and only it talks to SystemC. When others have not come for
// long, because the operating system has not woken them yet, it runs their tasks too. Now and then tasks are timed and
// shared out anew, so that all threads take as long.
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hw/common/types.h"

namespace g80 {

class Workers {
 public:
  /// Groups are stepped and then committed at an edge, all of them stepped before one commits; others run a row of
  /// edges meanwhile.
  enum Stage : unsigned { kStep, kCommit, kRow };
  static constexpr unsigned kNumStages = 3;
  static constexpr unsigned kEdge = 1u << kStep | 1u << kCommit;

  class Work {
   public:
    virtual ~Work() = default;
    /// Throws nothing. `thread` runs it: 0 is the one that begins the turn.
    virtual void run_task(Stage stage, unsigned task, unsigned thread) = 0;
    /// The part of the thread that begins the turn. Throws nothing.
    virtual void run_own(Stage stage) = 0;
  };

  /// What each task takes, and the part of the thread that begins the turn, in ns.
  struct Costs {
    std::array<std::vector<double>, kNumStages> task;
    std::array<double, kNumStages> own{};
  };
  /// Of each stage the first task of each thread, and the end: so that all threads take as long, with the groups, which
  /// run before the others, and with the rows as well.
  static std::array<std::vector<unsigned>, kNumStages> shared_out(const Costs& costs, unsigned threads);

  /// `threads`: with the one that calls.
  explicit Workers(unsigned threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  unsigned threads() const { return threads_; }
  /// What the turns run: of the stages kStep and kCommit `groups` tasks each, of kRow `rows`; neighbours mostly on the
  /// same thread. Before the first turn.
  void set(Work& work, unsigned groups, unsigned rows);
  /// A turn lately waited long for a thread that had begun a task: other programs use its processor. Then a few edges,
  /// more each time, are better stepped alone. Counts the calls.
  bool is_crowded() { return rest_ != 0 && rest_-- != 0; }
  /// Runs the tasks of these stages, a bit each, on all threads.
  void run(unsigned stages);

 private:
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  static constexpr unsigned kTimed = 32;            // one of so many turns is timed,
  static constexpr unsigned kShared = 64 * kTimed;  // and behind one of so many tasks are shared out anew

  /// The tasks of a stage that belong to a thread are its share. Whoever takes it first in a turn runs it.
  struct alignas(kCacheLine) Shares {
    std::array<std::atomic<std::uint64_t>, kNumStages> taken{};  // last turn in which it was
    std::atomic<std::uint64_t> left{0};                          // the last turn that the thread has done with
  };

  static bool is_timed(std::uint64_t turn) { return (turn >> kNumStages) % kTimed == 0; }
  void serve(unsigned thread);
  std::uint64_t next_turn(std::uint64_t seen);
  unsigned take_part(unsigned thread, std::uint64_t turn);
  void run_own(Stage stage, std::uint64_t turn);
  unsigned run_share(Stage stage, unsigned owner, std::uint64_t turn, unsigned thread);
  unsigned help(std::uint64_t turn, bool stepped);
  void announce(std::uint64_t turn);
  void share_out();

  const unsigned threads_;
  Work* work_ = nullptr;
  Costs costs_;
  std::array<std::vector<unsigned>, kNumStages> first_;  // tasks of each thread, and the end
  std::array<unsigned, kNumStages> num_shares_{};        // that are not empty
  std::unique_ptr<Shares[]> shares_;                     // by thread
  std::vector<std::thread> others_;
  std::uint64_t last_ = 0;
  static constexpr unsigned kLeastRest = 1u << 5, kMostRest = 1u << 9;  // edges
  unsigned rest_ = 0, next_rest_ = kLeastRest;
  // A turn's number and its stages, in one word: they come to other threads together. It only grows.
  alignas(kCacheLine) std::atomic<std::uint64_t> turn_{0};
  alignas(kCacheLine) std::atomic<unsigned> done_{0};     // shares of this turn, on other threads
  alignas(kCacheLine) std::atomic<unsigned> stepped_{0};  // shares of kStep that this turn has done, and the own part
  alignas(kCacheLine) std::atomic<unsigned> sleepers_{0};
  std::mutex sleep_;
  std::condition_variable woken_;
};

}  // namespace g80
