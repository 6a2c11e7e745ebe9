// SPDX-License-Identifier: Apache-2.0
// global_sync: what both launches leave behind.
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_global_sync(GoldenCase& test) {
  Elements<std::int32_t> a = test.s32("a"), b = test.s32("b"), c = test.s32("c");
  for (std::size_t i = 0; i < b.size(); ++i) b.set(i, 2 * a[i] + 1);
  for (std::size_t i = 0; i < c.size(); ++i) c.set(i, b[c.size() - 1 - i] - b[i]);
}

}  // namespace g80
