// SPDX-License-Identifier: Apache-2.0
// The compiler's sets of numbers do what std::set does.
#include "toolchain/compiler/codegen/bit_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <vector>

namespace g80::codegen {
namespace {

using Numbers = std::set<std::size_t>;

struct Both {
  BitSet bits;
  Numbers numbers;
};

std::vector<std::size_t> listed(const BitSet& bits) {
  std::vector<std::size_t> list;
  bits.for_each([&](std::size_t i) { list.push_back(i); });
  return list;
}

void expect_same(const Both& set) {
  EXPECT_EQ(listed(set.bits), std::vector<std::size_t>(set.numbers.begin(), set.numbers.end()));
  EXPECT_EQ(set.bits.count(), set.numbers.size());
  EXPECT_EQ(set.bits.empty(), set.numbers.empty());
}

std::vector<std::size_t> difference(const Numbers& a, const Numbers& b) {
  std::vector<std::size_t> list;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(list));
  return list;
}

TEST(BitSets, DoWhatSetsDo) {
  for (unsigned seed = 1; seed <= 300 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const std::size_t end = 1 + rng() % 2000;
    Both a, b;
    for (unsigned step = rng() % 200; step-- > 0;) {
      Both& set = rng() % 2 == 0 ? a : b;
      const std::size_t i = rng() % end;
      EXPECT_EQ(set.bits.test(i), set.numbers.count(i) != 0);
      if (rng() % 4 == 0) {
        set.bits.reset(i);
        set.numbers.erase(i);
      } else {
        set.bits.set(i);
        set.numbers.insert(i);
      }
    }
    expect_same(a);
    expect_same(b);
    const std::vector<std::size_t> only_a = difference(a.numbers, b.numbers);
    const std::vector<std::size_t> only_b = difference(b.numbers, a.numbers);
    std::vector<std::size_t> missing;
    a.bits.for_each_missing_in(b.bits, [&](std::size_t i) { missing.push_back(i); });
    EXPECT_EQ(missing, only_a);
    EXPECT_EQ(a.bits.contains(b.bits), only_b.empty());
    EXPECT_EQ(a.bits.intersects(b.bits), only_b.size() != b.numbers.size());
    Both merged = a, rest = a;
    EXPECT_EQ(merged.bits.merge(b.bits), !only_b.empty());
    merged.numbers.insert(b.numbers.begin(), b.numbers.end());
    expect_same(merged);
    rest.bits.remove(b.bits);
    rest.numbers = Numbers(only_a.begin(), only_a.end());
    expect_same(rest);
  }
}

}  // namespace
}  // namespace g80::codegen
