// SPDX-License-Identifier: Apache-2.0
// Miss registers against lists of waiters by line.
#include "hw/cache/mshr.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

#include "tests/support/random_seed.h"

namespace g80 {
namespace {

struct Waiter {
  unsigned number = 0;
};

TEST(Mshr, WaitersOfALineComeInOrderAndThoseOfAStaleOneAlone) {
  const unsigned seed = random_seed() + 9;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const unsigned built : {1u, 3u, 64u}) {
    Mshr<Waiter, 64, 64> misses(built);
    struct Line {
      std::uint32_t line;
      bool stale;
      std::deque<unsigned> waiters;
    };
    std::map<unsigned, Line> model;  // by register
    unsigned number = 0, waiting = 0, full = 0, stale = 0;
    for (unsigned i = 0; i < 40'000; ++i) {
      const bool fills = i / 2000 % 2 == 0;  // comes near to a full memory of waiters, then empties
      if (random() % 8 < (fills ? 7 : 1)) {
        const std::uint32_t line = random() % (built + 1);
        const auto merged = std::find_if(model.begin(), model.end(), [line](const auto& entry) {
          return entry.second.line == line && !entry.second.stale;
        });
        const MissDecision decision = misses.lookup(line);
        if (waiting == 64 || (merged == model.end() && model.size() == built)) {
          ASSERT_EQ(decision.action, MissAction::kStall);
          full += waiting == 64;
          continue;
        }
        ASSERT_EQ(decision.action, merged != model.end() ? MissAction::kMerge : MissAction::kAllocate);
        ASSERT_LT(decision.entry, built);
        if (merged != model.end()) {
          ASSERT_EQ(decision.entry, merged->first);
          misses.merge(decision.entry, {number});
        } else {
          ASSERT_EQ(model.count(decision.entry), 0u);
          misses.allocate(decision.entry, line, {number});
          model[decision.entry] = {line, false, {}};
        }
        model[decision.entry].waiters.push_back(number++);
        ++waiting;
      } else if (random() % 200 == 0) {
        misses.mark_stale();
        for (auto& entry : model) entry.second.stale = true;
      } else if (random() % 100 == 0) {
        const unsigned lost = random() % built;
        misses.forget_if([lost](unsigned entry) { return entry == lost; });
        if (const auto found = model.find(lost); found != model.end()) found->second.stale = true;
      } else if (!model.empty()) {
        const auto chosen = std::next(model.begin(), random() % model.size());
        const auto& [entry, expected] = *chosen;
        ASSERT_TRUE(misses.is_used(entry));
        ASSERT_EQ(misses.is_stale(entry), expected.stale);
        ASSERT_EQ(misses.line(entry), expected.line);
        ASSERT_EQ(misses.waiter(entry).number, expected.waiters.front());
        stale += expected.stale;
        misses.pop_waiter(entry);
        --waiting;
        chosen->second.waiters.pop_front();
        if (chosen->second.waiters.empty()) {
          ASSERT_FALSE(misses.is_used(entry));
          model.erase(chosen);
        }
      }
      ASSERT_EQ(misses.empty(), model.empty());
    }
    EXPECT_GT(full, 0u);
    EXPECT_GT(stale, 100u);
    misses.clear();
    EXPECT_TRUE(misses.empty());
    EXPECT_EQ(misses.lookup(1).action, MissAction::kAllocate);
  }
}

}  // namespace
}  // namespace g80
