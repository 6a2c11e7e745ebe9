// SPDX-License-Identifier: Apache-2.0
// vec_add: one rounded addition per element.
#include "tb/scenario/chip_float.h"
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_vec_add(GoldenCase& test) {
  Elements<float> a = test.f32("a"), b = test.f32("b"), c = test.f32("c");
  for (std::size_t i = 0; i < c.size(); ++i) c.set(i, chip::add(a[i], b[i]));
}

}  // namespace g80
