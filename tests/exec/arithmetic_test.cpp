// SPDX-License-Identifier: Apache-2.0
// The pieces of the datapaths against their definitions, bit by bit.
#include "hw/exec/arithmetic.h"

#include <gtest/gtest.h>

#include <random>

#include "hw/exec/carry_save.h"
#include "tests/support/random_seed.h"

namespace g80::arithmetic {
namespace {

using isa::Round;

TEST(Arithmetic, LeadingZerosOfEveryLengthAndOfZero) {
  for (unsigned top = 0; top < 64; ++top) {
    const std::uint64_t one = std::uint64_t{1} << top, filled = one | (one - 1);
    EXPECT_EQ(leading_zeros(one), 63 - top);
    EXPECT_EQ(leading_zeros(filled), 63 - top);
    if (top >= 32) continue;
    EXPECT_EQ(leading_zeros(static_cast<std::uint32_t>(one)), 31 - top);
    EXPECT_EQ(leading_zeros(static_cast<std::uint32_t>(filled)), 31 - top);
  }
  EXPECT_EQ(leading_zeros(std::uint32_t{0}), 32u);
  EXPECT_EQ(leading_zeros(std::uint64_t{0}), 64u);
}

TEST(Arithmetic, ShiftersMoveEveryBitToItsPlace) {
  std::mt19937 random(random_seed());
  for (unsigned round = 0; round < 2000; ++round) {
    const auto x = static_cast<std::uint32_t>(random());
    const unsigned count = round % 64;
    const Shifted zeros = shift_right(x, count), copies = shift_right_signed(x, count);
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned from = i + count;  // the bit of x that comes to place i of `kept`
      EXPECT_EQ(zeros.kept >> i & 1u, from < 32 ? x >> from & 1u : 0u);
      EXPECT_EQ(copies.kept >> i & 1u, x >> (from < 32 ? from : 31) & 1u);
      if (from >= 64 || from < 32) continue;
      const unsigned low = from - 32;  // place i of `out` is 32 places further down
      EXPECT_EQ(zeros.out >> i & 1u, x >> low & 1u);
      EXPECT_EQ(copies.out >> i & 1u, x >> low & 1u);
    }
  }
}

TEST(Arithmetic, AStickyShiftRemembersWhatItLost) {
  for (unsigned top = 0; top < 64; ++top) {
    const std::uint64_t one = std::uint64_t{1} << top;
    for (unsigned count = 0; count < 70; ++count) {
      EXPECT_EQ(shift_right_sticky(one, count), count > top ? 1u : one >> count) << top << " by " << count;
    }
  }
  EXPECT_EQ(shift_right_sticky(0, 70), 0u);
}

TEST(Arithmetic, CarrySaveRowsKeepTheSum) {
  std::mt19937_64 random(random_seed());
  for (unsigned round = 0; round < 1000; ++round) {
    const std::uint64_t a = random(), b = random(), c = random();
    CarrySave<std::uint64_t> s{a, b};
    s.add(c);
    EXPECT_EQ(s.sum + s.carry, a + b + c);
    EXPECT_EQ(s.carry & 1u, 0u);
  }
}

// The distance in eighths of a unit that a value moves decides; the definition knows no guard bit.
TEST(Arithmetic, RoundingChoosesTheNeighbourThatItsModeNames) {
  for (unsigned eighths = 0; eighths < 32; ++eighths) {
    const unsigned below = eighths / 8, rest = eighths % 8;
    const bool guard = rest >= 4, sticky = rest % 4 != 0, odd = below % 2 != 0;
    for (const bool negative : {false, true}) {
      const bool nearest = rest > 4 || (rest == 4 && odd);
      EXPECT_EQ(rounds_up(Round::kRn, negative, odd, guard, sticky), nearest);
      EXPECT_EQ(rounds_up(Round::kRm, negative, odd, guard, sticky), rest != 0 && negative);
      EXPECT_EQ(rounds_up(Round::kRp, negative, odd, guard, sticky), rest != 0 && !negative);
      EXPECT_FALSE(rounds_up(Round::kRz, negative, odd, guard, sticky));
    }
  }
}

}  // namespace
}  // namespace g80::arithmetic
