// SPDX-License-Identifier: Apache-2.0
// A synchroniser, which follows from the moves of its pointer, against flops clocked at every edge.
#include "hw/common/synchroniser.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/support/random_seed.h"

namespace g80 {
namespace {

// Flops as hardware has them.
class ClockedFlops {
 public:
  explicit ClockedFlops(unsigned flops) : flop_(flops) {}
  unsigned operator[](unsigned stage) const { return flop_[stage]; }
  void upset(unsigned stage, unsigned pointer) { flop_[stage] = pointer; }
  unsigned out(unsigned pointer) const { return flop_.empty() ? pointer : flop_.back(); }
  void clock(unsigned pointer) {
    if (flop_.empty()) return;
    flop_.pop_back();
    flop_.insert(flop_.begin(), pointer);
  }

 private:
  std::vector<unsigned> flop_;
};

// The pointer moves at random times, some of them those of an edge: then the edge sees the value from before. Now and
// then a fault is in one of the flops.
TEST(Synchroniser, ShowsWhatFlopsThatAreClockedAtEveryEdgeShow) {
  std::mt19937 random(random_seed());
  for (unsigned flops = 0; flops <= 14; ++flops) {
    for (const unsigned period : {1u, 2u, 3u, 5u, 17u}) {
      const unsigned way = flops / 2;
      Synchroniser model(flops - way, way, 4096);
      ClockedFlops clocked(flops);
      ASSERT_EQ(model.stages(), flops);
      unsigned pointer = 0, before = 0;
      unsigned count = 0, busy = 0;
      for (unsigned time = 1; time < 4000; ++time) {
        if (busy == 0) busy = 1 + random() % 200;
        --busy;
        before = pointer;
        if (busy > 60 && random() % 4 != 0) pointer = ++count % 4096;
        const bool edge_now = time % period == 0;
        const Cycle edge = time / period;
        // The other side runs first, or this one.
        const bool other_first = random() % 2 == 0;
        if (pointer != before && other_first) model.move(pointer, edge + 1);
        if (edge_now) {
          ASSERT_EQ(model.at(edge), clocked.out(before)) << flops << " flops, edge " << edge << ", time " << time;
          clocked.clock(before);
          if (flops != 0 && time > 2000 && random() % 8 == 0) {
            const unsigned stage = random() % flops, wrong = random() % 4096;
            clocked.upset(stage, wrong);
            model.upset_stage(stage, edge, wrong);
          }
        }
        if (pointer != before && !other_first) model.move(pointer, edge + 1);
        bool moves = false;
        for (unsigned stage = 0; stage < flops; ++stage) {
          ASSERT_EQ(model.stage(stage, edge), clocked[stage]) << "stage " << stage << " of " << flops << ", " << time;
          moves |= clocked[stage] != pointer;
        }
        ASSERT_EQ(model.moves_on(edge), moves) << flops << " flops, time " << time;
      }
    }
  }
}

TEST(Synchroniser, SaysWhenItsLastFlopHasThePointer) {
  Synchroniser three(3, 0, 8);
  three.move(1, 10);  // sampled at 10, in the last flop after edge 12
  EXPECT_EQ(three.shows_from(), 13u);
  EXPECT_EQ(three.at(12), 0u);
  EXPECT_EQ(three.at(13), 1u);
}

TEST(Synchroniser, ShowsZeroBeforeItsFirstEdge) {
  for (const unsigned flops : {1u, 3u, 14u}) EXPECT_EQ(Synchroniser(flops, 0, 64).at(0), 0u) << flops;
}

TEST(Synchroniser, ShowsALateMoveAnEdgeLaterAndNeverBeforeTheOneInFrontOfIt) {
  const unsigned seed = random_seed();
  unsigned late = 0;
  Synchroniser flops(1, 1, 1024);
  flops.catch_late(seed);
  for (unsigned edge = 1; edge <= 1000; ++edge) {
    const unsigned shown = flops.at(edge);
    ASSERT_GE(shown + 3, edge - 1);
    ASSERT_LE(shown + 2, std::max(edge - 1, 2u));
    late += edge > 10 && shown + 3 == edge - 1 ? 1 : 0;
    flops.move(edge, edge + 1);
  }
  EXPECT_GT(late, 400u);
  EXPECT_LT(late, 600u);
}

TEST(Synchroniser, MovesAllOfItsState) {
  Synchroniser from(2, 1, 16), to(2, 1, 16);
  for (unsigned pointer = 1; pointer <= 7; ++pointer) from.move(pointer, pointer + 1);
  from.upset_stage(1, 9, 13);
  StateImage image;
  FieldEditor save(image, false), load(image, true);
  from.move_state(save);
  image.at = 0;
  to.move_state(load);
  for (Cycle edge = 7; edge <= 11; ++edge) EXPECT_EQ(to.at(edge), edge == 11 ? 13 : edge - 4);
}

TEST(Synchroniser, SaysWhetherItsLastFlopHasLeftANumber) {
  Synchroniser two(2, 0, 4);
  EXPECT_FALSE(two.has_left(0, 100));
  for (unsigned moves = 1; moves < 12; ++moves) {  // round and round
    two.move(moves % 4, 10 * moves);
    EXPECT_FALSE(two.has_left(moves % 4, 1000));
    EXPECT_FALSE(two.has_left((moves - 1) % 4, 10 * moves + 1));
    EXPECT_TRUE(two.has_left((moves - 1) % 4, 10 * moves + 2));
  }
}

TEST(Synchroniser, RefusesAnEdgeOfWhichItHasForgottenThePointer) {
  Synchroniser one(1, 0, 4);
  for (unsigned edge = 10; edge < 16; ++edge) one.move(edge % 4, edge);
  EXPECT_EQ(one.at(14), 13u % 4);
  EXPECT_EQ(one.at(13), 12u % 4);
  EXPECT_THROW(one.at(12), ModelError);
}

}  // namespace
}  // namespace g80
