// SPDX-License-Identifier: Apache-2.0
// The stages of texel addresses in SystemVerilog against the functions in C++.
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "hw/common/fields.h"
#include "hw/config/texture_depth.h"
#include "hw/tex/texture_header.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"

#include "Vtexel_address.h"

namespace g80 {
namespace {

struct Taps {
  TextureHeader header;
  std::uint32_t x[2], y[2], z;
};

Taps draw(std::mt19937& random) {
  const auto below = [&random](unsigned bits) {  // of any length
    return static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << random() % (bits + 1)) - 1));
  };
  static constexpr unsigned kFormats[] = {0x1d, 0x18, 0x08, 0x03, 0x01};  // 1, 2, 4, 8, 16 bytes
  Taps of;
  of.header.layout = texel_layout(kFormats[random() % 5]);
  of.header.base = random();
  of.header.block_linear = random() % 2 != 0;
  of.header.block = {static_cast<std::uint8_t>(random() % 6), static_cast<std::uint8_t>(random() % 6)};
  of.header.pitch = below(of.header.block_linear ? 32 : 20);
  of.header.rows = below(16);
  for (unsigned upper = 0; upper < 2; ++upper) {
    of.x[upper] = below(27);
    of.y[upper] = below(16);
  }
  of.z = below(12);
  return of;
}

TEST(TexelAddressTwin, GivesWhatTheStagesInCppGive) {
  std::mt19937 random(random_seed());
  Vtexel_address model;
  std::vector<Taps> sent;
  unsigned blocks = 0;
  for (unsigned edge = 0; edge < 200'000; ++edge) {
    sent.push_back(draw(random));
    const Taps& in = sent.back();
    model.base_i = in.header.base;
    model.pitch_i = in.header.pitch;
    model.rows_i = in.header.rows;
    model.block_linear_i = in.header.block_linear;
    model.height_i = in.header.block.height;
    model.depth_i = in.header.block.depth;
    model.bytes_i = static_cast<unsigned>(__builtin_ctz(in.header.layout.bytes()));
    model.x_i = std::uint64_t{in.x[1]} << 27 | in.x[0];
    model.y_i = in.y[1] << 16 | in.y[0];
    model.z_i = in.z;
    model.clk_i = 0;
    model.eval();
    if (edge >= kTexelAddressStages) {
      const Taps& of = sent[edge - kTexelAddressStages];
      for (unsigned tap = 0; tap < 4; ++tap) {
        const std::uint32_t x = of.x[tap & 1], y = of.y[tap >> 1];
        ASSERT_EQ(model.address_o[tap], texel_address(of.header, texel_row(of.header, y, of.z), x, y, of.z))
            << std::hex << of.header << ' ' << x << ' ' << y << ' ' << of.z;
      }
      blocks += of.header.block_linear;
    }
    model.clk_i = 1;
    model.eval();
  }
  EXPECT_GT(blocks, 90'000u);
}

}  // namespace
}  // namespace g80
