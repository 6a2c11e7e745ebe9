// SPDX-License-Identifier: Apache-2.0
// Bytes of a block-linear surface lie where docs/texture.md, section 2, has them, with divisions.
#include "hw/common/block_linear.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/random_seed.h"

namespace g80 {
namespace {

TEST(BlockShape, PutsEachByteIntoItsBlockSliceLineAndPlace) {
  std::mt19937 random(random_seed());
  for (unsigned i = 0; i < 10'000; ++i) {
    const BlockShape shape{static_cast<std::uint8_t>(random() % 6), static_cast<std::uint8_t>(random() % 6)};
    const std::uint32_t lines = 4u << shape.height, slices = 1u << shape.depth;  // of a block
    const std::uint32_t width = 1 + random() % 4000, height = 1 + random() % 4000;
    const std::uint32_t x = random() % width, y = random() % height, z = random() % 200;
    EXPECT_EQ(shape.row_bytes(width), (width + 63) / 64 * 64 * lines * slices);
    const std::uint32_t rows = (height + lines - 1) / lines;
    EXPECT_EQ(shape.rows(height), rows);
    EXPECT_EQ(shape.row_of(y, z, rows), z / slices * rows + y / lines);
    EXPECT_EQ(shape.offset_in_row(x, y, z), ((x / 64 * slices + z % slices) * lines + y % lines) * 64 + x % 64);
  }
}

}  // namespace
}  // namespace g80
