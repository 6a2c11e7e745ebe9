// SPDX-License-Identifier: Apache-2.0
// When the edges of a clock are: edge k at round(k * 10^12 / f) ps, k = 1, 2, ..., so ratios of clocks do not drift.
#pragma once
#include <cstdint>

#include "hw/common/types.h"

namespace g80 {

/// An edge of a clock.
struct Moment {
  Cycle edge = 0;
  Picoseconds time = 0;
};

class ClockTimes {
 public:
  /// Its time is a quotient, `rest` what the division left.
  struct Edge {
    Cycle edge = 0;
    Picoseconds time = kNever;
    std::uint64_t rest = 0;
  };

  /// `mhz` is a multiple of 100 Hz.
  explicit ClockTimes(double mhz)
      : mhz_(mhz),
        frequency_(static_cast<std::uint64_t>(mhz * 1e4 + 0.5)),
        period_(kUnitTime / frequency_),
        period_rest_(2 * kUnitTime % (2 * frequency_)) {}

  double mhz() const { return mhz_; }
  /// In units of 100 Hz.
  std::uint64_t frequency() const { return frequency_; }
  Picoseconds period() const { return period_; }  // between two edges, rounded down
  Picoseconds time_of(Cycle edge) const {
    return edge / frequency_ * kUnitTime + (2 * (edge % frequency_) * kUnitTime + frequency_) / (2 * frequency_);
  }
  Edge at(Cycle edge) const {
    return {edge, time_of(edge), (2 * (edge % frequency_) * kUnitTime + frequency_) % (2 * frequency_)};
  }
  Cycle first_edge_from(Picoseconds time) const {
    Cycle edge = time / kUnitTime * frequency_ + time % kUnitTime * frequency_ / kUnitTime;
    while (edge > 0 && time_of(edge) >= time) --edge;
    while (time_of(edge) < time) ++edge;
    return edge;
  }
  /// Times of near edges take no more than one division, those of the next few none.
  void advance(Edge& clock, Cycle edges) const {
    constexpr Cycle kNear = 1 << 20;
    if (__builtin_expect(edges >= kNear, 0)) {
      clock = at(clock.edge + edges);
      return;
    }
    clock.edge += edges;
    clock.time += edges * period_;
    clock.rest += edges * period_rest_;
    constexpr Cycle kFew = 16;
    if (__builtin_expect(edges > kFew, 0)) {
      clock.time += clock.rest / (2 * frequency_);
      clock.rest %= 2 * frequency_;
    }
    for (; clock.rest >= 2 * frequency_; clock.rest -= 2 * frequency_) ++clock.time;
  }

 private:
  /// Frequencies are counted in units of 100 Hz: so many edges take exactly kUnitTime.
  static constexpr Picoseconds kUnitTime = 10'000'000'000;

  double mhz_;
  std::uint64_t frequency_;
  Picoseconds period_;  // the rest is in units of 1 / (2 * frequency_)
  std::uint64_t period_rest_;
};

}  // namespace g80
