// SPDX-License-Identifier: Apache-2.0
#include "hw/common/workers.h"

#include <algorithm>
#include <chrono>

#include "hw/common/check.h"

namespace g80 {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kSpins = 4000;  // looks at a word before a thread sleeps or does more: 50 to 200 us

void pause() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

constexpr bool has(std::uint64_t stages, Workers::Stage stage) { return (stages >> stage & 1) != 0; }

}  // namespace

Workers::Workers(unsigned threads) : threads_(threads), claims_(std::make_unique<Claims[]>(threads)) {
  CHECK(threads > 0, "no thread to step blocks");
  for (unsigned i = 1; i < threads; ++i) others_.emplace_back([this, i] { serve(i); });
}

Workers::~Workers() {
  announce(kEnd);
  for (std::thread& other : others_) other.join();
}

void Workers::set(Work& work, unsigned groups, unsigned rows) {
  CHECK(std::max(groups, rows) < kMostTasks, "more than {} tasks", kMostTasks - 1);
  work_ = &work;
  tasks_[kStep] = tasks_[kCommit] = groups;
  tasks_[kRow] = rows;
}

void Workers::announce(std::uint64_t turn) {
  turn_.store(turn);
  if (sleepers_.load() == 0) return;
  const std::lock_guard<std::mutex> lock(sleep_);  // a thread that has looked at turn_ waits already
  woken_.notify_all();
}

void Workers::run(unsigned stages) {
  unsigned tasks = 0;
  for (const Stage stage : {kStep, kCommit, kRow}) tasks += has(stages, stage) ? tasks_[stage] : 0;
  stepped_.store(0, std::memory_order_relaxed);
  last_ = ((last_ >> kNumStages) + 1) << kNumStages | stages;
  announce(last_);
  const Clock::time_point begun = Clock::now();
  unsigned here = take_part(0, last_);
  Clock::time_point patience;
  bool crowded = false;
  for (unsigned looks = 0; done_.load(std::memory_order_acquire) + here != tasks; ++looks) {
    if (looks >= kSpins) {
      const Clock::time_point now = Clock::now();
      if (looks == kSpins) {
        patience = now + 2 * (now - begun);  // tasks of others take as long as those of this thread
        here += help(last_, true);
      }
      crowded = now > patience;
    }
    if (crowded) {
      std::this_thread::yield();
    } else {
      pause();
    }
  }
  if (crowded) {
    rest_ = next_rest_;
    next_rest_ = std::min(2 * next_rest_, kMostRest);
  } else if (next_rest_ > kLeastRest) {
    --next_rest_;
  }
  done_.store(0, std::memory_order_relaxed);  // nobody adds to it before the next turn
}

void Workers::serve(unsigned thread) {
  std::uint64_t turn = 0;
  while ((turn = next_turn(turn)) != kEnd) {
    const unsigned tasks = take_part(thread, turn);
    if (tasks != 0) done_.fetch_add(tasks, std::memory_order_release);
  }
}

std::uint64_t Workers::next_turn(std::uint64_t seen) {
  for (unsigned looks = 0; looks < kSpins; ++looks) {
    const std::uint64_t turn = turn_.load(std::memory_order_acquire);
    if (turn != seen) return turn;
    pause();
  }
  std::unique_lock<std::mutex> lock(sleep_);
  ++sleepers_;
  std::uint64_t turn = 0;
  woken_.wait(lock, [&] { return (turn = turn_.load()) != seen; });
  --sleepers_;
  return turn;
}

unsigned Workers::take_part(unsigned thread, std::uint64_t turn) {
  const auto run_own = [&](Stage stage) {
    if (thread != 0 || !has(turn, stage)) return;
    work_->run_own(stage);
    if (stage == kStep) stepped_.fetch_add(1, std::memory_order_release);
  };
  unsigned done = 0;
  for (const Stage stage : {kStep, kRow}) {
    run_own(stage);
    done += run_tasks(stage, thread, turn);
  }
  if (!has(turn, kCommit)) return done;
  const unsigned steps = has(turn, kStep) ? tasks_[kStep] + 1 : 0;
  for (unsigned looks = 0; stepped_.load(std::memory_order_acquire) != steps; ++looks) {
    if (turn_.load(std::memory_order_relaxed) != turn) return done;  // it is over
    if (thread == 0 && looks == kSpins) done += help(turn, false);
    looks < kSpins ? pause() : std::this_thread::yield();
  }
  run_own(kCommit);
  return done + run_tasks(kCommit, thread, turn);
}

// Runs what other threads have not begun. `stepped`: all tasks of kStep are done.
unsigned Workers::help(std::uint64_t turn, bool stepped) {
  unsigned done = 0;
  for (unsigned thread = 1; thread < threads_; ++thread) {
    for (const Stage stage : {kStep, kRow}) done += run_tasks(stage, thread, turn);
    if (stepped) done += run_tasks(kCommit, thread, turn);
  }
  return done;
}

// A thread that comes late finds every task of its turn taken, in that turn or a later one.
unsigned Workers::run_tasks(Stage stage, unsigned owner, std::uint64_t turn) {
  if (!has(turn, stage)) return 0;
  const unsigned first = owner * tasks_[stage] / threads_, end = (owner + 1) * tasks_[stage] / threads_;
  std::atomic<std::uint64_t>& taken = claims_[owner].taken[stage];
  unsigned done = 0;
  for (std::uint64_t known = taken.load(std::memory_order_relaxed);;) {
    const std::uint64_t last = known / kMostTasks;
    const unsigned task = first + (last == turn ? static_cast<unsigned>(known % kMostTasks) : 0);
    if (last > turn || task == end) break;
    const std::uint64_t claim = turn * kMostTasks + (task - first) + 1;
    if (!taken.compare_exchange_weak(known, claim, std::memory_order_relaxed)) continue;
    work_->run_task(stage, task);
    ++done;
    known = claim;
  }
  if (stage == kStep && done != 0) stepped_.fetch_add(done, std::memory_order_release);
  return done;
}

}  // namespace g80
