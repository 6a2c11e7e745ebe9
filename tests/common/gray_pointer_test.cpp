// SPDX-License-Identifier: Apache-2.0
// Gray code, and a synchroniser that is clocked only when its pointer changes against flops clocked at every edge.
#include "hw/common/gray_pointer.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/support/random_seed.h"

namespace g80 {
namespace {

TEST(GrayPointer, NeighboursDifferInOneBitAlsoWhereThePointerWrapsAround) {
  for (unsigned pointers = 2; pointers <= 1024; pointers *= 2) {
    for (unsigned i = 0; i < pointers; ++i) {
      const unsigned changed = to_gray(i) ^ to_gray((i + 1) % pointers);
      EXPECT_EQ(__builtin_popcount(changed), 1) << i << " of " << pointers;
      EXPECT_LT(to_gray(i), pointers);
    }
  }
}

TEST(GrayPointer, DecodingUndoesTheCode) {
  for (unsigned i = 0; i <= 0xffff; ++i) ASSERT_EQ(from_gray(to_gray(i)), i);
}

// Flops as hardware has them.
class ClockedFlops {
 public:
  explicit ClockedFlops(unsigned flops) : flop_(flops) {}
  GrayPointer out(GrayPointer pointer) const { return flop_.empty() ? pointer : flop_.back(); }
  void clock(GrayPointer pointer) {
    if (flop_.empty()) return;
    flop_.pop_back();
    flop_.insert(flop_.begin(), pointer);
  }

 private:
  std::vector<GrayPointer> flop_;
};

// The pointer moves at random times, some of them those of an edge: then the edge sees the value from before.
TEST(Synchroniser, ShowsWhatFlopsThatAreClockedAtEveryEdgeShow) {
  std::mt19937 random(random_seed());
  for (unsigned flops = 0; flops <= 14; ++flops) {
    for (const unsigned period : {1u, 2u, 3u, 5u, 17u}) {
      Synchroniser lazy(flops);
      ClockedFlops clocked(flops);
      ASSERT_EQ(lazy.flops(), flops);
      GrayPointer pointer = 0, before = 0;
      unsigned count = 0, busy = 0;
      for (unsigned time = 1; time < 4000; ++time) {
        if (busy == 0) busy = 1 + random() % 200;
        --busy;
        before = pointer;
        if (busy > 60 && random() % 4 != 0) pointer = to_gray(++count % 64);
        const bool edge_now = time % period == 0;
        const Cycle edge = time / period;
        // The other side runs first, or this one.
        const bool other_first = random() % 2 == 0;
        if (pointer != before && other_first) lazy.change(pointer, edge + 1);
        if (edge_now) {
          ASSERT_EQ(lazy.at(edge), clocked.out(before)) << flops << " flops, edge " << edge << ", time " << time;
          clocked.clock(before);
        }
        if (pointer != before && !other_first) lazy.change(pointer, edge + 1);
      }
    }
  }
}

TEST(Synchroniser, SaysWhenItsLastFlopHasThePointer) {
  Synchroniser three(3);
  three.change(1, 10);  // sampled at 10, in the last flop after edge 12
  EXPECT_EQ(three.shows_from(), 13u);
  EXPECT_EQ(three.at(12), 0);
  EXPECT_EQ(three.at(13), 1);
}

TEST(Synchroniser, ShowsZeroBeforeItsFirstEdge) {
  for (const unsigned flops : {1u, 3u, 14u}) EXPECT_EQ(Synchroniser(flops).at(0), 0) << flops;
}

TEST(Synchroniser, RefusesAnEdgeOfWhichItHasForgottenTheFlops) {
  Synchroniser one(1);
  one.change(1, 10);
  one.change(3, 20);
  EXPECT_EQ(one.at(19), 1);
  EXPECT_THROW(one.at(18), ModelError);
}

}  // namespace
}  // namespace g80
