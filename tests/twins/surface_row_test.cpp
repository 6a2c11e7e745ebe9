// SPDX-License-Identifier: Apache-2.0
// The row of blocks where a copy begins, in SystemVerilog against the functions in C++.
#include <random>

#include <gtest/gtest.h>

#include "hw/common/block_linear.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/twins/clock_edge.h"

#include "Vsurface_row.h"

namespace g80 {
namespace {

TEST(SurfaceRowTwin, BeginsWhereTheFunctionsInCppSay) {
  std::mt19937 random(random_seed());
  Vsurface_row model;
  unsigned layers = 0;
  for (unsigned copy = 0; copy < 50'000; ++copy) {
    BlockShape block;
    block.height = static_cast<std::uint8_t>(random() % (BlockShape::kMostBits + 1));
    block.depth = static_cast<std::uint8_t>(random() % (BlockShape::kMostBits + 1));
    const std::uint32_t width = random() >> random() % 32, lines = random() % (1u << 16) >> random() % 16;
    const std::uint32_t y = random() % (1u << 16), z = random() % (1u << 12) >> random() % 12, address = random();
    model.height_i = block.height;
    model.depth_i = block.depth;
    model.width_i = width;
    model.lines_i = static_cast<std::uint16_t>(lines);
    model.y_i = static_cast<std::uint16_t>(y);
    model.z_i = static_cast<std::uint16_t>(z);
    testing::clock_edge(model);
    model.address_i = address;
    const std::uint32_t pitch = block.row_bytes(width), row = block.row_of(y, z, block.rows(lines));
    ASSERT_EQ(model.pitch_o, pitch) << width << " bytes, " << block;
    testing::clock_edge(model);
    ASSERT_EQ(model.address_o, address + row * pitch)
        << "line " << y << ", slice " << z << " of " << lines << ", " << block;
    layers += z >> block.depth != 0;
  }
  EXPECT_GT(layers, 10'000u);
}

}  // namespace
}  // namespace g80
