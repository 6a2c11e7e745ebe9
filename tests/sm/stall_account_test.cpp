// SPDX-License-Identifier: Apache-2.0
// Every scheduler cycle is charged once, asleep or awake, and counters and profile agree.
#include "hw/sm/stall_account.h"

#include <gtest/gtest.h>

#include <numeric>

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
    account.attach(&profile);
    ready.resident = 0b11;
    ready.wait_memory = 0b10;
  }
  std::uint64_t profiled(StallReason reason) const {
    std::uint64_t cycles = 0;
    PcProfile settled = profile;
    for (unsigned warp = 0; warp < 2; ++warp) settled.settle(warp, 0);
    for (const PcProfile::Entry& entry : settled.entries()) cycles += entry.stall[static_cast<unsigned>(reason)];
    return cycles;
  }
  StallAccount account;
  PcProfile profile;
  WarpReady ready;
};

TEST_F(StallAccountTest, CyclesAsleepBelongToTheReasonReportedLast) {
  account.charge(2, stall(StallReason::kMemory), ready, 0);
  account.charge(22, stall(StallReason::kBarrier), ready, 0);  // nine scheduler cycles asleep in between
  EXPECT_EQ(column(account.counters(22), StallReason::kMemory), 10u);
  EXPECT_EQ(column(account.counters(22), StallReason::kBarrier), 1u);
  EXPECT_EQ(profiled(StallReason::kMemory), 10u);
  EXPECT_EQ(profiled(StallReason::kBarrier), 1u);
}

TEST_F(StallAccountTest, WhoeverLooksDuringSleepSeesEveryCycle) {
  account.charge(2, stall(StallReason::kMemory), ready, 0);
  for (Cycle now = 2; now < 40; ++now) EXPECT_EQ(sum(account.counters(now)), now / 2) << now;
  account.charge_sleep(profile, 21);
  EXPECT_EQ(profiled(StallReason::kMemory), 10u);
  EXPECT_EQ(column(account.counters(2), StallReason::kMemory), 1u) << "looking charges nothing";
}

TEST_F(StallAccountTest, TheCycleBehindAnIssueIsTheUnits) {
  account.charge(2, issue(1), ready, 0);
  EXPECT_EQ(account.issued(), 1u);
  EXPECT_EQ(column(account.counters(5), StallReason::kUnitBusy), 1u);
  EXPECT_EQ(column(account.counters(5), StallReason::kIssued), 1u);
}

TEST_F(StallAccountTest, ASchedulerThatCountsItselfIsToldAlike) {
  StallAccount own;
  PcProfile of_own;
  of_own.begin(0, 16);
  own.attach(&of_own);
  Cycle now = 2;
  for (const Pick& pick : {stall(StallReason::kMemory), issue(0), stall(StallReason::kUnitBusy), issue(1)}) {
    account.charge(now, pick, ready, 0);
    own.charge_counted(now / 2, account.counters(now), pick, ready, 0);
    now += pick.valid ? 2 : 10;
  }
  EXPECT_EQ(sum(own.counters(now)), sum(account.counters(now)));
  for (unsigned warp = 0; warp < 2; ++warp) profile.settle(warp, 0), of_own.settle(warp, 0);
  for (std::size_t i = 0; i < profile.entries().size(); ++i) {
    EXPECT_EQ(of_own.entries()[i].stall, profile.entries()[i].stall) << "word " << i;
  }
}

TEST_F(StallAccountTest, AResetForgets) {
  account.charge(2, stall(StallReason::kMemory), ready, 0);
  account.reset();
  EXPECT_EQ(sum(account.counters(0)), 0u);
}

}  // namespace
}  // namespace g80
