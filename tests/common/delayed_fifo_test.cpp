// SPDX-License-Identifier: Apache-2.0
// The queue with a row of valid bits, against entries that remember when they entered.
#include "hw/common/delayed_fifo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <utility>
#include <vector>

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
      ring.step_to(now);
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

// A block that sleeps until the next entry arrives sees what one sees that steps at every edge.
TEST(DelayedRing, MakesUpForTheEdgesThatItsBlockHasSlept) {
  std::mt19937 random(random_seed());
  for (const unsigned stages : {0u, 1u, 2u, 5u, 60u, 63u, 64u, 65u, 130u, 1024u}) {
    DelayLine every(stages), some(stages);
    Cycle arrival = 0;
    unsigned slept = 0;
    for (Cycle edge = 1; edge < 20'000; ++edge) {
      every.step_to(edge);
      const bool enters = random() % (edge / 1000 % 2 == 0 ? 3 : 40) == 0;
      if (!enters && edge != arrival && random() % 4 != 0) {
        ASSERT_FALSE(every.arrived());
        ++slept;
        continue;
      }
      some.step_to(edge);
      ASSERT_EQ(some.num_moving(), every.num_moving());
      ASSERT_EQ(some.arrived(), edge == arrival);
      for (; some.arrived(); some.leave(), every.leave()) ASSERT_TRUE(every.arrived());
      ASSERT_FALSE(every.arrived());
      if (enters) {
        every.enter();
        some.enter();
        if (stages == 0) some.leave(), every.leave();
      }
      if (some.moving()) arrival = some.next_arrival(edge);
    }
    EXPECT_GT(slept, 5000u);
  }
}

TEST(DelayedRing, NothingArrivesAfterAReset) {
  DelayLine line(3);
  line.enter();
  line.clear();
  for (unsigned step = 0; step < 8; ++step) {
    line.step_to(step);
    ASSERT_FALSE(line.arrived());
  }
}

// Lines side by side are as many lines.
TEST(DelayLines, EachIsALine) {
  std::mt19937 random(random_seed());
  for (const unsigned stages : {0u, 1u, 3u, 12u, 63u, 200u}) {
    constexpr unsigned kLines = 7;
    DelayLines together(kLines, stages);
    std::vector<DelayLine> apart(kLines, DelayLine(stages));
    for (Cycle edge = 1; edge < 10'000; ++edge) {
      together.step_to(edge);
      Cycle next = kNever;
      for (unsigned line = 0; line < kLines; ++line) {
        apart[line].step_to(edge);
        if (random() % 3 == 0 && apart[line].arrived()) {
          apart[line].leave();
          together.leave(line);
        }
        if (random() % (8 + line * edge / 1000) == 0) {
          apart[line].enter();
          together.enter(line);
        }
        ASSERT_EQ(together.arrived() >> line & 1, apart[line].arrived() ? 1u : 0u) << stages << " stages, " << edge;
        if (apart[line].moving()) next = std::min(next, apart[line].next_arrival(edge));
      }
      ASSERT_EQ(together.moving(), next != kNever);
      if (next != kNever) {
        ASSERT_EQ(together.next_arrival(edge), next);
      }
    }
  }
}

TEST(DelayLines, ALineTakesOneEntryAStepAndGivesWhatHasArrived) {
  DelayLines lines(3, 2);
  lines.step_to(1);
  lines.enter(1);
  lines.enter(2);
  EXPECT_THROW(lines.enter(1), ModelError);
  EXPECT_THROW(lines.leave(1), ModelError);
  lines.step_to(2);
  EXPECT_EQ(lines.arrived(), 0u);
  lines.step_to(3);
  EXPECT_EQ(lines.arrived(), 0b110u);
  lines.leave(2);
  EXPECT_EQ(lines.arrived(), 0b010u);
}

TEST(DelayedRing, TakesOneEntryAStep) {
  DelayedRing<Ring<unsigned, 8>> ring(3);
  ring.step_to(0);
  ring.push(1);
  EXPECT_THROW(ring.push(2), ModelError);
}

TEST(DelayedRing, NothingLeavesBeforeItArrives) {
  DelayedRing<Ring<unsigned, 8>> ring(2);
  ring.step_to(0);
  ring.push(1);
  EXPECT_THROW(ring.pop(), ModelError);
  ring.step_to(1);
  EXPECT_THROW(ring.pop(), ModelError);
  ring.step_to(2);
  ring.pop();
  EXPECT_TRUE(ring.empty());
}

TEST(DelayedRing, ClearedItHoldsNothing) {
  DelayedRing<Ring<unsigned, 8>> ring(2);
  ring.step_to(0);
  ring.push(1);
  ring.clear();
  for (unsigned i = 1; i < 5; ++i) {
    ring.step_to(i);
    EXPECT_FALSE(ring.arrived());
    EXPECT_FALSE(ring.moving());
  }
}

}  // namespace
}  // namespace g80
