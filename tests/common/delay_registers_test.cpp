// SPDX-License-Identifier: Apache-2.0
// What only delays, in registers or in a memory: what goes in comes out after as many steps as there are stages,
// whatever is around it.
#include "hw/common/delay_registers.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "hw/common/delay_memory.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

struct Item {
  bool valid = false;
  unsigned number = 0;
  G80_FIELDS(valid, number);
};

template <class Row>
class DelayTest : public ::testing::Test {};
using Rows = ::testing::Types<RegisterRow<Item>, DelayWords<Item>>;
TYPED_TEST_SUITE(DelayTest, Rows);

TYPED_TEST(DelayTest, DelaysByItsNumberOfStages) {
  const unsigned seed = random_seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const unsigned stages : {0u, 1u, 2u, 7u}) {
    TypeParam row(stages);
    std::vector<Item> sent;
    for (unsigned step = 0; step < 200; ++step) {
      sent.push_back({random() % 3 == 0, step + 1});
      const Item out = row.shift(sent.back());
      const Item expected = step < stages ? Item{} : sent[step - stages];
      ASSERT_EQ(out.valid, expected.valid) << stages << " stages, step " << step;
      if (out.valid) {
        ASSERT_EQ(out.number, expected.number);
      }
      bool inside = false;
      for (unsigned back = 0; back < stages && back < sent.size(); ++back) inside |= sent[sent.size() - 1 - back].valid;
      ASSERT_EQ(row.empty(), !inside) << stages << " stages, step " << step;
    }
    row.clear();
    EXPECT_TRUE(row.empty());
    FieldEditor fault(0, 1, {true, 1});  // valid, of the first stage
    TypeParam::visit(row, fault);
    EXPECT_EQ(row.empty(), stages == 0);
  }
}

}  // namespace
}  // namespace g80
