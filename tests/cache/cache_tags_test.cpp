// SPDX-License-Identifier: Apache-2.0
// Tags, replacement and miss registers decide what their headers say.
#include "hw/cache/cache_tags.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <random>

#include "hw/cache/mshr.h"
#include "tests/cache/lru_model.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

TEST(CacheTags, AnEmptyWayIsTakenBeforeAnyLineLeaves) {
  const CacheWay set[3] = {{true, 1, 1, 7}, {false, 2, 2, 0}, {true, 0, 0, 9}};
  for (const Choice<ReplacementPolicy>& policy : choices(ReplacementPolicy{})) {
    EXPECT_EQ(victim_way(policy.value, set, 3, 2), 1u) << policy.text;
  }
}

TEST(CacheTags, TheLeastRecentlyUsedLineLeaves) {
  CacheTags tags({256, 4, 64});  // one set
  for (std::uint32_t line = 0; line < 4; ++line) tags.insert(line * 64);
  tags.touch(0, tags.find(0));
  tags.insert(4 * 64);
  EXPECT_EQ(tags.find(64), CacheTags::kMiss);
  EXPECT_NE(tags.find(0), CacheTags::kMiss);
}

TEST(CacheTags, InsertingALineThatIsThereKeepsOneCopy) {
  CacheTags tags({256, 4, 64});
  EXPECT_EQ(tags.insert(100), tags.insert(64));
}

TEST(CacheTags, InsertingALineThatIsThereIsAUse) {
  CacheTags tags({256, 4, 64});
  for (const std::uint32_t line : {0u, 1u, 2u, 3u, 0u, 4u}) tags.insert(line * 64);
  EXPECT_NE(tags.find(0), CacheTags::kMiss);
  EXPECT_EQ(tags.find(64), CacheTags::kMiss);
}

TEST(CacheTags, SizesWhoseSetsNoBitsOfTheAddressSelectAreRefused) {
  EXPECT_THROW(CacheTags({300, 4, 64}), ModelError);
  EXPECT_THROW(CacheTags({3 * 4 * 64, 4, 64}), ModelError) << "three sets";
  EXPECT_THROW(CacheTags({4 * 4 * 48, 4, 48}), ModelError) << "lines of 48 bytes";
}

TEST(CacheTags, ASlotIsUsedWithAnAddressOfItsSet) {
  CacheTags tags({2 * 3 * 64, 3, 64});
  EXPECT_EQ(tags.insert(64), 3u);
  EXPECT_NO_THROW(tags.touch(64, 5));
  for (const unsigned slot : {2u, 6u}) {
    EXPECT_THROW(tags.touch(64, slot), ModelError) << slot;
    EXPECT_THROW(tags.note_fill(64, slot), ModelError) << slot;
  }
}

TEST(CacheTags, TheAgesOfASetAreTheNumbersBelowItsWaysEachOnce) {
  CacheWay set[4];
  for (unsigned w = 0; w < 4; ++w) set[w].use_age = static_cast<std::uint8_t>(w);
  const auto ages = [&] {
    return std::array<unsigned, 4>{set[0].use_age, set[1].use_age, set[2].use_age, set[3].use_age};
  };
  make_youngest<&CacheWay::use_age>(set, 4, 2);
  EXPECT_EQ(ages(), (std::array<unsigned, 4>{1, 2, 0, 3}));
  make_youngest<&CacheWay::use_age>(set, 4, 2);
  EXPECT_EQ(ages(), (std::array<unsigned, 4>{1, 2, 0, 3}));
  make_youngest<&CacheWay::use_age>(set, 4, 3);
  EXPECT_EQ(ages(), (std::array<unsigned, 4>{2, 3, 1, 0}));
}

// Against a list per set, most recently used first.
TEST(CacheTags, RandomUseMatchesAListPerSet) {
  constexpr unsigned kSets = 4, kWays = 3, kLine = 32;
  const unsigned seed = random_seed() + 11;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  CacheTags tags({kSets * kWays * kLine, kWays, kLine});
  testing::LruModel model(kSets, kWays);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t line = random() % 40, address = line * kLine + random() % kLine;
    const unsigned slot = tags.find(address);
    ASSERT_EQ(slot != CacheTags::kMiss, model.use(line)) << "access " << i;
    if (slot != CacheTags::kMiss) {
      tags.touch(address, slot);
    } else {
      tags.insert(address);
    }
  }
}

// Two bits of the shift register choose one of four ways. Each bit that enters is the sum of those that entered 1, 2,
// 22 and 32 steps before it; eight enter with each line.
TEST(CacheTags, ARandomVictimComesFromTheShiftRegister) {
  CacheTags tags({256, 4, 64, *from_text<ReplacementPolicy>("random")});
  for (int reset = 0; reset < 2; ++reset, tags.reset()) {
    std::deque<unsigned> bits(32, 0);  // the newest one in front
    bits.front() = 1;
    for (std::uint32_t line = 0; line < 300; ++line) {
      const unsigned slot = tags.slot_for(line * 64);
      EXPECT_EQ(slot, line < 4 ? line : bits[15] << 1 | bits[14]) << "line " << line;
      EXPECT_EQ(tags.insert(line * 64), slot);
      for (int step = 0; step < 8; ++step) {
        bits.push_front(bits[0] ^ bits[1] ^ bits[21] ^ bits[31]);
        bits.pop_back();
      }
    }
  }
}

