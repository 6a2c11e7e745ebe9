// SPDX-License-Identifier: Apache-2.0
// The fetcher takes warps in turn and asks for aligned pieces.
#include "hw/sm/fetch.h"

#include <random>

#include <gtest/gtest.h>

namespace g80 {
namespace {

TEST(PickFetch, TakesTheNextWantingWarpInACircle) {
  std::mt19937 random(11);
  for (unsigned i = 0; i < 20000; ++i) {
    const WarpMask wanting = random() & random();  // NOLINT(misc-redundant-expression): two numbers
    const unsigned last = random() % 32;
    std::optional<unsigned> expected;
    for (unsigned step = 1; step <= 32 && !expected; ++step) {
      if ((wanting >> ((last + step) % 32) & 1) != 0) expected = (last + step) % 32;
    }
    ASSERT_EQ(pick_fetch(wanting, last), expected) << std::hex << wanting << " after " << last;
  }
}

TEST(AlignedFetchBytes, GivesTheLargestAlignedPieceOfTheBlock) {
  for (const std::uint32_t block : {8u, 16u, 32u}) {
    for (std::uint32_t pc = 0; pc < 128; pc += 4) {
      const std::uint32_t bytes = aligned_fetch_bytes(pc, block);
      EXPECT_EQ(pc % bytes, 0u) << pc;
      EXPECT_EQ(pc / block, (pc + bytes - 1) / block) << pc;
      EXPECT_TRUE(bytes == block || pc % (2 * bytes) != 0)
          << "a larger piece of " << block << " at " << pc << " is aligned";
    }
  }
}

}  // namespace
}  // namespace g80
