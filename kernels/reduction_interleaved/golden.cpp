// SPDX-License-Identifier: Apache-2.0
// reduction_interleaved: the tree whose leaves are neighbours.
#include "tb/scenario/chip_float.h"
#include "tb/scenario/golden_case.h"

namespace g80 {
namespace {

/// Sum of x[first .. first + count): neighbours first.
float tree(const Elements<float>& x, std::size_t first, std::size_t count) {
  if (count == 1) return x[first];
  return chip::add(tree(x, first, count / 2), tree(x, first + count / 2, count / 2));
}

}  // namespace

void golden_reduction_interleaved(GoldenCase& test) {
  const std::size_t threads = test.size("block");
  Elements<float> x = test.f32("x"), sums = test.f32("sums");
  for (std::size_t block = 0; block < sums.size(); ++block) sums.set(block, tree(x, block * threads, threads));
}

}  // namespace g80