// The tags of lines that are not valid, and free miss registers, hold what nobody wrote: no choice may depend on it.
TEST(CacheTags, TagsThatAreNotValidCanHoldAnyBits) {
  const unsigned seed = random_seed() + 17;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const Choice<ReplacementPolicy>& policy : choices(ReplacementPolicy{})) {
    SCOPED_TRACE(policy.text);
    const CacheShape shape{4 * 4 * 32, 4, 32, policy.value};
    CacheTags zero(shape), drawn(shape);
    FieldEditor filler(seed);
    drawn.fill_unused(filler);
    EXPECT_EQ(filler.changed(), 16u);
    for (int i = 0; i < 400; ++i) {
      const std::uint32_t address = random() % 40 * 32;
      const unsigned slot = zero.find(address);
      ASSERT_EQ(drawn.find(address), slot) << "access " << i;
      if (slot == CacheTags::kMiss) {
        ASSERT_EQ(drawn.insert(address), zero.insert(address)) << "access " << i;
      } else {
        zero.touch(address, slot), drawn.touch(address, slot);
      }
      if (i == 10) drawn.fill_unused(filler);  // those that are still free
    }
    const unsigned changed = filler.changed();
    drawn.fill_unused(filler);
    EXPECT_EQ(filler.changed(), changed) << "every line is valid now";
  }
}

using SmallMshr = Mshr<int, 4, 3>;

TEST(Mshr, AFreeRegisterCanHoldAnyBits) {
  SmallMshr mshr(3);
  mshr.allocate(0, 7, 70);
  FieldEditor filler(5);
  mshr.fill_unused(filler);
  EXPECT_EQ(filler.changed(), 3u) << "the line of each free one";
  EXPECT_EQ(mshr.line(0), 7u);
  EXPECT_NE(mshr.line(1), 0u);
  EXPECT_EQ(mshr.lookup(mshr.line(1)).action, MissAction::kAllocate);
}

TEST(Mshr, TheFirstMissAllocatesAndTheSecondMerges) {
  SmallMshr mshr(2);
  const MissDecision first = mshr.lookup(5);
  ASSERT_EQ(first.action, MissAction::kAllocate);
  mshr.allocate(first.entry, 5, 100);
  const MissDecision second = mshr.lookup(5);
  ASSERT_EQ(second.action, MissAction::kMerge);
  EXPECT_EQ(second.entry, first.entry);
  mshr.merge(second.entry, 101);
  EXPECT_EQ(mshr.waiter(first.entry), 100);
  mshr.pop_waiter(first.entry);
  EXPECT_EQ(mshr.waiter(first.entry), 101);
  EXPECT_TRUE(mshr.is_used(first.entry));
  mshr.pop_waiter(first.entry);
  EXPECT_FALSE(mshr.is_used(first.entry));
}

TEST(Mshr, WithoutAFreeRegisterOrPlaceAMissStalls) {
  SmallMshr mshr(2);
  mshr.allocate(0, 5, 1);
  EXPECT_EQ(mshr.lookup(7).action, MissAction::kAllocate);
  mshr.allocate(1, 6, 2);
  EXPECT_EQ(mshr.lookup(7).action, MissAction::kStall) << "two registers are built, though four could be";
  EXPECT_EQ(mshr.lookup(6).action, MissAction::kMerge);
  mshr.merge(1, 3);
  EXPECT_EQ(mshr.lookup(6).action, MissAction::kStall) << "all lines share three places";
  mshr.pop_waiter(0);
  EXPECT_EQ(mshr.lookup(6).action, MissAction::kMerge);
  EXPECT_EQ(mshr.lookup(7).action, MissAction::kAllocate);
}

// Against a queue for each line.
TEST(Mshr, RandomWaitersOfALineLeaveInTheirOrder) {
  const unsigned seed = random_seed() + 19;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  Mshr<int, 4, 7> mshr(4);
  std::map<unsigned, std::deque<int>> waiting;  // by register
  unsigned places = 0, full = 0;
  for (int i = 0; i < 20000; ++i) {
    const unsigned entry = random() % 4;
    if (random() % 2 != 0) {
      const MissDecision decision = mshr.lookup(random() % 6);
      if (decision.action == MissAction::kStall) {
        ASSERT_TRUE(places == 7 || waiting.size() == 4);
        full += places == 7;
        continue;
      }
      if (decision.action == MissAction::kMerge) {
        mshr.merge(decision.entry, i);
      } else {
        mshr.allocate(decision.entry, random() % 6, i);
        ASSERT_EQ(waiting.count(decision.entry), 0u);
      }
      waiting[decision.entry].push_back(i);
      ++places;
    } else if (waiting.count(entry) != 0) {
      ASSERT_EQ(mshr.waiter(entry), waiting[entry].front());
      mshr.pop_waiter(entry);
      waiting[entry].pop_front();
      --places;
      if (waiting[entry].empty()) waiting.erase(entry);
    }
    ASSERT_EQ(mshr.is_used(entry), waiting.count(entry) != 0);
  }
  EXPECT_GT(full, 100u);
}

TEST(Mshr, NobodyJoinsAStaleLine) {
  SmallMshr mshr(4);
  mshr.allocate(0, 5, 1);
  mshr.mark_stale();
  const MissDecision again = mshr.lookup(5);
  EXPECT_EQ(again.action, MissAction::kAllocate);
  EXPECT_NE(again.entry, 0);
  EXPECT_TRUE(mshr.is_stale(0));
  mshr.allocate(again.entry, 5, 2);
  EXPECT_FALSE(mshr.is_stale(again.entry));
}

TEST(Mshr, ALineThatNobodyAskedForIsAnError) {
  SmallMshr mshr(4);
  EXPECT_THROW(mshr.check_used(2), ModelError);
  EXPECT_THROW(mshr.pop_waiter(1), ModelError);
}

}  // namespace
}  // namespace g80
