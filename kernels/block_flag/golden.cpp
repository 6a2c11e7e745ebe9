// SPDX-License-Identifier: Apache-2.0
// block_flag: block 1 has seen everything that block 0 wrote before the flag.
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_block_flag(GoldenCase& test) {
  Elements<std::uint32_t> data = test.u32("data"), flag = test.u32("flag"), out = test.u32("out");
  flag.set(0, 1);
  for (std::size_t t = 0; t < data.size(); ++t) {
    data.set(t, static_cast<std::uint32_t>(2 * t + 7));
    out.set(t, static_cast<std::uint32_t>(2 * t + 8));
  }
}

}  // namespace g80
