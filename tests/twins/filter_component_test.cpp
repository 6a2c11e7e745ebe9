// SPDX-License-Identifier: Apache-2.0
// A component of the texture filter in SystemVerilog against the functions in C++.
#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "hw/tex/texture_float.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/tex/random_component.h"

#include "Vfilter_component.h"

namespace g80 {
namespace {

using namespace texture_float;

struct Tap {
  std::uint32_t weight = 1, axes = 1, value = 0, sum = 0;
  std::uint32_t weighted() const { return texture_float::weighted(product_of(weight, value), 8 * axes, value); }
  std::uint32_t added() const { return add(align(sum, weighted())); }
};

Tap draw(std::mt19937& random) {
  Tap tap;
  tap.axes = 1 + random() % 3;
  const std::uint32_t one = 1u << 8 * tap.axes;
  tap.weight = random() % 8 == 0 ? one : 1 + random() % one;
  tap.value = testing::random_component(random);
  tap.sum = random() % 4 == 0 ? (tap.weighted() ^ kSign) + random() % 5 - 2 : testing::random_component(random);
  return tap;
}

TEST(FilterComponentTwin, WeighsAndAddsAsInCpp) {
  std::mt19937 random(random_seed());
  Vfilter_component model;
  std::deque<Tap> stages(4);  // the youngest first
  for (unsigned edge = 0; edge < 200'000; ++edge) {
    stages.push_front(draw(random));
    model.weight_i = stages[0].weight;
    model.axes_i = static_cast<std::uint8_t>(stages[0].axes);
    model.value_i = stages[0].value;
    model.sum_i = stages[2].sum;
    for (const bool clock : {false, true}) {
      model.clk_i = clock;
      model.eval();
    }
    if (edge >= 4) {
      ASSERT_EQ(model.tap_o, stages[1].weighted()) << std::hex << stages[1].weight << " of " << stages[1].value;
      ASSERT_EQ(model.sum_o, stages[3].added()) << std::hex << stages[3].sum << " + " << stages[3].weighted();
    }
    stages.pop_back();
  }
}

}  // namespace
}  // namespace g80
