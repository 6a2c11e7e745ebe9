// SPDX-License-Identifier: Apache-2.0
// divergence_in_warp: threads above 2 double, the others add one.
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_divergence_in_warp(GoldenCase& test) {
  const std::size_t threads = test.size("block");
  Elements<std::int32_t> in = test.s32("in"), out = test.s32("out");
  for (std::size_t i = 0; i < out.size(); ++i) out.set(i, i % threads > 2 ? in[i] * 2 : in[i] + 1);
}

}  // namespace g80
