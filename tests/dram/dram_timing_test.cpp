// SPDX-License-Identifier: Apache-2.0
// Every GDDR3 rule moves the first legal edge of the command it protects, by exactly its parameter.
#include "hw/dram/dram_timing.h"

#include <gtest/gtest.h>

#include "hw/common/check.h"

namespace g80 {
namespace {

using Kind = DramCommandKind;
constexpr Cycle kAt = 1000;

struct DramTimingTest : ::testing::Test {
  DramTiming timing{load_config("8600gts")};
  DramBank bank, other;
  DramRank rank;
  void run(Kind kind, Cycle edge) { apply(timing, kind, edge, 7, bank, rank); }
  void open_long_ago() { run(Kind::kActivate, 1); }
};

TEST_F(DramTimingTest, AFreshBankMayActivateAtOnce) { EXPECT_EQ(earliest(Kind::kActivate, bank, rank), 0u); }

TEST_F(DramTimingTest, ActivateOpensTheRow) {
  run(Kind::kActivate, kAt);
  EXPECT_TRUE(bank.open);
  EXPECT_EQ(bank.row, 7u);
  run(Kind::kPrecharge, kAt + 100);
  EXPECT_FALSE(bank.open);
}
TEST_F(DramTimingTest, ReadAndWriteWaitTrcdAfterActivate) {
  run(Kind::kActivate, kAt);
  EXPECT_EQ(earliest(Kind::kRead, bank, rank), kAt + timing.t_rcd);
  EXPECT_EQ(earliest(Kind::kWrite, bank, rank), kAt + timing.t_rcd);
}
TEST_F(DramTimingTest, PrechargeWaitsTrasAfterActivate) {
  run(Kind::kActivate, kAt);
  EXPECT_EQ(earliest(Kind::kPrecharge, bank, rank), kAt + timing.t_ras);
}
TEST_F(DramTimingTest, ActivateWaitsTrcInItsBankAndTrrdInOthers) {
  run(Kind::kActivate, kAt);
  EXPECT_EQ(earliest(Kind::kActivate, bank, rank), kAt + timing.t_rc);
  EXPECT_EQ(earliest(Kind::kActivate, other, rank), kAt + timing.t_rrd);
}
TEST_F(DramTimingTest, TheFifthActivateWaitsTfawAfterTheFirst) {
  timing.t_rrd = 2;
  std::array<DramBank, 5> banks;
  for (unsigned b = 0; b < 4; ++b) {
    EXPECT_EQ(earliest(Kind::kActivate, banks[b], rank), b == 0 ? 0 : kAt + (b - 1) * 3 + timing.t_rrd);
    apply(timing, Kind::kActivate, kAt + b * 3, 7, banks[b], rank);
  }
  EXPECT_EQ(earliest(Kind::kActivate, banks[4], rank), kAt + timing.t_faw);
  apply(timing, Kind::kActivate, kAt + timing.t_faw, 7, banks[4], rank);
  EXPECT_EQ(earliest(Kind::kActivate, other, rank), kAt + 3 + timing.t_faw);
}
TEST_F(DramTimingTest, ActivateWaitsTrpAfterPrecharge) {
  open_long_ago();
  run(Kind::kPrecharge, kAt);
  EXPECT_EQ(earliest(Kind::kActivate, bank, rank), kAt + timing.t_rp);
  EXPECT_EQ(earliest(Kind::kRefresh, bank, rank), kAt + timing.t_rp);
}
TEST_F(DramTimingTest, ColumnCommandsOfOneKindAreTccdApart) {
  open_long_ago();
  run(Kind::kRead, kAt);
  EXPECT_EQ(earliest(Kind::kRead, bank, rank), kAt + timing.t_ccd);
  EXPECT_EQ(earliest(Kind::kRead, other, rank), kAt + timing.t_ccd);
  run(Kind::kWrite, kAt + 500);
  EXPECT_EQ(earliest(Kind::kWrite, other, rank), kAt + 500 + timing.t_ccd);
}
TEST_F(DramTimingTest, WriteDataFollowsReadDataAfterTheTurnaround) {
  open_long_ago();
  run(Kind::kRead, kAt);
  const Cycle read_data_end = kAt + timing.cl + timing.burst_cycles;
  EXPECT_EQ(earliest(Kind::kWrite, other, rank) + timing.wl, read_data_end + timing.bus_turnaround);
}
TEST_F(DramTimingTest, ReadWaitsTwtrAfterTheEndOfWriteData) {
  open_long_ago();
  run(Kind::kWrite, kAt);
  EXPECT_EQ(earliest(Kind::kRead, other, rank), kAt + timing.wl + timing.burst_cycles + timing.t_wtr);
}
TEST_F(DramTimingTest, PrechargeWaitsTrtpAfterReadAndTwrAfterWriteData) {
  open_long_ago();
  run(Kind::kRead, kAt);
  EXPECT_EQ(earliest(Kind::kPrecharge, bank, rank), kAt + timing.t_rtp);
  run(Kind::kWrite, kAt + 500);
  EXPECT_EQ(earliest(Kind::kPrecharge, bank, rank), kAt + 500 + timing.wl + timing.burst_cycles + timing.t_wr);
}
TEST_F(DramTimingTest, NothingActivatesForTrfcAfterRefresh) {
  run(Kind::kRefresh, kAt);
  EXPECT_EQ(earliest(Kind::kActivate, bank, rank), kAt + timing.t_rfc);
  EXPECT_EQ(earliest(Kind::kRefresh, bank, rank), kAt + timing.t_rfc);
}
TEST_F(DramTimingTest, AnEarlierCommandNeverShortensALaterWait) {
  run(Kind::kActivate, kAt);
  run(Kind::kRead, kAt + timing.t_rcd);  // tRTP ends before tRAS does
  EXPECT_EQ(earliest(Kind::kPrecharge, bank, rank), kAt + timing.t_ras);
}
TEST_F(DramTimingTest, RefreshWithAnOpenRowIsRefused) {
  open_long_ago();
  EXPECT_THROW(run(Kind::kRefresh, kAt), ModelError);
}

}  // namespace
}  // namespace g80
