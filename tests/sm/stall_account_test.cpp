// SPDX-License-Identifier: Apache-2.0
// Every scheduler cycle is charged once, asleep or awake, and counters and profile agree.
#include "hw/sm/stall_account.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "tb/record/pc_profile.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

Pick issue(std::uint8_t warp) {
  Pick pick;
  pick.valid = true;
  pick.warp = warp;
  pick.stall = StallReason::kIssued;
  return pick;
}
Pick stall(StallReason reason) {
  Pick pick;
  pick.stall = reason;
  return pick;
}
std::uint64_t column(const StallAccount::Counters& counters, StallReason reason) {
  return counters.stall[static_cast<unsigned>(reason)];
}
std::uint64_t sum(const StallAccount::Counters& counters) {
  return std::accumulate(std::begin(counters.stall), std::end(counters.stall), std::uint64_t{0});
}

class StallAccountTest : public ::testing::Test {
 protected:
  StallAccountTest() {
    profile.begin(0, 16);
    port.attach(profile, RetirementPort::Reads::kProfile);
    account.report_to(&port);
    ready.resident = 0b11;
    ready.wait_memory = 0b10;
  }
  /// Looks at edge `now`.
  std::uint64_t profiled(StallReason reason, Cycle now) {
    std::uint64_t cycles = 0;
    port.flush();
    const PcProfile settled = profile.settled(account.unreported(now), SmState{});
    for (const PcProfile::Entry& entry : settled.entries()) cycles += entry.stall[static_cast<unsigned>(reason)];
    return cycles;
  }
  RetirementPort port;
  StallAccount account;
  PcProfile profile;
  WarpReady ready;
};

TEST_F(StallAccountTest, AResetForgetsTheCyclesAndTheFirstIssue) {
  account.charge(4, issue(0), ready, 0);
  account.charge(20, stall(StallReason::kMemory), ready, 0);
  EXPECT_EQ(account.first_issue(), 4u);
  account.reset();
  EXPECT_EQ(account.first_issue(), std::nullopt);
  EXPECT_EQ(sum(account.counters(0)), 0u);
  EXPECT_EQ(sum(account.counters(10)), 5u) << "scheduler cycles count from 0 again";
}

TEST_F(StallAccountTest, ACycleInWhichNobodyWaitsIsChargedToTheLowestWarpThere) {
  ready = {};
  EXPECT_EQ(waiting_warp(StallReason::kNoWarp, ready, 0).warp, 0u);
  ready.resident = 0b1100;
  EXPECT_EQ(waiting_warp(StallReason::kIssued, ready, 0).warp, 2u);
}

TEST_F(StallAccountTest, CyclesAsleepBelongToTheReasonReportedLast) {
  account.charge(2, stall(StallReason::kMemory), ready, 0);
  account.charge(22, stall(StallReason::kBarrier), ready, 0);  // nine scheduler cycles asleep in between
  EXPECT_EQ(column(account.counters(22), StallReason::kMemory), 10u);
  EXPECT_EQ(column(account.counters(22), StallReason::kBarrier), 1u);
  EXPECT_EQ(profiled(StallReason::kMemory, 22), 10u);
  EXPECT_EQ(profiled(StallReason::kBarrier, 22), 1u);
}

TEST_F(StallAccountTest, WhoeverLooksDuringSleepSeesEveryCycle) {
  account.charge(2, stall(StallReason::kMemory), ready, 0);
  for (Cycle now = 2; now < 40; ++now) EXPECT_EQ(sum(account.counters(now)), now / 2) << now;
  EXPECT_EQ(profiled(StallReason::kMemory, 21), 10u);
  EXPECT_EQ(column(account.counters(2), StallReason::kMemory), 1u) << "looking charges nothing";
}

TEST_F(StallAccountTest, TheCycleBehindAnIssueIsTheUnits) {
  account.charge(2, issue(1), ready, 0);
  EXPECT_EQ(account.issued(), 1u);
  EXPECT_EQ(column(account.counters(5), StallReason::kUnitBusy), 1u);
  EXPECT_EQ(column(account.counters(5), StallReason::kIssued), 1u);
}

