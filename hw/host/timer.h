// SPDX-License-Identifier: Apache-2.0
// The chip's timer: nanoseconds in steps of 32, as drivers set it up (31.25 MHz: nouveau, nv04_timer.c).
//
// It counts edges of the core clock: at each of them `rest` gains 31.25 MHz; where it has reached the clock's frequency
// it loses that, and 32 ns have passed. It is never reset. The model adds up when the timer is read.
#pragma once
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
    rest_ += kTicks * (edge - since_);
    since_ = edge;
    steps_ += rest_ / frequency_;
    rest_ %= frequency_;
    return steps_ * kTimerStep;
  }
  /// As at power-up, when all edges are still to be counted.
  void forget_reads() { steps_ = rest_ = since_ = 0; }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("steps", s.steps_, 59);
    v("rest", s.rest_, 32);
    if constexpr (std::is_same_v<V, FieldEditor>) v.state(s.since_);
  }

 private:
  static constexpr std::uint64_t kTicks = 312'500;  // a second, in the unit of ClockTimes
  std::uint64_t frequency_;
  std::uint64_t steps_ = 0, rest_ = 0;
  Cycle since_ = 0;
};

using Timer = Stored<TimerCounter>;

}  // namespace g80
