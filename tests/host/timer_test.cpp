// SPDX-License-Identifier: Apache-2.0
// The timer shows the time of the clock's edges, whenever it is read.
#include "hw/host/timer.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/random_seed.h"

namespace g80 {
namespace {

TEST(Timer, ShowsTheTimeInStepsOf32Nanoseconds) {
  const unsigned seed = random_seed();
  std::mt19937 random(seed);
  for (const double mhz : {575.0, 602.3, 333.3333, 31.25, 10.0, 1000.0}) {
    const std::uint64_t frequency = ClockTimes(mhz).frequency();
    TimerCounter timer(frequency);
    Cycle edge = 0;
    for (int i = 0; i < 1000; ++i) {
      edge += random() % (i % 100 == 0 ? 1'000'000 : 40);
      const std::uint64_t shown = timer.nanoseconds(edge);
      EXPECT_EQ(shown % kTimerStep, 0u);
      // Edges of a step, in units of 100 Hz: exact.
      EXPECT_EQ(shown / kTimerStep, edge * 312'500 / frequency) << "seed " << seed << " at " << mhz << " MHz";
    }
    timer.forget_reads();
    EXPECT_EQ(timer.nanoseconds(edge) / kTimerStep, edge * 312'500 / frequency);
  }
}

TEST(Timer, ShowsASecondAfterASecondOfEdges) {
  TimerCounter timer(ClockTimes(575).frequency());
  EXPECT_EQ(timer.nanoseconds(575'000'000 - 1), 1'000'000'000u - kTimerStep);
  EXPECT_EQ(timer.nanoseconds(575'000'000), 1'000'000'000u);
}

}  // namespace
}  // namespace g80
