// SPDX-License-Identifier: Apache-2.0
// What a sweep shows while it runs: on a terminal a table that is drawn anew, elsewhere one line for each run that
// ends.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/sweep/sweep_plan.h"
#include "app/sweep/sweep_store.h"

namespace g80 {

/// Estimates the remaining time: mean seconds of each kernel's runs so far, over the processes.
class TimeLeft {
 public:
  void ended(std::uint32_t kernel, double seconds);
  /// Negative if no run has ended yet. `left`: runs to do, by kernel.
  double seconds(const std::map<std::uint32_t, std::uint64_t>& left, unsigned processes) const;

 private:
  std::map<std::uint32_t, std::pair<double, std::uint64_t>> known_;  // sum, count
};

class SweepProgress {
 public:
  /// `to_do` are the runs without a result; `done` of `total` had one before.
  SweepProgress(const SweepPlan& plan, const std::vector<const SweepPoint*>& to_do, std::uint64_t total, bool quiet,
                unsigned processes);
  ~SweepProgress();
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void started(const SweepPoint& point);
  void ended(const SweepPoint& point, const SweepOutcome& outcome);
  void note(const std::string& sentence);  // what else happens
  void tick();                             // draws, if it is time

 private:
  using Clock = std::chrono::steady_clock;
  void clear();
  void draw();
  std::string head() const;

  const SweepPlan& plan_;
  std::uint64_t total_, done_, unexpected_ = 0;
  bool quiet_, live_;
  unsigned processes_;
  std::map<std::uint32_t, std::uint64_t> left_;
  TimeLeft time_left_;
  std::map<const SweepPoint*, Clock::time_point> running_;
  std::vector<std::string> notes_;
  std::size_t drawn_ = 0;  // lines on the terminal
  Clock::time_point last_{};
};

}  // namespace g80
