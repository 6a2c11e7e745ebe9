// SPDX-License-Identifier: Apache-2.0
// Each replacement policy against the same policy written with the state that a chip would keep for it.
#include "hw/cache/replacement_policies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>

#include "tests/cache/lru_model.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

ReplacementPolicy policy(const char* name) { return *from_text<ReplacementPolicy>(name); }

/// One set of `ways` lines; the access counts as a use or brings the line in. True: it was there.
bool access(CacheTags& tags, std::uint32_t line) {
  const unsigned slot = tags.find(line);
  if (slot != CacheTags::kMiss) {
    tags.touch(line, slot);
  } else {
    tags.insert(line);
  }
  return slot != CacheTags::kMiss;
}
CacheTags one_set(const char* name, unsigned ways) { return CacheTags({ways, ways, 1, policy(name)}); }

/// `model(line)` says whether the line was there. Lines are drawn so that about half of the accesses hit.
template <class Model>
void expect_same(CacheTags tags, unsigned ways, Model model) {
  std::mt19937 random(random_seed() + ways);
  unsigned hits = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::uint32_t line = random() % (2 * ways);
    const bool hit = access(tags, line);
    ASSERT_EQ(hit, model(line)) << "access " << i << " of " << ways << " ways";
    hits += hit;
  }
  EXPECT_GT(hits, 1000u);
  EXPECT_LT(hits, 4500u);
}

TEST(ReplacementPolicy, LruKeepsAList) {
  for (const unsigned ways : {1u, 2u, 5u, 20u}) {
    testing::LruModel model(1, ways);
    expect_same(one_set("lru", ways), ways, [&](std::uint32_t line) { return model.use(line); });
  }
}

TEST(ReplacementPolicy, FifoKeepsAQueueThatUsesDoNotReorder) {
  for (const unsigned ways : {1u, 2u, 5u, 20u}) {
    std::deque<std::uint32_t> queue;
    expect_same(one_set("fifo", ways), ways, [&](std::uint32_t line) {
      if (std::find(queue.begin(), queue.end(), line) != queue.end()) return true;
      if (queue.size() == ways) queue.pop_front();
      queue.push_back(line);
      return false;
    });
  }
}

/// A tree of bits over 2, 4 or 8 ways: node n has children 2n and 2n + 1; a bit that is set points to the upper half.
class BitTree {
 public:
  explicit BitTree(unsigned ways) : ways_(ways), line_(ways, ~0u), upper_(ways, false) {}
  bool use(std::uint32_t line) {
    auto at = std::find(line_.begin(), line_.end(), line);
    const bool hit = at != line_.end();
    if (!hit) at = std::find(line_.begin(), line_.end(), ~0u);
    const unsigned way = at != line_.end() ? static_cast<unsigned>(at - line_.begin()) : victim();
    line_[way] = line;
    for (unsigned node = ways_ + way; node > 1; node /= 2) upper_[node / 2] = node % 2 == 0;
    return hit;
  }

 private:
  unsigned victim() const {
    unsigned node = 1;
    while (node < ways_) node = 2 * node + upper_[node];
    return node - ways_;
  }
  unsigned ways_;
  std::vector<std::uint32_t> line_;
  std::vector<bool> upper_;
};

TEST(ReplacementPolicy, PseudoLruKeepsATreeOfBits) {
  for (const unsigned ways : {2u, 4u, 8u}) {
    BitTree model(ways);
    expect_same(one_set("pseudo_lru", ways), ways, [&](std::uint32_t line) { return model.use(line); });
  }
}

TEST(ReplacementPolicy, PseudoLruOfAnyNumberOfWaysSparesTheLineUsedLast) {
  for (const unsigned ways : {2u, 3u, 5u, 20u}) {
    CacheTags tags = one_set("pseudo_lru", ways);
    std::mt19937 random(ways);
    std::uint32_t last = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::uint32_t line = random() % (2 * ways);
      access(tags, line);
      ASSERT_TRUE(i == 0 || tags.find(last) != CacheTags::kMiss);
      last = line;
    }
  }
}

TEST(ReplacementPolicy, RandomTakesEveryWayEquallyOftenAndRepeatsAfterAFlush) {
  constexpr unsigned kWays = 5, kEvictions = 5000;
  CacheTags tags = one_set("random", kWays);
  std::array<unsigned, kWays> taken{};
  std::vector<unsigned> sequence;
  for (int round = 0; round < 2; ++round) {
    tags.invalidate_all();
    for (unsigned line = 0; line < kWays; ++line) tags.insert(line);
    for (unsigned i = 0; i < kEvictions; ++i) {
      const unsigned slot = tags.insert(kWays + i);
      if (round == 0) {
        ++taken[slot];
        sequence.push_back(slot);
      } else {
        ASSERT_EQ(slot, sequence[i]) << "eviction " << i;
      }
    }
  }
  for (const unsigned count : taken) EXPECT_NEAR(count, 1.0 * kEvictions / kWays, 150);
}

TEST(ReplacementPolicy, OnlyRandomHitsInALoopOneLineLongerThanTheSet) {
  const auto hits = [](const char* name) {
    CacheTags tags = one_set(name, 4);
    unsigned hits = 0;
    for (unsigned i = 0; i < 5000; ++i) hits += access(tags, i % 5);
    return hits;
  };
  EXPECT_EQ(hits("lru"), 0u);
  EXPECT_EQ(hits("fifo"), 0u);
  EXPECT_GT(hits("random"), 2000u);
}

TEST(ReplacementPolicy, AfterTheSameAccessesEachGivesUpALineOfItsOwn) {
  const auto victim = [](const char* name) {
    CacheTags tags = one_set(name, 4);
    for (const std::uint32_t line : {0u, 1u, 2u, 3u, 0u}) access(tags, line);
    tags.insert(9);
    for (std::uint32_t line = 0; line < 4; ++line) {
      if (tags.find(line) == CacheTags::kMiss) return line;
    }
    return 9u;
  };
  EXPECT_EQ(victim("lru"), 1u);
  EXPECT_EQ(victim("fifo"), 0u);
  EXPECT_EQ(victim("pseudo_lru"), 2u);
  EXPECT_LT(victim("random"), 4u);
}

}  // namespace
}  // namespace g80
