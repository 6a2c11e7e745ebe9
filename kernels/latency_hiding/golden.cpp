// SPDX-License-Identifier: Apache-2.0
// latency_hiding: the loaded word, the thread number and the instructions between load and use.
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_latency_hiding(GoldenCase& test) {
  constexpr std::uint32_t kBetween[3] = {5, 1, 7};
  const std::size_t threads = test.size("block");
  Elements<std::uint32_t> in = test.u32("in"), out = test.u32("out");
  for (std::size_t i = 0; i < out.size(); ++i) {
    out.set(i, in[i] + static_cast<std::uint32_t>(i % threads) + kBetween[i / threads]);
  }
}

}  // namespace g80
