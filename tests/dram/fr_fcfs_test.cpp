// SPDX-License-Identifier: Apache-2.0
// The scheduler's choice, one rule at a time, and the window's masks against a plain list.
#include "hw/dram/fr_fcfs.h"
#include "tests/support/random_seed.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace g80 {
namespace {

using Kind = DramCommandKind;
constexpr Cycle kNow = 10'000;

struct FrFcfsTest : ::testing::Test {
  Config config = load_config("8600gts");
  DramTiming timing{config};
  BurstWindow window;
  DramBanks banks{};
  DramRank rank;

  void open(unsigned bank, std::uint32_t row, Cycle edge = 1) {
    apply(timing, Kind::kActivate, edge, row, banks[bank], rank);
  }
  void want(bool write, unsigned bank, std::uint32_t row, std::uint32_t column) {
    DramRequest request;
    request.write = write;
    request.local = (row * 8 + bank) * 4096 + column;
    DramLocation at;
    at.bank = static_cast<std::uint8_t>(bank);
    at.row = row;
    at.column = column;
    at.local = request.local;
    window.insert(request, at, banks[bank].open && banks[bank].row == row);
  }
  DramPick pick(BurstMask scope = ~BurstMask{0}) const { return pick_request(window, banks, rank, kNow, scope); }
};

TEST_F(FrFcfsTest, AnEmptyWindowWantsNothing) {
  EXPECT_EQ(pick().command, Kind::kNone);
  EXPECT_EQ(pick().retry, kNever);
}
TEST_F(FrFcfsTest, AClosedBankIsActivatedForItsOldestBurst) {
  want(false, 3, 5, 0);
  want(false, 3, 6, 0);
  EXPECT_EQ(pick().command, Kind::kActivate);
  EXPECT_EQ(pick().burst, 0u);
}
TEST_F(FrFcfsTest, ARowHitGoesBeforeAnOlderMiss) {
  open(1, 9);
  want(false, 0, 5, 0);
  want(false, 1, 9, 64);
  EXPECT_EQ(pick().command, Kind::kRead);
  EXPECT_EQ(pick().burst, 1u);
}
TEST_F(FrFcfsTest, TheOldestOfSeveralHitsGoesFirst) {
  open(1, 9);
  open(2, 9, 100);
  want(false, 2, 9, 32);
  want(false, 1, 9, 64);
  EXPECT_EQ(pick().burst, 0u);
}
TEST_F(FrFcfsTest, ARowIsNotClosedWhileABurstWantsIt) {
  open(1, 9);
  want(false, 1, 8, 0);
  want(false, 1, 9, 64);
  rank.read_from = kNow + 50;  // the hit cannot go now
  EXPECT_EQ(pick().command, Kind::kNone);
  EXPECT_EQ(pick().retry, kNow + 50);
}
// Otherwise a read that waits for a write of the other direction would keep a read of another row waiting for ever.
TEST_F(FrFcfsTest, ABurstThatWaitsForItsSectorNeitherKeepsNorOpensARow) {
  open(1, 9);
  want(true, 1, 9, 64);
  want(false, 1, 9, 64);
  want(false, 1, 8, 0);
  const BurstMask reads = ~window.writes();
  EXPECT_EQ(pick(reads).command, Kind::kPrecharge);
  EXPECT_EQ(pick(reads).burst, 2u);
  banks[1].open = false;
  window.row_closed(1);
  EXPECT_EQ(pick(reads).command, Kind::kActivate);
  EXPECT_EQ(pick(reads).burst, 2u);
}
TEST_F(FrFcfsTest, AConflictIsPrechargedWhenNobodyWantsTheRow) {
  open(1, 9);
  want(false, 1, 8, 0);
  EXPECT_EQ(pick().command, Kind::kPrecharge);
}
TEST_F(FrFcfsTest, ARowCommandUsesTheClockInWhichNoHitIsLegal) {
  open(1, 9);
  want(true, 1, 9, 64);
  want(false, 4, 2, 0);
  rank.write_from = kNow + 5;
  EXPECT_EQ(pick().command, Kind::kActivate);
  EXPECT_EQ(pick().burst, 1u);
}
TEST_F(FrFcfsTest, AWriteNeverOvertakesAnOlderReadOfItsSector) {
  open(1, 9);
  want(false, 1, 9, 64);
  want(true, 1, 9, 64);
  rank.read_from = kNow + 5;  // after a write: reads wait, writes could go on
  EXPECT_EQ(pick().command, Kind::kNone);
  EXPECT_EQ(pick().retry, kNow + 5);
}
TEST_F(FrFcfsTest, AnOvertakingWriteToAnotherSectorIsFine) {
  open(1, 9);
  want(false, 1, 9, 64);
  want(true, 1, 9, 96);
  rank.read_from = kNow + 5;
  EXPECT_EQ(pick().command, Kind::kWrite);
  EXPECT_EQ(pick().burst, 1u);
}
TEST_F(FrFcfsTest, OldestOnlyIgnoresYoungerHits) {
  open(1, 9);
  want(false, 1, 8, 0);
  want(false, 1, 9, 64);
  EXPECT_EQ(pick(BurstMask{1}).command, Kind::kPrecharge);
  EXPECT_EQ(pick(BurstMask{1}).burst, 0u);
}
TEST_F(FrFcfsTest, RetryIsTheFirstEdgeAtWhichSomethingIsLegal) {
  open(1, 9);
  want(false, 1, 9, 64);
  want(false, 2, 1, 0);
  banks[1].column_from = kNow + 12;
  rank.activate_from = kNow + 7;
  EXPECT_EQ(pick().retry, kNow + 7);
}

// The window against a list that is searched in full.
TEST(BurstWindow, MasksAgreeWithAPlainList) {
  const unsigned seed = random_seed() + 1;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  struct Plain {
    unsigned bank;
    std::uint32_t row, local;
    bool write;
  };
  BurstWindow window;
  const auto position_of = [&window](std::size_t index) {  // of the burst behind `index` older ones
    BurstMask left = window.all();
    for (; index > 0; --index) left &= left - 1;
    return oldest(left);
  };
  std::vector<Plain> plain;
  std::int64_t open_row[4] = {-1, -1, -1, -1};
  for (int step = 0; step < 20'000; ++step) {
    const unsigned action = random() % 8;
    if (action < 4 && plain.size() < (step % 4000 < 2000 ? 18 : kMaxWindow)) {
      Plain burst{static_cast<unsigned>(random() % 4), static_cast<std::uint32_t>(random() % 3), 0, random() % 2 == 0};
      burst.local = (burst.row * 4 + burst.bank) * 1024 + random() % 4 * 32;
      DramRequest request;
      request.write = burst.write;
      request.local = burst.local;
      DramLocation at;
      at.bank = static_cast<std::uint8_t>(burst.bank);
      at.row = burst.row;
      at.local = burst.local;
      window.insert(request, at, open_row[burst.bank] == burst.row);
      plain.push_back(burst);
    } else if (action < 7 && !plain.empty() && window.ordered() != 0) {
      BurstMask candidates = window.ordered();
      for (unsigned skip = random() % 5; skip > 0 && (candidates & (candidates - 1)) != 0; --skip)
        candidates &= candidates - 1;
      const BurstMask gone = candidates & -candidates;
      BurstMask older = window.all() & (gone - 1);
      unsigned index = 0;
      for (; older != 0; older &= older - 1) ++index;
      window.remove(oldest(gone));
      plain.erase(plain.begin() + index);
    } else {
      const unsigned bank = random() % 4;
      if (open_row[bank] < 0) {
        open_row[bank] = random() % 3;
        window.row_opened(bank, static_cast<std::uint32_t>(open_row[bank]));
      } else {
        open_row[bank] = -1;
        window.row_closed(bank);
      }
    }
    ASSERT_EQ(window.size(), plain.size());
    for (unsigned i = 0; i < plain.size(); ++i) {
      const unsigned position = position_of(i);
      const BurstMask here = BurstMask{1} << position;
      ASSERT_EQ(window.at(position).request.local, plain[i].local);
      ASSERT_EQ((window.writes() & here) != 0, plain[i].write);
      ASSERT_EQ((window.row_hits() & here) != 0, open_row[plain[i].bank] == plain[i].row);
      for (unsigned b = 0; b < 4; ++b) ASSERT_EQ((window.of_bank(b) & here) != 0, plain[i].bank == b);
      bool first = true;
      for (unsigned j = 0; j < i; ++j) first &= plain[j].local != plain[i].local;
      ASSERT_EQ((window.ordered() & here) != 0, first);
    }
    ASSERT_TRUE((window.ordered() & ~window.all()) == 0);
  }
}

}  // namespace
}  // namespace g80
