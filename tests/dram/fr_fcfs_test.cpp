// SPDX-License-Identifier: Apache-2.0
// The scheduler's choice, one rule at a time, and the window's masks against a plain list.
#include "hw/dram/fr_fcfs.h"
#include "hw/common/field_values.h"
#include "tests/support/random_seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace g80 {
namespace {

using Kind = DramCommandKind;
constexpr Cycle kNow = 10'000;
constexpr unsigned kRowShift = 15;

/// As the controller does it at the edge behind a column command.
void leave(BurstWindow& window, bool write, unsigned slot) {
  window.leave(write, slot, window.next_of_sector(write, slot));
}

struct FrFcfsTest : ::testing::Test {
  Config config = load_config("8600gts");
  DramTiming timing{config};
  BurstWindow window{kRowShift};
  DramBanks banks{};
  DramRank rank;

  void open(unsigned bank, std::uint32_t row, Cycle edge = 1) {
    apply(timing, Kind::kActivate, edge, row, banks[bank], rank);
  }
  /// Returns the slot.
  unsigned want(bool write, unsigned bank, std::uint32_t row, std::uint32_t column) {
    EnteringBurst burst;
    burst.write = write;
    burst.bank = static_cast<std::uint8_t>(bank);
    burst.local = (row << 3 | bank) << 12 | column;
    return window.enter(burst, banks[bank].open && banks[bank].row == row);
  }
  BankChoices choices(bool write) const {
    BankChoices of_banks;
    for (unsigned b = 0; b < kMaxDramBanks; ++b) choose_of_bank(window.side(write), b, of_banks);
    return of_banks;
  }
  DramPick pick(bool write = false, unsigned busy = kMaxDramBanks) const {
    return pick_request(choices(write).first, write, busy, banks, rank, kNow);
  }
};

TEST_F(FrFcfsTest, AnEmptyWindowWantsNothing) {
  EXPECT_EQ(pick().command, Kind::kNone);
  EXPECT_EQ(pick().retry, kNever);
}
TEST_F(FrFcfsTest, AClosedBankIsActivatedForItsOldestBurst) {
  const unsigned oldest = want(false, 3, 5, 0);
  want(false, 3, 6, 0);
  EXPECT_EQ(pick().command, Kind::kActivate);
  EXPECT_EQ(pick().bank, 3u);
  EXPECT_EQ(pick().slot, oldest);
}
TEST_F(FrFcfsTest, ARowHitGoesBeforeAnOlderMiss) {
  open(1, 9);
  for (const bool write : {false, true}) {
    want(write, 0, 5, 256 * write);
    const unsigned hit = want(write, 1, 9, 64 + 256 * write);
    EXPECT_EQ(pick(write).command, write ? Kind::kWrite : Kind::kRead);
    EXPECT_EQ(pick(write).slot, hit);
  }
}
TEST_F(FrFcfsTest, ARowHitGoesBeforeAnOlderMissOfItsBank) {
  open(1, 9);
  const unsigned miss = want(false, 1, 5, 0), hit = want(false, 1, 9, 64);
  EXPECT_EQ(pick().command, Kind::kRead);
  EXPECT_EQ(pick().slot, hit);
  EXPECT_EQ(choices(false).oldest[1].slot, miss);
  EXPECT_FALSE(choices(false).oldest[1].row_hit);
}
TEST_F(FrFcfsTest, TheOldestOfSeveralHitsGoesFirst) {
  open(1, 9);
  open(2, 9, 100);
  const unsigned oldest = want(false, 2, 9, 32);
  want(false, 1, 9, 64);
  EXPECT_EQ(pick().slot, oldest);
  EXPECT_EQ(pick().bank, 2u);
}
// The slot that became free is taken by the youngest burst: its age is its order, not its place.
TEST_F(FrFcfsTest, AgeIsTheOrderOfArrivalAlsoWhenTheNumbersWrap) {
  open(1, 9);
  open(2, 9, 100);
  unsigned older = want(false, 1, 9, 0);
  for (std::uint32_t i = 1; i < (1u << kOrderBits) + 10; ++i) {
    const unsigned younger = want(false, 1 + i % 2, 9, 32 * (i % 4));
    ASSERT_EQ(pick().slot, older) << "burst " << i;
    leave(window, false, older);
    older = younger;
  }
}
// Younger ones may come and go for half of the numbers.
TEST_F(FrFcfsTest, ABurstThatWaitsLongIsStillTheOldest) {
  open(1, 9);
  for (std::uint32_t first : {0u, 3u << (kOrderBits - 2)}) {
    for (; window.side(false).order[0] < first;) leave(window, false, want(false, 1, 9, 0));
    const unsigned in_front = want(false, 1, 9, 32), older = want(false, 1, 9, 64);
    leave(window, false, in_front);
    for (std::uint32_t i = 0; i + 2 < 1u << (kOrderBits - 1); ++i) {
      const unsigned younger = want(false, 1, 9, 96);
      ASSERT_LT(younger, older);
      if (i % 1000 == 0) {
        ASSERT_EQ(choices(false).first[1].slot, older) << i;
      }
      leave(window, false, younger);
    }
    want(false, 1, 9, 96);
    EXPECT_EQ(choices(false).first[1].slot, older);
    leave(window, false, 0);
    leave(window, false, older);
  }
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
  const unsigned other = want(false, 1, 8, 0);
  EXPECT_EQ(pick().command, Kind::kPrecharge);
  EXPECT_EQ(pick().slot, other);
  banks[1].open = false;
  window.row_closed(1);
  EXPECT_EQ(pick().command, Kind::kActivate);
  EXPECT_EQ(pick().slot, other);
}
TEST_F(FrFcfsTest, AConflictIsPrechargedWhenNobodyWantsTheRow) {
  open(1, 9);
  want(false, 1, 8, 0);
  EXPECT_EQ(pick().command, Kind::kPrecharge);
}
TEST_F(FrFcfsTest, ARowCommandUsesTheClockInWhichNoHitIsLegal) {
  open(1, 9);
  want(true, 1, 9, 64);
  const unsigned other = want(true, 4, 2, 0);
  rank.write_from = kNow + 5;
  EXPECT_EQ(pick(true).command, Kind::kActivate);
  EXPECT_EQ(pick(true).slot, other);
}
TEST_F(FrFcfsTest, NoRowIsOpenedWhenNoneMayBe) {
  want(false, 4, 2, 0);
  EXPECT_EQ(pick_request(choices(false).first, false, kMaxDramBanks, banks, rank, kNow, fr_fcfs_order, false).command,
            Kind::kNone);
}
TEST_F(FrFcfsTest, ABankThatWasGivenACommandIsLeftOut) {
  open(1, 9);
  open(2, 9, 100);
  want(false, 1, 9, 64);
  const unsigned other = want(false, 2, 9, 64);
  EXPECT_EQ(pick(false, 1).slot, other);
}
TEST_F(FrFcfsTest, AWriteNeverOvertakesAnOlderReadOfItsSector) {
  open(1, 9);
  want(false, 1, 9, 64);
  want(true, 1, 9, 64);
  EXPECT_EQ(pick(true).command, Kind::kNone);
  leave(window, false, 0);
  EXPECT_EQ(pick(true).command, Kind::kWrite);
}
TEST_F(FrFcfsTest, AnOvertakingWriteToAnotherSectorIsFine) {
  open(1, 9);
  want(false, 1, 9, 64);
  want(true, 1, 9, 96);
  EXPECT_EQ(pick(true).command, Kind::kWrite);
}
TEST_F(FrFcfsTest, RetryIsTheFirstEdgeAtWhichSomethingIsLegal) {
  open(1, 9);
  want(false, 1, 9, 64);
  want(false, 2, 1, 0);
  banks[1].column_from = kNow + 12;
  rank.activate_from = kNow + 7;
  EXPECT_EQ(pick().retry, kNow + 7);
}

// The window and the first stage against a list that is searched in full.
TEST(BurstWindow, MasksAndChoicesAgreeWithAPlainList) {
  const unsigned seed = random_seed() + 1;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  struct Plain {
    unsigned slot, bank;
    std::uint32_t row, local;
    bool write;
  };
  BurstWindow window(kRowShift);
  std::vector<Plain> plain;  // the oldest first
  std::int64_t open_row[4] = {-1, -1, -1, -1};
  for (int step = 0; step < 20'000; ++step) {
    const unsigned action = random() % 8;
    const bool write = random() % 2 != 0;
    if (action < 4 && window.size(write) < (step % 4000 < 2000 ? 9 : kWindowSlots)) {
      Plain burst{0, static_cast<unsigned>(random() % 4), static_cast<std::uint32_t>(random() % 3), 0, write};
      burst.local = (burst.row << 3 | burst.bank) << 12 | (random() % 4 * 32);
      EnteringBurst entering;
      entering.write = write;
      entering.slot = static_cast<std::uint8_t>(step);
      entering.bank = static_cast<std::uint8_t>(burst.bank);
      entering.local = burst.local;
      burst.slot = window.enter(entering, open_row[burst.bank] == burst.row);
      ASSERT_EQ(window.side(write).slot[burst.slot], static_cast<std::uint8_t>(step));
      plain.push_back(burst);
    } else if (action < 7 && !plain.empty()) {
      std::vector<std::size_t> may_go;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        if ((window.side(plain[i].write).ordered >> plain[i].slot & 1) != 0) may_go.push_back(i);
      }
      ASSERT_FALSE(may_go.empty());
      const std::size_t gone = may_go[random() % std::min<std::size_t>(may_go.size(), 5)];
      leave(window, plain[gone].write, plain[gone].slot);
      plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(gone));
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
    std::uint64_t all[2] = {};
    BankChoices expected[2], is[2];
    const auto note = [](BankChoice& choice, const Plain& burst, bool hit) {
      if (choice.valid && (choice.row_hit || !hit)) return;
      choice.valid = true;
      choice.row_hit = hit;
      choice.slot = static_cast<std::uint8_t>(burst.slot);
    };
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const Plain& burst = plain[i];
      const WindowSide& side = window.side(burst.write);
      const std::uint64_t here = std::uint64_t{1} << burst.slot;
      ASSERT_EQ(all[burst.write] & here, 0u) << "two bursts in slot " << burst.slot;
      all[burst.write] |= here;
      ASSERT_EQ(side.local[burst.slot], burst.local);
      const bool hit = open_row[burst.bank] == burst.row;
      ASSERT_EQ((side.row_hit & here) != 0, hit);
      for (unsigned b = 0; b < 4; ++b) ASSERT_EQ((side.of_bank[b] & here) != 0, burst.bank == b);
      bool first = true, last = true;
      for (std::size_t j = 0; j < plain.size(); ++j) {
        if (plain[j].local == burst.local) (j < i ? first : last) &= j == i;
      }
      ASSERT_EQ((side.ordered & here) != 0, first);
      ASSERT_EQ((side.followed & here) == 0, last);
      if (first) note(expected[burst.write].first[burst.bank], burst, hit);
      BankChoice& oldest = expected[burst.write].oldest[burst.bank];
      if (!oldest.valid) note(oldest, burst, hit);
    }
    for (const bool w : {false, true}) {
      const WindowSide& side = window.side(w);
      ASSERT_EQ(side.valid, all[w]);
      ASSERT_EQ((side.ordered | side.row_hit | side.followed) & ~all[w], 0u);
      for (unsigned b = 0; b < 4; ++b) {
        choose_of_bank(side, b, is[w]);
        for (const auto list : {&BankChoices::first, &BankChoices::oldest}) {
          const BankChoice &chosen = (is[w].*list)[b], &wanted = (expected[w].*list)[b];
          ASSERT_EQ(chosen.valid, wanted.valid);
          if (!wanted.valid) continue;
          ASSERT_EQ(chosen.row_hit, wanted.row_hit);
          ASSERT_EQ(chosen.slot, wanted.slot);
          ASSERT_EQ(chosen.order, side.order[chosen.slot]);
        }
      }
    }
  }
}

