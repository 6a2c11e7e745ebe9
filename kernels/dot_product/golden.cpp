// SPDX-License-Identifier: Apache-2.0
// dot_product: products and sums rounded one by one, in the order of the grid-stride loop and of the tree.
#include "tb/scenario/chip_float.h"
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_dot_product(GoldenCase& test) {
  const std::size_t threads = test.size("block"), blocks = test.size("blocks"), n = test.size("n");
  Elements<float> a = test.f32("a"), b = test.f32("b"), partial = test.f32("partial_c");
  for (std::size_t block = 0; block < blocks; ++block) {
    std::vector<float> cache(threads, 0.0f);
    for (std::size_t thread = 0; thread < threads; ++thread) {
      for (std::size_t i = block * threads + thread; i < n; i += threads * blocks) {
        cache[thread] = chip::add(cache[thread], chip::mul(a[i], b[i]));
      }
    }
    for (std::size_t half = threads / 2; half != 0; half /= 2) {
      for (std::size_t thread = 0; thread < half; ++thread)
        cache[thread] = chip::add(cache[thread], cache[thread + half]);
    }
    partial.set(block, cache[0]);
  }
}

}  // namespace g80
