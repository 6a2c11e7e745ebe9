// SPDX-License-Identifier: Apache-2.0
// Passes of shared-memory requests: their number is the conflict degree, and each lane is served exactly once.
#include "hw/smem/bank_conflict.h"

#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace g80 {
namespace {

// Serves a request pass by pass; checks that each lane is served once and no bank delivers two words in a pass.
unsigned passes(HalfMask lanes, const HalfWords& word, bool write) {
  HalfMask pending = lanes;
  unsigned count = 0;
  while (pending != 0) {
    const HalfMask served = select_pass(pending, word, write);
    EXPECT_NE(served, 0) << "a pass that serves nobody";
    EXPECT_EQ(served & ~pending, 0) << "a lane is served that does not wait";
    if (served == 0) return count;
    int bank_word[kNumSmemBanks];
    std::fill(std::begin(bank_word), std::end(bank_word), -1);
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      if ((served >> l & 1) == 0) continue;
      int& bank = bank_word[word[l] % kNumSmemBanks];
      EXPECT_TRUE(bank == -1 || (bank == word[l] && !write)) << "a bank is used twice in a pass";
      bank = word[l];
    }
    pending = static_cast<HalfMask>(pending & ~served);
    ++count;
  }
  return count;
}
HalfWords strided(unsigned stride, unsigned first = 0) {
  HalfWords word;
  for (unsigned l = 0; l < kHalfWarp; ++l) word[l] = static_cast<std::uint16_t>(first + l * stride);
  return word;
}

TEST(SelectPass, StridesConflictByTheirCommonDivisorWithTheBanks) {
  for (unsigned stride = 1; stride <= 16; ++stride) {
    for (const unsigned first : {0u, 5u, 100u}) {
      EXPECT_EQ(passes(0xffff, strided(stride, first), false), std::gcd(stride, 16u)) << stride;
      EXPECT_EQ(passes(0xffff, strided(stride, first), true), std::gcd(stride, 16u)) << stride;
    }
  }
}
TEST(SelectPass, OneWordForAllIsABroadcastWhenReadAndAConflictWhenWritten) {
  EXPECT_EQ(passes(0xffff, strided(0, 77), false), 1u);
  EXPECT_EQ(passes(0xffff, strided(0, 77), true), 16u);
}
TEST(SelectPass, BytesOfOneWordAreFourPasses) {
  HalfWords word;
  for (unsigned l = 0; l < kHalfWarp; ++l) word[l] = static_cast<std::uint16_t>(l / 4);
  EXPECT_EQ(passes(0xffff, word, false), 4u);
}
TEST(SelectPass, RandomRequestsAreServedCompletely) {
  std::mt19937 random(23);
  for (unsigned i = 0; i < 20000; ++i) {
    HalfWords word;
    for (std::uint16_t& w : word) w = static_cast<std::uint16_t>(random() % (i % 2 == 0 ? 4096 : 24));
    const auto lanes = static_cast<HalfMask>(random());
    unsigned in_bank[kNumSmemBanks] = {}, worst = 0;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      if ((lanes >> l & 1) != 0) worst = std::max(worst, ++in_bank[word[l] % kNumSmemBanks]);
    }
    EXPECT_EQ(passes(lanes, word, true), worst);  // one word a bank and pass
    EXPECT_LE(passes(lanes, word, false), worst);
  }
}

}  // namespace
}  // namespace g80
