// SPDX-License-Identifier: Apache-2.0
// In which order the CTAs of a grid go: each once, whatever the grid.
#include "hw/gpu/cta_sequence.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace g80 {
namespace {

using Place = std::pair<unsigned, unsigned>;

struct Walk {
  std::vector<Place> ctas;
  unsigned steps = 0;
};
Walk walk(const std::vector<std::string>& sets, unsigned grid_x, unsigned grid_y) {
  const CtaOrderUnit unit(load_config("tiny", sets));
  Walk result;
  CtaSequence at = unit.first(grid_x, grid_y);
  for (;; unit.advance(at, grid_x, grid_y), ++result.steps) {
    if (at.valid) result.ctas.push_back({at.x, at.y});
    if (at.ended) return result;
  }
}
const std::vector<Place> kGrids = {{1, 1}, {1, 2}, {2, 1}, {3, 1}, {1, 17}, {16, 16}, {17, 5}, {1000, 1}, {33, 31}};

TEST(CtaSequence, LinearGoesRowByRow) {
  for (const auto& [grid_x, grid_y] : kGrids) {
    const Walk linear = walk({}, grid_x, grid_y);
    ASSERT_EQ(linear.ctas.size(), grid_x * grid_y);
    EXPECT_EQ(linear.steps + 1, linear.ctas.size()) << "a CTA at each step";
    for (unsigned i = 0; i < linear.ctas.size(); ++i) ASSERT_EQ(linear.ctas[i], Place(i % grid_x, i / grid_x));
  }
}
TEST(CtaSequence, ShuffledVisitsEveryCtaOnce) {
  for (const auto& [grid_x, grid_y] : kGrids) {
    for (const char* seed : {"gpu.seed=1", "gpu.seed=2", "gpu.seed=3", "gpu.seed=4", "gpu.seed=77"}) {
      const Walk shuffled = walk({"gpu.cta_order=shuffled", seed}, grid_x, grid_y);
      const std::set<Place> visited(shuffled.ctas.begin(), shuffled.ctas.end());
      EXPECT_EQ(shuffled.ctas.size(), grid_x * grid_y) << grid_x << " x " << grid_y << ", " << seed;
      EXPECT_EQ(visited.size(), shuffled.ctas.size());
      for (const Place& place : visited) EXPECT_TRUE(place.first < grid_x && place.second < grid_y);
      EXPECT_LT(shuffled.steps, 4 * grid_x * grid_y) << "at most three of four steps give no CTA";
      const bool powers_of_two = (grid_x & (grid_x - 1)) == 0 && (grid_y & (grid_y - 1)) == 0;
      if (powers_of_two) {
        EXPECT_EQ(shuffled.steps + 1, grid_x * grid_y) << "each step gives one";
      }
    }
  }
}
TEST(CtaSequence, SeedsGiveDifferentOrders) {
  const Walk one = walk({"gpu.cta_order=shuffled", "gpu.seed=1"}, 1000, 1);
  const Walk two = walk({"gpu.cta_order=shuffled", "gpu.seed=2"}, 1000, 1);
  unsigned same = 0, in_order = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    same += one.ctas[i] == two.ctas[i];
    in_order += one.ctas[i].first == i;
  }
  EXPECT_LT(same, 20u);
  EXPECT_LT(in_order, 20u);
}

/// The number of steps after which a shift register comes round: the order of its step as a matrix over GF(2). It is
/// 2^n - 1 if the step to that power is nothing, and to that power divided by each of its prime factors is not.
std::uint32_t after(std::uint64_t steps, unsigned bits, std::uint32_t state) {
  std::vector<std::uint32_t> power(bits);  // what a step makes of each bit
  for (unsigned bit = 0; bit < bits; ++bit) power[bit] = bit == 0 ? kCtaFeedback[bits - 1] : 1u << (bit - 1);
  const auto apply = [&](std::uint32_t value) {
    std::uint32_t result = 0;
    for (unsigned bit = 0; bit < bits; ++bit) result ^= (value >> bit & 1) != 0 ? power[bit] : 0;
    return result;
  };
  for (; steps != 0; steps >>= 1) {
    if ((steps & 1) != 0) state = apply(state);
    std::vector<std::uint32_t> squared(bits);
    for (unsigned bit = 0; bit < bits; ++bit) squared[bit] = apply(power[bit]);
    power = squared;
  }
  return state;
}
TEST(CtaSequence, EveryFeedbackVisitsAllStates) {
  for (unsigned bits = 1; bits <= 32; ++bits) {
    const std::uint64_t states = (std::uint64_t{1} << bits) - 1;
    EXPECT_EQ(after(states, bits, 1), 1u) << bits << " bits";
    std::uint64_t rest = states;
    for (std::uint64_t prime = 2; prime * prime <= rest; ++prime) {
      if (rest % prime != 0) continue;
      while (rest % prime == 0) rest /= prime;
      EXPECT_NE(after(states / prime, bits, 1), 1u) << bits << " bits";
    }
    if (rest != 1 && rest != states) {
      EXPECT_NE(after(states / rest, bits, 1), 1u) << bits << " bits";
    }
  }
}

}  // namespace
}  // namespace g80
