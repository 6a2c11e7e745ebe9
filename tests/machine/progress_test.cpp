// SPDX-License-Identifier: Apache-2.0
// What is told about a launch under way.
#include "tb/machine/progress.h"

#include <gtest/gtest.h>

namespace g80 {
namespace {

TEST(Progress, TellsBlocksSpeedAndTimeLeft) {
  // clang-format off
  EXPECT_EQ(progress_text("vec_add", "blocks", 512, 1024, 4'570'000, 10), "vec_add: 512 of 1024 blocks, 457 k cycles/s, 0:10 left");
  EXPECT_EQ(progress_text("k", "blocks", 0, 8, 1000, 0.5), "k: 0 of 8 blocks, 2 k cycles/s, ? left");
  EXPECT_EQ(progress_text("k", "blocks", 1, 101, 1000, 100), "k: 1 of 101 blocks, 0 k cycles/s, 2:46:40 left");
  EXPECT_EQ(progress_text("k", "blocks", 8, 8, 1000, 1), "k: 8 of 8 blocks, 1 k cycles/s, 0:00 left");
  EXPECT_EQ(progress_text("copy to the device", "MB", 12, 48, 1'000'000, 4), "copy to the device: 12 of 48 MB, 250 k cycles/s, 0:12 left");
  // clang-format on
}

TEST(Progress, IsSilentWhereNobodyWatches) {
  Progress progress;
  EXPECT_FALSE(progress.active());
  progress.begin(false, "k", "blocks", 0, 1, 0);
  EXPECT_FALSE(progress.active());
}

}  // namespace
}  // namespace g80
