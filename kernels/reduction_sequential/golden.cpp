// SPDX-License-Identifier: Apache-2.0
// reduction_sequential: the tree whose leaves are half a block apart.
#include "tb/scenario/chip_float.h"
#include "tb/scenario/golden_case.h"

namespace g80 {
namespace {

/// Sum of x[first], x[first + step], ...: even positions and odd positions are summed apart, then added.
float tree(const Elements<float>& x, std::size_t first, std::size_t step, std::size_t count) {
  if (count == 1) return x[first];
  return chip::add(tree(x, first, step * 2, count / 2), tree(x, first + step, step * 2, count / 2));
}

}  // namespace

void golden_reduction_sequential(GoldenCase& test) {
  const std::size_t threads = test.size("block");
  Elements<float> x = test.f32("x"), sums = test.f32("sums");
  for (std::size_t block = 0; block < sums.size(); ++block) sums.set(block, tree(x, block * threads, 1, threads));
}

}  // namespace g80
