// SPDX-License-Identifier: Apache-2.0
// The chip's timer: nanoseconds in steps of 32, as drivers set it up (31.25 MHz: nouveau, nv04_timer.c).
//
// It counts edges of the core clock: at each of them `rest` gains 31.25 MHz; where it has reached the clock's frequency
// it loses that, and 32 ns have passed. It is never reset. The model adds up when somebody looks.
#pragma once
#include <algorithm>
#include <cstdint>

#include "hw/common/clock_times.h"
#include "hw/common/store.h"
#include "hw/common/types.h"

namespace g80 {

inline constexpr unsigned kTimerStep = 32;  // ns

class TimerCounter {
 public:
  /// `frequency` of the clock, as ClockTimes counts it.
  explicit TimerCounter(std::uint64_t frequency) : frequency_(frequency) {}

  /// At this edge of the clock, not before that of the last read.
  std::uint64_t nanoseconds(Cycle edge) {
    count_to(edge);
    return steps_ * kTimerStep;
  }
  void count_to(Cycle edge) {
    rest_ += kTicks * (std::max(edge, since_) - since_);
    since_ = std::max(edge, since_);
    steps_ += rest_ / frequency_;
    rest_ %= frequency_;
  }
  /// As at power-up, when all edges are still to be counted.
  void forget_reads() { steps_ = rest_ = since_ = 0; }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v.stored("steps", s.steps_, 59);  // it never stands still
    v.stored("rest", s.rest_, 32);
    v.unseen("since", s.since_);
  }

 private:
  static constexpr std::uint64_t kTicks = 312'500;  // a second, in the unit of ClockTimes
  std::uint64_t frequency_;
  std::uint64_t steps_ = 0, rest_ = 0;
  Cycle since_ = 0;
};

using Timer = Stored<TimerCounter>;

}  // namespace g80
