// SPDX-License-Identifier: Apache-2.0
// constant_read: t + table[1] + table[word] + 3 * table[t % 64] of thread t, where table[k] = 1000 k + 7.
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_constant_read(GoldenCase& test) {
  const auto table = [](std::size_t k) { return 1000 * k + 7; };
  Elements<std::uint32_t> out = test.u32("out");
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t t = i % test.size("block");
    const std::size_t low_half = table(t % 64) & 0xffff;  // the multiplier takes 16 bits
    out.set(i, static_cast<std::uint32_t>(t + table(1) + table(test.size("word")) + 3 * low_half));
  }
}

}  // namespace g80
