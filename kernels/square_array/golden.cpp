// SPDX-License-Identifier: Apache-2.0
// square_array and square_array_branching: every element belongs to one thread, whose group decides square or double.
#include <algorithm>

#include "tb/scenario/chip_float.h"
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_square_array(GoldenCase& test) {
  constexpr std::size_t kThreads = 512;
  const std::size_t per_thread = test.size("per_thread"), stride = test.size("stride"), offset = test.size("offset");
  const std::size_t group = test.size("group"), blocks = test.size("blocks");
  Elements<float> a = test.f32("a");
  const std::size_t n = a.size();
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      const std::size_t start =
          per_thread * block * kThreads + (thread / stride) * per_thread * stride + (thread + offset) % stride;
      const std::size_t end = std::min(start + per_thread * stride, n);
      const bool doubles = ((thread / group) & 1) != 0;
      for (std::size_t i = start; i < end; i += stride) {
        const float x = a[i];
        a.set(i, doubles ? chip::add(x, x) : chip::mul(x, x));
      }
    }
  }
}

}  // namespace g80
