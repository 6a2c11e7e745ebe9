// SPDX-License-Identifier: Apache-2.0
// Threads that step groups of blocks side by side.
//
// A work is a fixed number of tasks. One turn runs each task once: on the thread that it belongs to, so that its data
// stay in that thread's cache, or on one that has nothing left to do. So a turn never waits for a thread that the
// operating system has not woken yet. The thread that begins a turn takes part in it, and only it talks to SystemC.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "hw/common/types.h"

namespace g80 {

class Workers {
 public:
  class Work {
   public:
    virtual ~Work() = default;
    /// Throws nothing.
    virtual void run_task(unsigned task, unsigned phase) = 0;

   private:
    friend class Workers;
    struct alignas(kCacheLine) Claim {
      std::atomic<std::uint64_t> turn{0};  // the last one in which a thread took the task
    };
    std::vector<Claim> claims_;  // by task
    unsigned number_ = 0;
  };

  /// `threads`: with the one that calls.
  explicit Workers(unsigned threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// At most kMostWorks; before the first turn. Again for a work that has got more tasks.
  void add(Work& work, unsigned tasks);
  /// A turn lately waited long for a thread that had begun a task: other programs use its processor. Then a few edges,
  /// more each time, are better stepped alone. Counts the calls.
  bool is_crowded() { return rest_ != 0 && rest_-- != 0; }
  /// The other threads begin with phase 0 or 1 of the work's tasks.
  void begin(const Work& work, unsigned phase);
  /// This thread takes part until all tasks of the turn that begin() has begun are done.
  void finish();

 private:
  static constexpr unsigned kMostWorks = 8;
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};

  void serve(unsigned thread);
  std::uint64_t next_turn(std::uint64_t seen);
  unsigned take_part(unsigned thread, std::uint64_t turn);
  void announce(std::uint64_t turn);

  std::vector<Work*> works_;
  std::vector<std::thread> others_;
  std::uint64_t last_ = 0;
  static constexpr unsigned kLeastRest = 1u << 5, kMostRest = 1u << 9;  // edges
  unsigned rest_ = 0, next_rest_ = kLeastRest;
  // A turn's number, its work's number and its phase, in one word: they come to other threads together. It only grows.
  alignas(kCacheLine) std::atomic<std::uint64_t> turn_{0};
  alignas(kCacheLine) std::atomic<unsigned> done_{0};  // tasks of this turn, on other threads
  alignas(kCacheLine) std::atomic<unsigned> sleepers_{0};
  std::mutex sleep_;
  std::condition_variable woken_;
};

}  // namespace g80
