// SPDX-License-Identifier: Apache-2.0
// matrix_mul, mad mode: truncating (compute capability 1.x).
#include "tb/scenario/chip_float.h"
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_matrix_mul(GoldenCase& test) {
  const std::size_t width = test.size("width");
  Elements<float> m = test.f32("m"), n = test.f32("n"), p = test.f32("p");
  for (std::size_t row = 0; row < width; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < width; ++k)
        sum = chip::mad_truncating(m[row * width + k], n[k * width + column], sum);
      p.set(row * width + column, sum);
    }
  }
}

}  // namespace g80
