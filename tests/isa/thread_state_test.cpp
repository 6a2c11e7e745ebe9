// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/thread_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace g80 {
namespace {

TEST(RegisterSet, AgreesWithASet) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 2000; ++round) {
    RegisterSet a, b;
    std::set<unsigned> in_a, in_b;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned first = random() % 128, count = 1u << random() % 3;
      a.add_range(first, count);
      for (unsigned r = first; r < std::min(first + count, 128u); ++r) in_a.insert(r);
      const unsigned other = random() % 128;
      b.add(other), in_b.insert(other);
    }
    bool common = false;
    for (const unsigned r : in_b) common |= in_a.count(r) != 0;
    ASSERT_EQ(a.intersects(b), common);
    for (unsigned r = 0; r < 128; ++r) ASSERT_EQ(a.has(r), in_a.count(r) != 0) << r;
    a.remove(b);
    ASSERT_FALSE(a.intersects(b));
    a.insert(b);
    ASSERT_EQ(a.intersects(b), true);
  }
}

}  // namespace
}  // namespace g80
