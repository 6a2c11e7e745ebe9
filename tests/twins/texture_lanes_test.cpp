// SPDX-License-Identifier: Apache-2.0
// The lanes that enter the address stages together, in SystemVerilog against the function in C++.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/common/set_bits.h"
#include "hw/tex/address_pipe.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/twins/packed_array.h"

#include "Vtexture_lanes.h"

namespace g80 {
namespace {

constexpr unsigned kPlaces = 8, kWords = 3;

void clock(Vtexture_lanes& model) {
  for (const int level : {0, 1}) {
    model.clk_i = level;
    model.eval();
  }
}

TEST(TextureLanesTwin, TakesTheLanesThatTheFunctionInCppGives) {
  std::mt19937 random(random_seed());
  Vtexture_lanes model;
  model.rst_ni = 0;
  clock(model);
  model.rst_ni = 1;
  std::array<unsigned, kPlaces + 1> groups{};  // of so many lanes
  std::array<std::uint32_t, kHalfWarp * kWords> coord{};
  for (unsigned request = 0; request < 20'000; ++request) {
    HalfMask left = static_cast<HalfMask>(random());
    if (request % 4 == 0) left = static_cast<HalfMask>(left & random());
    if (request % 8 == 0) left = 0xffff;
    model.begin_i = 1;
    model.lanes_i = left;
    model.slices_i = random() % 2;
    clock(model);
    model.begin_i = 0;
    model.lanes_i = static_cast<HalfMask>(random());
    for (unsigned i = 0; i < coord.size(); ++i) testing::put(model.coord_i, 32, i, coord[i] = random());
    const unsigned most = model.slices_i != 0 ? kPlaces / 2 : kPlaces;
    do {
      clock(model);
      const HalfMask entering = lanes_of_group(left, most);
      unsigned place = 0;
      for (const unsigned lane : set_bits(entering)) {
        ASSERT_EQ(testing::get(model.lane_o, 4, place), lane) << "request " << request << ", place " << place;
        for (unsigned word = 0; word < kWords; ++word) {
          ASSERT_EQ(testing::get(model.coord_o, 32, kWords * place + word), coord[kWords * lane + word]) << request;
        }
        ++place;
      }
      ASSERT_EQ(model.valid_o, (1u << place) - 1) << "request " << request;
      left = static_cast<HalfMask>(left & ~entering);
      ASSERT_EQ(model.last_o != 0, left == 0) << "request " << request;
      ++groups[place];
    } while (left != 0);
  }
  for (const unsigned count : groups) EXPECT_GT(count, 0u);
}

}  // namespace
}  // namespace g80
