// SPDX-License-Identifier: Apache-2.0
// coordinates: blocks row by row, threads x fastest, then y, then z.
#include "tb/scenario/golden_case.h"

namespace g80 {

void golden_coordinates(GoldenCase& test) {
  Elements<std::uint32_t> out = test.u32("out");
  std::size_t at = 0, position = 0;
  const auto write = [&](std::size_t value) { out.set(at++, static_cast<std::uint32_t>(value)); };
  for (std::size_t by = 0; by < test.size("grid_y"); ++by) {
    for (std::size_t bx = 0; bx < test.size("grid_x"); ++bx) {
      for (std::size_t z = 0; z < test.size("block_z"); ++z) {
        for (std::size_t y = 0; y < test.size("block_y"); ++y) {
          for (std::size_t x = 0; x < test.size("block_x"); ++x) {
            write(bx), write(by), write(x), write(y), write(z);
            write(position++);
            write(by * test.size("grid_x") + bx);
            write(z << 26 | y << 16 | x);
          }
        }
      }
    }
  }
}

}  // namespace g80
