// SPDX-License-Identifier: Apache-2.0
// The stages of a texture coordinate in SystemVerilog against those in C++.
#include "hw/tex/texture_coordinate.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"

#include "Vtexture_coordinate.h"

namespace g80 {
namespace {

struct Coordinate {
  AxisSetup axis;
  std::uint32_t bits = 0;
};

Coordinate random_coordinate(std::mt19937& random) {
  const std::uint32_t size = random() % 8 == 0 ? 1u << 27 : 1 + random() % (1u << (random() % 28));
  const int offset = static_cast<int>(random() % 16) - 8;
  Coordinate of;
  if (random() % 8 == 0) {
    of.axis = fetch_setup(size, offset);
    of.bits = random() % 4 == 0 ? random() : random() % (size + 16) - 8;
    return of;
  }
  const auto mode = static_cast<AddressMode>(random() % 5);
  of.axis = axis_setup(size, random() % 2 != 0, mode, random() % 2 != 0, offset);
  const std::uint32_t near = 100 + random() % 56, fraction = random() & 0x7fffff;
  const std::uint32_t few = fraction & ~((1u << random() % 24) - 1);  // ties, centres and edges of texels
  of.bits = random() % 16 == 0 ? random() : (random() & 1u) << 31 | near << 23 | (random() % 2 != 0 ? fraction : few);
  return of;
}

TEST(TextureCoordinateTwin, GivesWhatTheStagesInCppGive) {
  std::mt19937 random(random_seed());
  Vtexture_coordinate model;
  std::vector<Coordinate> sent;
  unsigned repeated = 0, outside = 0, weighted = 0;
  for (unsigned edge = 0; edge < 200'000; ++edge) {
    sent.push_back(random_coordinate(random));
    const AxisSetup& axis = sent.back().axis;
    model.size_i = axis.size;
    model.scale_i = axis.scale;
    model.period_i = axis.period;
    model.offset_i = static_cast<std::uint32_t>(axis.offset) & 0x1fffffff;
    model.mode_i = static_cast<unsigned>(axis.mode);
    model.linear_i = axis.linear;
    model.fetch_i = axis.fetch;
    model.bits_i = sent.back().bits;
    model.clk_i = 0;
    model.eval();
    if (edge >= kCoordinateStages) {
      const Coordinate& of = sent[edge - kCoordinateStages];
      const AxisTaps taps = coordinate_taps(of.axis, of.bits);
      const std::uint64_t indexes = model.index_o;
      for (unsigned tap = 0; tap < 2; ++tap) {
        ASSERT_EQ(indexes >> (27 * tap) & 0x7ffffff, taps.index[tap]) << std::hex << of.bits << " of " << of.axis;
        ASSERT_EQ((model.outside_o >> tap & 1) != 0, taps.outside[tap]) << std::hex << of.bits << " of " << of.axis;
      }
      ASSERT_EQ(model.fraction_o, taps.fraction) << std::hex << of.bits << " of " << of.axis;
      repeated += of.axis.period != 0;
      outside += taps.outside[0] || taps.outside[1];
      weighted += taps.fraction != 0;
    }
    model.clk_i = 1;
    model.eval();
  }
  EXPECT_GT(repeated, 10'000u);
  EXPECT_GT(outside, 1'000u);
  EXPECT_GT(weighted, 10'000u);
}

}  // namespace
}  // namespace g80
