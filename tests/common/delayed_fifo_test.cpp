// SPDX-License-Identifier: Apache-2.0
// The queue with a row of valid bits, against entries that remember when they entered.
#include "hw/common/delayed_fifo.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <utility>

#include "tests/support/random_seed.h"

namespace g80 {
namespace {

TEST(DelayedRing, AnEntryMayLeaveAfterItsStages) {
  std::mt19937 random(random_seed());
  for (const unsigned stages : {0u, 1u, 2u, 3u, 7u, 30u, 110u}) {
    DelayedRing<Ring<unsigned, 128>> ring(stages);
    std::deque<std::pair<unsigned, unsigned>> model;  // number, step at which it entered
    unsigned entered = 0, left = 0;
    for (unsigned now = 0; now < 20'000; ++now) {
      const bool busy = now / 512 % 2 == 0, blocked = now / 300 % 3 == 0;
      ring.step();
      if (random() % 4 != 0 && !blocked && ring.arrived()) {
        ASSERT_EQ(ring.front(), model.front().first);
        ring.pop();
        model.pop_front();
        ++left;
      }
      if (random() % 8 < (busy ? 7 : 1) && !ring.full()) {
        ring.push(entered);
        model.emplace_back(entered++, now);
      }
      ASSERT_EQ(ring.empty(), model.empty());
      ASSERT_EQ(ring.arrived(), !model.empty() && model.front().second + stages <= now) << stages << " stages, " << now;
      ASSERT_EQ(ring.moving(), !model.empty() && model.back().second + stages > now) << stages << " stages, " << now;
    }
    EXPECT_GE(left, 2000u);
  }
}

// A block that sleeps until the next entry arrives, or longer, sees what one sees that steps at every edge.
TEST(DelayedRing, MakesUpForTheEdgesThatItsBlockHasSlept) {
  std::mt19937 random(random_seed());
  for (const unsigned stages : {1u, 2u, 5u, 60u}) {
    DelayLine every(stages), some(stages);
    for (Cycle edge = 1; edge < 20'000; ++edge) {
      every.step();
      const bool enters = random() % (edge / 1000 % 2 == 0 ? 3 : 40) == 0;
      if (!enters && random() % 4 != 0) continue;
      some.step_to(edge);
      ASSERT_EQ(some.moving(), every.moving());
      if (some.moving()) {
        DelayLine ahead = some;
        const bool waits = ahead.arrived();
        if (!waits) {
          ahead.step_to(some.next_arrival() - 1);
          ASSERT_FALSE(ahead.arrived());
          ahead.step_to(some.next_arrival());
          ASSERT_TRUE(ahead.arrived());
        }
      }
      for (; some.arrived(); some.leave(), every.leave()) ASSERT_TRUE(every.arrived());
      ASSERT_FALSE(every.arrived());
      if (!enters) continue;
      every.enter();
      some.enter();
    }
  }
}

TEST(DelayedRing, TakesOneEntryAStep) {
  DelayedRing<Ring<unsigned, 8>> ring(3);
  ring.step();
  ring.push(1);
  EXPECT_THROW(ring.push(2), ModelError);
}

TEST(DelayedRing, NothingLeavesBeforeItArrives) {
  DelayedRing<Ring<unsigned, 8>> ring(2);
  ring.step();
  ring.push(1);
  EXPECT_THROW(ring.pop(), ModelError);
  ring.step();
  EXPECT_THROW(ring.pop(), ModelError);
  ring.step();
  ring.pop();
  EXPECT_TRUE(ring.empty());
}

TEST(DelayedRing, ClearedItHoldsNothing) {
  DelayedRing<Ring<unsigned, 8>> ring(2);
  ring.step();
  ring.push(1);
  ring.clear();
  for (unsigned i = 0; i < 4; ++i) {
    ring.step();
    EXPECT_FALSE(ring.arrived());
    EXPECT_FALSE(ring.moving());
  }
}

}  // namespace
}  // namespace g80
