// SPDX-License-Identifier: Apache-2.0
// Registers that only delay: what goes in comes out after as many steps as there are registers, whatever is around it.
#include "hw/common/delay_registers.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/support/random_seed.h"

namespace g80 {
namespace {

struct Item {
  bool valid = false;
  unsigned number = 0;
  G80_FIELDS(valid, number);
};

TEST(DelayRegisters, DelayByTheirNumber) {
  const unsigned seed = random_seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const unsigned stages : {0u, 1u, 2u, 7u}) {
    RegisterRow<Item> row(stages);
    std::vector<Item> sent;
    for (unsigned step = 0; step < 200; ++step) {
      sent.push_back({random() % 3 == 0, step + 1});
      const Item out = row.shift(sent.back());
      const Item expected = step < stages ? Item{} : sent[step - stages];
      ASSERT_EQ(out.valid, expected.valid) << stages << " registers, step " << step;
      if (out.valid) {
        ASSERT_EQ(out.number, expected.number);
      }
      bool inside = false;
      for (unsigned back = 0; back < stages && back < sent.size(); ++back) inside |= sent[sent.size() - 1 - back].valid;
      ASSERT_EQ(row.empty(), !inside) << stages << " registers, step " << step;
    }
    row.clear();
    EXPECT_TRUE(row.empty());
    FieldEditor fault(0, 1, {true, 1});  // valid, of the first register
    RegisterRow<Item>::visit(row, fault);
    EXPECT_EQ(row.empty(), stages == 0);
  }
}

}  // namespace
}  // namespace g80