TEST(BurstWindow, TheSectorOfABurstIsFoundInEverySlot) {
  BurstWindow window(kRowShift);
  for (unsigned i = 0; i < 2 * kWindowSlots; ++i) {
    EnteringBurst burst;
    burst.write = i >= kWindowSlots;
    burst.local = 32 * i;
    EXPECT_EQ(window.youngest_of(burst.local), BurstWindow::kNone);
    window.enter(burst, false);
  }
  for (unsigned i = 0; i < 2 * kWindowSlots; ++i) EXPECT_EQ(window.youngest_of(32 * i), i);
}

// A burst's marks are its own, and none is left behind by it or by a reset.
TEST(BurstWindow, MarksAreThoseOfABurstAndAClearedWindowIsNew) {
  BurstWindow window(kRowShift);
  const auto fields_of = [](const BurstWindow& of) {
    FieldValues fields(true, true);
    fields.fields_of(of);
    return fields;
  };
  const FieldValues fresh = fields_of(window);
  EnteringBurst burst;
  burst.slot = burst.burst = burst.data = burst.bank = 1;
  for (unsigned i = 0; i < kWindowSlots; ++i) {
    burst.local = 64 + 32 * (i / 2);
    burst.tag.bits = 1;
    for (const bool write : {false, true}) {
      burst.write = write;
      ASSERT_EQ(window.enter(burst, i % 2 != 0), i);
    }
  }
  for (unsigned slot = 0; slot < kWindowSlots; ++slot) {
    for (const bool write : {false, true}) {
      const WindowSide before = window.side(write), other = window.side(!write);
      window.note_activate(write, slot);
      window.note_precharge(write, kWindowSlots - 1 - slot);
      EXPECT_EQ(window.side(write).activated, before.activated | std::uint64_t{1} << slot);
      EXPECT_EQ(window.side(write).precharged, before.precharged | std::uint64_t{1} << (kWindowSlots - 1 - slot));
      EXPECT_EQ(window.side(!write), other);
    }
  }
  window.clear();
  const FieldValues cleared = fields_of(window);
  for (std::size_t k = 0; k < fresh.values.size(); ++k) EXPECT_EQ(cleared.values[k], fresh.values[k]) << fresh.names[k];
}

}  // namespace
}  // namespace g80