TEST_F(StallAccountTest, TheFirstIssueOfALaunchIsKept) {
  EXPECT_FALSE(account.first_issue());
  account.charge(2, stall(StallReason::kMemory), ready, 0);
  EXPECT_FALSE(account.first_issue()) << "a stall is none";
  account.charge(6, issue(1), ready, 0);
  account.charge(8, issue(0), ready, 0);
  EXPECT_EQ(account.first_issue(), Cycle{6});
  account.begin_launch();
  EXPECT_FALSE(account.first_issue());
  account.charge(20, issue(0), ready, 0);
  EXPECT_EQ(account.first_issue(), Cycle{20});
}

TEST(WaitingWarp, IsTheLowestOfThoseThatTheReasonNamesElseAResidentOneElseWarp0) {
  WarpReady ready;
  ready.resident = 0b1100;
  ready.wait_memory = 0b1000;
  EXPECT_EQ(waiting_warp(StallReason::kMemory, ready, 0).warp, 3);
  EXPECT_EQ(waiting_warp(StallReason::kAlu, ready, 0).warp, 2) << "none waits for that";
  EXPECT_EQ(waiting_warp(StallReason::kNoWarp, WarpReady{}, 0).warp, 0);
  ready.wait_control = 0b0100;
  EXPECT_EQ(waiting_warp(StallReason::kControl, ready, 0).warp, 2);
  EXPECT_TRUE(waiting_warp(StallReason::kControl, ready, 0).behind);
  EXPECT_FALSE(waiting_warp(StallReason::kMemory, ready, 0).behind);
}

// What a warp may wait for, closest to progress first. Each resident warp waits for one of them; a cycle has the reason
// of the first that a warp waits for, and belongs to the lowest of these warps.
TEST(StallReasons, ACycleHasTheReasonClosestToProgressAndTheLowestWarpThatHasIt) {
  std::mt19937 random(random_seed());
  enum Wait { kReady, kPicked, kAlu, kControl, kFetch, kDrain, kMemory, kBarrier, kWaits };
  constexpr StallReason kReasons[] = {StallReason::kUnitBusy, StallReason::kUnitBusy, StallReason::kAlu,
                                      StallReason::kControl,  StallReason::kFetch,    StallReason::kDrain,
                                      StallReason::kMemory,   StallReason::kBarrier};
  for (unsigned trial = 0; trial < 20'000; ++trial) {
    WarpReady ready;
    WarpMask hidden = 0;
    unsigned first = kWaits, warp = 0;
    const unsigned allowed = random(), warps = random() % (kMaxWarps + 1);  // few reasons at a time
    for (unsigned w = 0; w < warps; ++w) {
      const unsigned wait = random() % kWaits;
      if ((allowed >> wait & 1) == 0 || random() % 4 == 0) continue;
      const WarpMask bit = WarpMask{1} << w;
      ready.resident |= bit;
      if (wait != kFetch && (wait != kBarrier || random() % 2 != 0)) ready.has_head |= bit;
      if (wait == kReady || wait == kPicked) ready.ready |= bit;
      if (wait == kPicked) hidden |= bit;
      if (wait == kAlu) ready.wait_alu |= bit;
      if (wait == kControl) ready.wait_control |= bit;
      if (wait == kDrain) ready.wait_drain |= bit;
      if (wait == kMemory) ready.wait_memory |= bit;
      if (wait == kBarrier) ready.wait_barrier |= bit;
      if (wait < first) first = wait, warp = w;
    }
    const StallReason reason = stall_reason(ready, hidden, false);
    if (first == kWaits) {
      ASSERT_EQ(reason, StallReason::kNoWarp);
      continue;
    }
    ASSERT_EQ(reason, kReasons[first]);
    ASSERT_EQ(waiting_warp(reason, ready, hidden).warp, warp);
    ASSERT_EQ(waiting_warp(reason, ready, hidden).behind, first == kPicked || first == kControl || first == kBarrier);
    ASSERT_EQ(stall_reason(ready, hidden, true), StallReason::kMemoryQueue);
    if (first == kReady) {
      ASSERT_EQ(waiting_warp(StallReason::kMemoryQueue, ready, hidden).warp, warp);
    }
  }
}

TEST_F(StallAccountTest, AResetForgets) {
  account.charge(2, stall(StallReason::kMemory), ready, 0);
  account.reset();
  EXPECT_EQ(sum(account.counters(0)), 0u);
}

}  // namespace
}  // namespace g80
