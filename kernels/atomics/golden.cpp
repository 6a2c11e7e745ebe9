// SPDX-License-Identifier: Apache-2.0
// atomics: totals over all threads, whatever their order.
#include <algorithm>

#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_atomics(GoldenCase& test) {
  Elements<std::uint32_t> in = test.u32("in"), bins = test.u32("bins"), result = test.u32("result"),
                          seat = test.u32("seat");
  std::vector<std::uint32_t> count(16, 0);
  std::uint32_t highest = 0, lowest = 0xffffffff, all = 0xffffffff, any = 0, parity = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::uint32_t x = in[i];
    ++count[x % 16];
    highest = std::max(highest, x), lowest = std::min(lowest, x);
    all &= x, any |= x, parity ^= x;
  }
  for (std::size_t k = 0; k < count.size(); ++k) bins.set(k, count[k]);
  const std::size_t period = test.size("wrap") + 1;  // inc and dec walk the ring 0 .. wrap, up and down
  const std::size_t steps = in.size() % period;
  const std::uint32_t values[8] = {highest,
                                   lowest,
                                   all,
                                   any,
                                   parity,
                                   static_cast<std::uint32_t>(steps),
                                   static_cast<std::uint32_t>((period - steps) % period),
                                   static_cast<std::uint32_t>(in.size())};
  for (std::size_t k = 0; k < 8; ++k) result.set(k, values[k]);
  for (std::size_t i = 0; i < seat.size(); ++i) seat.set(i, 2);
}

}  // namespace g80
