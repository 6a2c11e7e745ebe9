// SPDX-License-Identifier: Apache-2.0
#include "hw/common/workers.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <numeric>

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

// `mean` is that of several measurements, in ns. One that was interrupted counts little.
template <class Part>
void run_part(bool timed, double& mean, const Part& part) {
  if (!timed) return part();
  const Clock::time_point begun = Clock::now();
  part();
  const double ns = std::chrono::duration<double, std::nano>(Clock::now() - begun).count();
  mean += (std::min(ns, 4 * mean + 1000) - mean) / 16;
}

constexpr bool has(std::uint64_t stages, Workers::Stage stage) { return (stages >> stage & 1) != 0; }

}  // namespace

Workers::Workers(unsigned threads) : threads_(threads), shares_(std::make_unique<Shares[]>(threads)) {
  CHECK(threads > 0, "no thread to step blocks");
  // A program's handlers of signals run in its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (unsigned i = 1; i < threads; ++i) others_.emplace_back([this, i] { serve(i); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Workers::~Workers() {
  announce(kEnd);
  for (std::thread& other : others_) other.join();
}

void Workers::set(Work& work, unsigned groups, unsigned rows) {
  work_ = &work;
  costs_.task[kStep].assign(groups, 1);
  costs_.task[kCommit].assign(groups, 1);
  costs_.task[kRow].assign(rows, 1);
  share_out();
}

std::array<std::vector<unsigned>, Workers::kNumStages> Workers::shared_out(const Costs& costs, unsigned threads) {
  std::vector<double> load(threads), groups = costs.task[kStep];
  load[0] = std::accumulate(costs.own.begin(), costs.own.end(), 0.0);
  std::transform(groups.begin(), groups.end(), costs.task[kCommit].begin(), groups.begin(), std::plus<>{});
  const auto share = [&](const std::vector<double>& cost) {
    const double all = std::accumulate(load.begin(), load.end(), 0.0) + std::accumulate(cost.begin(), cost.end(), 0.0);
    const auto num_tasks = static_cast<unsigned>(cost.size());
    std::vector<unsigned> first(threads + 1, num_tasks);
    double sum = 0;  // of the threads up to this one
    unsigned task = 0;
    for (unsigned thread = 0; thread < threads; ++thread) {
      first[thread] = task;
      sum += load[thread];
      for (const double until = all * (thread + 1) / threads; task < num_tasks; ++task) {
        if (thread + 1 < threads && sum + cost[task] / 2 > until) break;
        sum += cost[task];
        load[thread] += cost[task];
      }
    }
    return first;
  };
  const std::vector<unsigned> of_groups = share(groups), of_rows = share(costs.task[kRow]);
  return {of_groups, of_groups, of_rows};
}

void Workers::share_out() {
  first_ = shared_out(costs_, threads_);
  for (unsigned stage = 0; stage < kNumStages; ++stage) {
    const std::vector<unsigned>& first = first_[stage];
    num_shares_[stage] = 0;
    for (unsigned thread = 0; thread < threads_; ++thread) num_shares_[stage] += first[thread] != first[thread + 1];
  }
}

void Workers::announce(std::uint64_t turn) {
  turn_.store(turn);
  if (sleepers_.load() == 0) return;
  const std::lock_guard<std::mutex> lock(sleep_);  // a thread that has looked at turn_ waits already
  woken_.notify_all();
}

void Workers::run(unsigned stages) {
  const auto has_left = [this](unsigned thread) {
    return shares_[thread].left.load(std::memory_order_acquire) == last_;
  };
  bool share = (last_ >> kNumStages) % kShared == 0;
  for (unsigned thread = 1; share && thread < threads_; ++thread) share = has_left(thread);
  if (share) share_out();
  unsigned shares = 0;
  for (const Stage stage : {kStep, kCommit, kRow}) shares += has(stages, stage) ? num_shares_[stage] : 0;
  stepped_.store(0, std::memory_order_relaxed);
  last_ = ((last_ >> kNumStages) + 1) << kNumStages | stages;
  announce(last_);
  const Clock::time_point begun = Clock::now();
  unsigned here = take_part(0, last_);
  Clock::time_point patience;
  bool crowded = false;
  for (unsigned looks = 0; done_.load(std::memory_order_acquire) + here != shares; ++looks) {
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
    const unsigned shares = take_part(thread, turn);
    if (shares != 0) done_.fetch_add(shares, std::memory_order_release);
    shares_[thread].left.store(turn, std::memory_order_release);
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
  unsigned done = 0;
  for (const Stage stage : {kStep, kRow}) {
    if (thread == 0) run_own(stage, turn);
    done += run_share(stage, thread, turn, thread);
  }
  if (!has(turn, kCommit)) return done;
  const unsigned steps = has(turn, kStep) ? num_shares_[kStep] + 1 : 0;
  for (unsigned looks = 0; stepped_.load(std::memory_order_acquire) != steps; ++looks) {
    if (turn_.load(std::memory_order_relaxed) != turn) return done;  // it is over
    if (thread == 0 && looks == kSpins) done += help(turn, false);
    looks < kSpins ? pause() : std::this_thread::yield();
  }
  if (thread == 0) run_own(kCommit, turn);
  return done + run_share(kCommit, thread, turn, thread);
}

void Workers::run_own(Stage stage, std::uint64_t turn) {
  if (!has(turn, stage)) return;
  run_part(is_timed(turn), costs_.own[stage], [&] { work_->run_own(stage); });
  if (stage == kStep) stepped_.fetch_add(1, std::memory_order_release);
}

// Runs what other threads have not begun. `stepped`: all shares of kStep are done.
unsigned Workers::help(std::uint64_t turn, bool stepped) {
  unsigned done = 0;
  for (unsigned owner = 1; owner < threads_; ++owner) {
    for (const Stage stage : {kStep, kRow}) done += run_share(stage, owner, turn, 0);
    if (stepped) done += run_share(kCommit, owner, turn, 0);
  }
  return done;
}

// Returns 1, or 0 if there was nothing to do. A thread that comes late finds its shares taken, in its turn or a later
// one; they are not shared out anew before it has left that turn.
unsigned Workers::run_share(Stage stage, unsigned owner, std::uint64_t turn, unsigned thread) {
  const unsigned first = first_[stage][owner], end = first_[stage][owner + 1];
  if (!has(turn, stage) || first == end) return 0;
  std::atomic<std::uint64_t>& taken = shares_[owner].taken[stage];
  std::uint64_t known = taken.load(std::memory_order_relaxed);
  if (known >= turn || !taken.compare_exchange_strong(known, turn, std::memory_order_relaxed)) return 0;
  for (unsigned task = first; task < end; ++task) {
    run_part(is_timed(turn), costs_.task[stage][task], [&] { work_->run_task(stage, task, thread); });
  }
  if (stage == kStep) stepped_.fetch_add(1, std::memory_order_release);
  return 1;
}

}  // namespace g80
