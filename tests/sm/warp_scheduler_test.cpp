// Which warp issues under each policy, and which reason is charged when none does.
#include "hw/sm/warp_scheduler.h"

#include <random>

#include <gtest/gtest.h>

namespace g80 {
namespace {

PickInput random_input(std::mt19937& random) {
  PickInput in;
  in.eligible = random() & random();
  in.last = random() % 32;
  for (std::uint32_t& age : in.age) age = static_cast<std::uint32_t>(random());
  return in;
}
unsigned oldest_of(const PickInput& in) {
  unsigned best = 32;
  for (unsigned w = 0; w < 32; ++w) {
    if ((in.eligible >> w & 1) != 0 && (best == 32 || in.age[w] < in.age[best])) best = w;
  }
  return best;
}

TEST(PickWarp, FollowsEachPolicy) {
  std::mt19937 random(5);
  for (unsigned i = 0; i < 20000; ++i) {
    const PickInput in = random_input(random);
    if (in.eligible == 0) continue;
    unsigned next = (in.last + 1) % 32;
    while ((in.eligible >> next & 1) == 0) next = (next + 1) % 32;
    EXPECT_EQ(pick_warp(SchedulerPolicy::kLooseRoundRobin, in), next);
    EXPECT_EQ(pick_warp(SchedulerPolicy::kOldestFirst, in), oldest_of(in));
    EXPECT_EQ(pick_warp(SchedulerPolicy::kGreedyThenOldest, in), (in.eligible >> in.last & 1) != 0 ? in.last : oldest_of(in));
  }
}

TEST(PickWarp, PicksNothingWhenNothingIsEligible) {
  for (const auto policy : {SchedulerPolicy::kLooseRoundRobin, SchedulerPolicy::kOldestFirst, SchedulerPolicy::kGreedyThenOldest}) {
    EXPECT_EQ(pick_warp(policy, {}), std::nullopt);
  }
}

TEST(StallReason, IsTheWaitNearestToProgress) {
  WarpReady r;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kNoWarp);
  r.resident = 0xff;
  r.wait_barrier = 0xff;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kBarrier);
  r.wait_barrier = 0x7f, r.wait_memory = r.has_head = 0x80;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kMemory);
  r.wait_barrier = 0x3f, r.wait_drain = 0x40, r.has_head = 0xc0;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kDrain);
  r.wait_barrier = 0x1f;  // warp 5 waits for nothing but instructions
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kFetch);
  r.wait_control = 0x10;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kControl);
  r.wait_alu = 0x08;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kAlu);
  r.ready = 0x04;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kUnitBusy);
  EXPECT_EQ(stall_reason(r, 0, true), StallReason::kMemoryQueue);
}

}  // namespace
}  // namespace g80
