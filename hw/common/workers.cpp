// SPDX-License-Identifier: Apache-2.0
#include "hw/common/workers.h"

#include <algorithm>
#include <chrono>

#include "hw/common/check.h"

namespace g80 {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kSpins = 4000;  // looks at a word before a thread sleeps or yields: some 50 us

void pause() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

}  // namespace

Workers::Workers(unsigned threads) {
  CHECK(threads > 0, "no thread to step blocks");
  for (unsigned i = 1; i < threads; ++i) others_.emplace_back([this, i] { serve(i); });
}

Workers::~Workers() {
  announce(kEnd);
  for (std::thread& other : others_) other.join();
}

void Workers::add(Work& work, unsigned tasks) {
  work.claims_ = std::vector<Work::Claim>(tasks);
  if (std::find(works_.begin(), works_.end(), &work) != works_.end()) return;
  CHECK(works_.size() < kMostWorks, "more than {} works", kMostWorks);
  work.number_ = static_cast<unsigned>(works_.size());
  works_.push_back(&work);
}

void Workers::begin(const Work& work, unsigned phase) {
  last_ = ((last_ / (2 * kMostWorks) + 1) * kMostWorks + work.number_) * 2 + phase;
  announce(last_);
}

void Workers::announce(std::uint64_t turn) {
  turn_.store(turn);
  if (sleepers_.load() == 0) return;
  const std::lock_guard<std::mutex> lock(sleep_);  // a thread that has looked at turn_ waits already
  woken_.notify_all();
}

void Workers::finish() {
  const auto tasks = static_cast<unsigned>(works_[last_ / 2 % kMostWorks]->claims_.size());
  const Clock::time_point begun = Clock::now();
  const unsigned here = take_part(0, last_);
  Clock::time_point patience;
  bool crowded = false;
  for (unsigned looks = 0; done_.load(std::memory_order_acquire) + here != tasks; ++looks) {
    if (looks >= kSpins) {
      const Clock::time_point now = Clock::now();
      if (looks == kSpins) patience = now + 2 * (now - begun);  // tasks of others take as long as those of this thread
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

// A thread that comes late finds every task of its turn taken, in that turn or a later one: nothing else of the work
// may be looked at before a task is taken.
unsigned Workers::take_part(unsigned thread, std::uint64_t turn) {
  Work& work = *works_[turn / 2 % kMostWorks];
  const auto tasks = static_cast<unsigned>(work.claims_.size());
  const auto threads = static_cast<unsigned>(others_.size()) + 1;
  unsigned done = 0;
  for (unsigned i = 0, task = thread * tasks / threads; i < tasks; ++i, ++task) {
    if (task == tasks) task = 0;
    std::atomic<std::uint64_t>& claim = work.claims_[task].turn;
    std::uint64_t known = claim.load(std::memory_order_relaxed);
    if (known >= turn || !claim.compare_exchange_strong(known, turn, std::memory_order_relaxed)) continue;
    work.run_task(task, static_cast<unsigned>(turn % 2));
    ++done;
  }
  return done;
}

}  // namespace g80
