// SPDX-License-Identifier: Apache-2.0
// A countdown shows what a counter would that takes its step away at each edge.
#include "hw/common/countdown.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hw/common/fields.h"

namespace g80 {
namespace {

TEST(Countdown, IsWhatACounterWouldShow) {
  for (const std::uint64_t loaded : {0u, 1u, 2u, 6u, 7u, 8u, 100u}) {
    for (const std::uint64_t step : {1u, 3u, 7u}) {
      constexpr Cycle kFrom = 1000;
      Countdown down;
      down.load(loaded, kFrom, step);
      std::uint64_t left = loaded;
      Cycle end = 0;
      for (Cycle edge = kFrom; end == 0 || edge < end + 3; ++edge) {
        EXPECT_EQ(down.left(edge), left) << loaded << " by " << step << " at " << edge;
        EXPECT_EQ(down.over(edge), left == 0);
        if (left == 0 && end == 0) end = edge;
        left -= std::min(left, step);
      }
      EXPECT_EQ(down.end(), end);
    }
  }
}

TEST(Countdown, AFaultInAnyOfItsBitsChangesWhatItHolds) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    Countdown down;
    down.load(7000, 1000, 3);
    FieldEditor editor(0, 1, {true, std::uint64_t{1} << bit});
    editor.clock_at(2000);
    editor("down", down);
    EXPECT_EQ(editor.changed(), 1u);
    EXPECT_EQ(down.left(2000), 4000 ^ std::uint64_t{1} << bit);
  }
}

}  // namespace
}  // namespace g80
