// SPDX-License-Identifier: Apache-2.0
// local_spill: in * (sum of 3^k * 2^k for k = 0 .. 15), modulo 2^32.
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_local_spill(GoldenCase& test) {
  std::uint32_t factor = 0, power = 1;
  for (int k = 0; k < 16; ++k, power *= 6) factor += power;
  Elements<std::uint32_t> in = test.u32("in"), out = test.u32("out");
  for (std::size_t i = 0; i < out.size(); ++i) out.set(i, in[i] * factor);
}

}  // namespace g80
