// SPDX-License-Identifier: Apache-2.0
// Locks of shared memory: which lanes get one, who may give it back, and what several words share.
#include "hw/smem/lock_table.h"

#include <gtest/gtest.h>

#include <random>

#include "tb/golden/lock_table.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using Addresses = std::array<std::uint16_t, kHalfWarp>;

LockTable table_of(unsigned flags, unsigned per_warp) {
  return LockTable(
      load_config("tiny", {"sm.lock_flags=" + std::to_string(flags), "sm.locks_per_warp=" + std::to_string(per_warp)}));
}

TEST(GrantLocks, TheLowestLaneOfAFlagGetsItAndTakenFlagsGoToNobody) {
  const HalfFlags flag{0, 0, 1, 1, 2, 2, 3, 3};
  EXPECT_EQ(grant_locks(0xff, flag, 0, 16), 0x55);
  EXPECT_EQ(grant_locks(0xfe, flag, 0, 16), 0x56);
  EXPECT_EQ(grant_locks(0xff, flag, 0x0c, 16), 0x51);
  EXPECT_EQ(grant_locks(0, flag, 0, 16), 0);
}

TEST(GrantLocks, TheWarpsAllowanceGoesToTheLowestLanes) {
  const HalfFlags flag{0, 1, 2, 3};
  EXPECT_EQ(grant_locks(0xf, flag, 0x1, 2), 0x6);
  EXPECT_EQ(grant_locks(0xf, flag, 0, 0), 0);
}

TEST(LockTable, AWarpHoldsNoMoreThanItMay) {
  LockTable table = table_of(256, 2);
  const Addresses words{0, 4, 8, 12};
  EXPECT_EQ(table.lock(3, 0xf, words), 0x3);
  EXPECT_EQ(table.lock(3, 0xc, words), 0);
  EXPECT_EQ(table.lock(4, 0xf, words), 0xc);
  table.unlock(3, 0x1, words);
  EXPECT_EQ(table.lock(3, 0xc, words), 0) << "the other warp holds them";
  EXPECT_EQ(table.lock(3, 0x1, words), 0x1);
  EXPECT_EQ(table.holders(), 0x18u);
}

TEST(LockTable, NamesTheWordsOfAWarp) {
  LockTable table = table_of(256, 4);
  EXPECT_EQ(table.lock(3, 0x3, Addresses{0, 4}), 0x3);
  EXPECT_EQ(table.lock(4, 0x1, Addresses{8}), 0x1);
  std::vector<unsigned> words;
  table.for_each_word(3, [&](unsigned address) { words.push_back(address); });
  EXPECT_EQ(words, (std::vector<unsigned>{0, 4}));
}

TEST(LockTable, WordsAFullTableApartShareAFlag) {
  LockTable table = table_of(16, 32);
  EXPECT_EQ(table.lock(0, 0x3, Addresses{0, 64}), 0x1);
  EXPECT_EQ(table.lock(1, 0x3, Addresses{128, 132}), 0x2);
  table.unlock(0, 0x1, Addresses{192});  // gives back the flag, by whatever word it is named
  EXPECT_EQ(table.lock(1, 0x1, Addresses{128}), 0x1);
}

TEST(LockTable, OnlyItsHolderGivesALockBack) {
  LockTable table = table_of(256, 1);
  EXPECT_EQ(table.lock(7, 0x1, Addresses{40}), 0x1);
  table.unlock(8, 0x1, Addresses{40});
  EXPECT_EQ(table.lock(8, 0x1, Addresses{40}), 0);
  table.unlock(7, 0x0, Addresses{40});
  EXPECT_EQ(table.lock(8, 0x1, Addresses{40}), 0) << "no lane, no unlock";
  unsigned words = 0;
  table.for_each_word(7, [&](unsigned address) { words += address; });
  EXPECT_EQ(words, 40u);
}

TEST(LockTable, EndedWarpsHoldNothing) {
  LockTable table = table_of(256, 1);
  table.lock(0, 0x1, Addresses{0});
  table.lock(1, 0x1, Addresses{4});
  table.release(0x1);
  EXPECT_EQ(table.holders(), 0x2u);
  EXPECT_EQ(table.lock(2, 0x1, Addresses{0}), 0x1);
  EXPECT_EQ(table.lock(3, 0x1, Addresses{4}), 0);
  EXPECT_EQ(table.lock(0, 0x1, Addresses{8}), 0x1) << "its allowance is whole again";
}

TEST(LockTable, RandomTrafficEndsAsInAListOfWhoHoldsWhat) {
  const unsigned seed = 1 + random_seed();
  std::mt19937 random(seed);
  for (unsigned machine = 0; machine < 40; ++machine) {
    const unsigned flags = 1u << random() % 9, per_warp = 1 + random() % 4;
    LockTable table = table_of(flags, per_warp);
    golden::LockTable list;
    list.start(flags, per_warp);
    for (unsigned step = 0; step < 400; ++step) {
      const unsigned warp = random() % 6;
      const auto lanes = static_cast<HalfMask>(random() & random());  // NOLINT(misc-redundant-expression): two numbers
      Addresses address;
      for (std::uint16_t& one : address) one = static_cast<std::uint16_t>(4 * (random() % 64));
      if (random() % 50 == 0) {
        table.release(WarpMask{1} << warp);
        list.release(warp);
        continue;
      }
      const bool unlocks = random() % 2 != 0;
      HalfMask expected = 0;
      for (unsigned l = 0; l < kHalfWarp; ++l) {
        if ((lanes >> l & 1) == 0) continue;
        if (unlocks) list.unlock(warp, address[l]);
        if (!unlocks && list.lock(warp, address[l])) expected = static_cast<HalfMask>(expected | 1u << l);
      }
      if (unlocks) {
        table.unlock(warp, lanes, address);
      } else {
        ASSERT_EQ(table.lock(warp, lanes, address), expected)
            << "seed " << seed << ", machine " << machine << ", step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace g80
