// SPDX-License-Identifier: Apache-2.0
// Textures as docs/texture.md describes them: addressing modes, formats, filtering, fetch, size, packing.
#include <gtest/gtest.h>

#include "hw/isa/float_bits.h"
#include "tb/golden/block_linear.h"
#include "tests/golden/words.h"

namespace g80::golden {
namespace {

constexpr std::uint32_t kR32 = 0x0f, kR8 = 0x1d, kRgba8 = 0x08, kR16 = 0x1b, kRg32 = 0x04;
constexpr std::uint32_t kTypeFloat = 7, kTypeUint = 4, kTypeSint = 3, kTypeUnorm = 2, kTypeSnorm = 1;

/// A header whose x, y, z, w are R, G, B, A.
TextureHeader header(std::uint32_t format, std::uint32_t type, TextureType shape, std::uint32_t width,
                     std::uint32_t height = 1, std::uint32_t depth = 1, bool normalised = false) {
  const std::uint32_t texel_bytes = format == kR8 ? 1 : format == kR16 ? 2 : format == kRg32 ? 8 : 4;
  const std::uint32_t words[8] = {
      format | type << 6 | type << 9 | type << 12 | type << 15 | 2u << 18 | 3u << 21 | 4u << 24 | 5u << 27,
      0x1000,
      static_cast<std::uint32_t>(shape) << 14 | 1u << 18 | (normalised ? 1u << 31 : 0),
      width * texel_bytes,
      width,
      height | depth << 16,
      0,
      0};
  return parse_texture_header(words);
}
Sampler sampler(AddressMode mode, bool linear, std::uint32_t border = 0) {
  const auto m = static_cast<std::uint32_t>(mode);
  const std::uint32_t words[8] = {m | m << 3 | m << 6, linear ? 2u : 1u, 0, 0, border, 0, 0, 0};
  return parse_sampler(words);
}

/// texauto (or texfetch) of texture 0 and sampler 0: coordinates and results in $r4...
Words tex(unsigned coords, bool fetch = false, unsigned mask = 0xf) {
  return {0xf0000001 | 4u << 2 | (coords - 1) << 22 | (fetch ? 1u << 24 : 0) | (mask & 3u) << 25,
          0x00000780 | (mask >> 2) << 14};
}

struct TextureBench : Machine {
  explicit TextureBench(const Words& code) : Machine({code, nop_exit()}) { start(); }
  /// Runs the instruction on one coordinate in all lanes.
  std::array<std::uint32_t, 4> sample(std::uint32_t x, std::uint32_t y = 0, std::uint32_t z = 0) {
    start();
    for (unsigned l = 0; l < kWarpSize; ++l) {
      warp().r[4][l] = x;
      warp().r[5][l] = y;
      warp().r[6][l] = z;
    }
    EXPECT_EQ(step(), StepStatus::kStepped) << describe(executor.fault());
    return {warp().r[4][31], warp().r[5][31], warp().r[6][31], warp().r[7][31]};
  }
  float at(float x, float y = 0, float z = 0) {
    return isa::float_of(sample(isa::bits_of(x), isa::bits_of(y), isa::bits_of(z))[0]);
  }
};

/// Four texels 0, 10, 20, 30.
struct Ramp : TextureBench {
  Ramp(AddressMode mode, bool linear, bool normalised) : TextureBench(tex(1)) {
    launch.texture[0] = header(kR32, kTypeFloat, TextureType::k1d, 4, 1, 1, normalised);
    launch.sampler[0] = sampler(mode, linear, isa::bits_of(-1.0f));
    for (unsigned i = 0; i < 4; ++i) image.set_word(0x1000 + 4 * i, isa::bits_of(10.0f * static_cast<float>(i)));
  }
};

TEST(Texture, NearestTakesTheTexelTheCoordinateLiesIn) {
  Ramp t(AddressMode::kClampToEdge, false, false);
  EXPECT_EQ(t.at(0.0f), 0.0f);
  EXPECT_EQ(t.at(1.9990234f), 10.0f);
  EXPECT_EQ(t.at(2.0f), 20.0f);
  EXPECT_EQ(t.at(-5.0f), 0.0f);
  EXPECT_EQ(t.at(1e30f), 30.0f);
  EXPECT_EQ(t.at(isa::float_of(0x7fffffff)), 0.0f) << "NaN is zero";
}

TEST(Texture, LinearBlendsBetweenTexelCentresWithEightBits) {
  Ramp t(AddressMode::kClampToEdge, true, false);
  EXPECT_EQ(t.at(0.5f), 0.0f);
  EXPECT_EQ(t.at(1.0f), 5.0f);
  EXPECT_EQ(t.at(1.5f), 10.0f);
  EXPECT_EQ(t.at(0.5f + 1.0f / 256), 10.0f / 256);
  EXPECT_EQ(t.at(0.5f + 1.0f / 1024), 0.0f) << "a quarter of a step rounds down";
  EXPECT_EQ(t.at(0.5f + 1.0f / 512), 10.0f / 256) << "half a step rounds up";
  EXPECT_EQ(t.at(0.0f), 0.0f);
  EXPECT_EQ(t.at(4.0f), 30.0f);
}

TEST(Texture, NormalisedCoordinatesRunFromZeroToOne) {
  Ramp t(AddressMode::kClampToEdge, false, true);
  EXPECT_EQ(t.at(0.25f), 10.0f);
  EXPECT_EQ(t.at(0.9990234f), 30.0f);
  Ramp u(AddressMode::kWrap, false, true);
  EXPECT_EQ(u.at(1.25f), 10.0f);
  EXPECT_EQ(u.at(-0.25f), 30.0f);
}

TEST(Texture, WrapBlendsTheLastTexelWithTheFirst) {
  Ramp t(AddressMode::kWrap, true, true);
  EXPECT_EQ(t.at(0.0f), 15.0f);
  EXPECT_EQ(t.at(1.0f), 15.0f);
}

TEST(Texture, MirrorGoesBackAndForth) {
  Ramp t(AddressMode::kMirror, false, true);
  EXPECT_EQ(t.at(1.125f), 30.0f);
  EXPECT_EQ(t.at(1.375f), 20.0f);
  EXPECT_EQ(t.at(-0.125f), 0.0f);
  EXPECT_EQ(t.at(2.125f), 0.0f);
}

TEST(Texture, BorderReadsTheSamplersColourOutside) {
  Ramp nearest(AddressMode::kBorder, false, false);
  EXPECT_EQ(nearest.at(-0.5f), -1.0f);
  EXPECT_EQ(nearest.at(4.0f), -1.0f);
  EXPECT_EQ(nearest.at(3.5f), 30.0f);
  Ramp linear(AddressMode::kBorder, true, false);
  EXPECT_EQ(linear.at(0.0f), -0.5f);
}

TEST(Texture, ClampStopsHalfwayIntoTheBorderWhenLinear) {
  Ramp t(AddressMode::kClamp, true, false);
  EXPECT_EQ(t.at(-7.0f), -0.5f);
  Ramp nearest(AddressMode::kClamp, false, false);
  EXPECT_EQ(nearest.at(-7.0f), 0.0f);
}

TEST(Texture, TwoDimensionsBlendFourTexels) {
  TextureBench t(tex(2));
  t.launch.texture[0] = header(kR32, kTypeFloat, TextureType::k2d, 2, 2);
  t.launch.sampler[0] = sampler(AddressMode::kClampToEdge, true);
  for (unsigned i = 0; i < 4; ++i) t.image.set_word(0x1000 + 4 * i, isa::bits_of(static_cast<float>(1u << (4 * i))));
  EXPECT_EQ(t.at(1.0f, 1.0f), (1.0f + 16 + 256 + 4096) / 4);
  EXPECT_EQ(t.at(0.75f, 0.5f), 1 * 0.75f + 16 * 0.25f);
  EXPECT_EQ(t.at(0.5f, 0.75f), 1 * 0.75f + 256 * 0.25f);
}

TEST(Texture, ThreeDimensionsAreStackedByRows) {
  TextureBench t(tex(3));
  t.launch.texture[0] = header(kR32, kTypeFloat, TextureType::k3d, 2, 2, 2);
  for (unsigned i = 0; i < 8; ++i) t.image.set_word(0x1000 + 4 * i, isa::bits_of(static_cast<float>(i)));
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(t.at(static_cast<float>(i & 1), static_cast<float>(i >> 1 & 1), static_cast<float>(i >> 2)),
              static_cast<float>(i));
  }
  t.launch.sampler[0] = sampler(AddressMode::kClampToEdge, true);
  EXPECT_EQ(t.at(1.0f, 1.0f, 1.0f), 3.5f);
}

TEST(Texture, FormatsConvertTheirComponents) {
  TextureBench t(tex(1));
  t.image.set_word(0x1000, 0x80ff7f01);
  const auto components = [&](std::uint32_t format, std::uint32_t type) {
    t.launch.texture[0] = header(format, type, TextureType::k1d, 4);
    return t.sample(isa::bits_of(0.0f));
  };
  const auto unorm = components(kRgba8, kTypeUnorm);
  EXPECT_EQ(isa::float_of(unorm[0]), 1.0f / 255);
  EXPECT_EQ(isa::float_of(unorm[2]), 1.0f);
  const auto snorm = components(kRgba8, kTypeSnorm);
  EXPECT_EQ(isa::float_of(snorm[1]), 1.0f);
  EXPECT_EQ(isa::float_of(snorm[2]), -1.0f / 127);
  EXPECT_EQ(isa::float_of(snorm[3]), -1.0f) << "-128 counts as -127";
  const auto sint = components(kRgba8, kTypeSint);
  EXPECT_EQ(sint[3], 0xffffff80u);
  EXPECT_EQ(components(kRgba8, kTypeUint)[3], 0x80u);
  EXPECT_EQ(components(kR16, kTypeUint)[0], 0x7f01u);
  EXPECT_EQ(components(kR16, kTypeUint)[1], 0u) << "a missing component is zero";
  t.image.set_word(0x1000, 0x00013c00);
  EXPECT_EQ(isa::float_of(components(kR16, kTypeFloat)[0]), 1.0f);
  t.image.set_word(0x1000, 0x00000001);
  EXPECT_EQ(isa::float_of(components(kR16, kTypeFloat)[0]), 0x1p-24f) << "denormal halves count";
}

TEST(Texture, IntegerTexelsAreNeverFiltered) {
  TextureBench t(tex(1));
  t.launch.texture[0] = header(kR32, kTypeUint, TextureType::k1d, 4);
  t.launch.sampler[0] = sampler(AddressMode::kClampToEdge, true);
  t.image.set_word(0x1004, 77);
  EXPECT_EQ(t.sample(isa::bits_of(1.0f))[0], 77u);
}

TEST(Texture, FetchTakesIntegersAndReadsZeroOutside) {
  TextureBench t(tex(1, true));
  t.launch.texture[0] = header(kR32, kTypeUint, TextureType::kBuffer, 4);
  t.launch.texture[0].source[3] = 7;
  for (unsigned i = 0; i < 8; ++i) t.image.set_word(0x1000 + 4 * i, 100 + i);
  EXPECT_EQ(t.sample(3)[0], 103u);
  EXPECT_EQ(t.sample(4)[0], 0u);
  EXPECT_EQ(t.sample(0xffffffff)[0], 0u);
  EXPECT_EQ(t.sample(4)[3], isa::bits_of(1.0f)) << "a constant source stays";
}

TEST(Texture, EnabledComponentsArePackedFromTheFirstRegister) {
  TextureBench t(tex(1, true, 0xa));  // G and A
  t.launch.texture[0] = header(kRgba8, kTypeUint, TextureType::kBuffer, 4);
  t.image.set_word(0x1000, 0x44332211);
  const auto r = t.sample(0, 5, 6);
  EXPECT_EQ(r[0], 0x22u);
  EXPECT_EQ(r[1], 0x44u);
  EXPECT_EQ(r[2], 6u) << "registers beyond the mask stay";
}

TEST(Texture, AnUnboundTextureReadsZeros) {
  TextureBench t(tex(1));
  EXPECT_EQ(t.sample(isa::bits_of(1.0f)), (std::array<std::uint32_t, 4>{0, 0, 0, 0}));
}

TEST(Texture, SizeReturnsWidthHeightDepthAndOne) {
  TextureBench t(Words{0xf0000001 | 4u << 2 | 3u << 25, 0x60000780 | 3u << 14});
  t.launch.texture[0] = header(kR32, kTypeFloat, TextureType::k2d, 640, 480);
  EXPECT_EQ(t.sample(0), (std::array<std::uint32_t, 4>{640, 480, 1, 1}));
}

TEST(Texture, ATexelOutsideEveryAllocationIsAFault) {
  TextureBench t(tex(1));
  t.launch.texture[0] = header(kR32, kTypeFloat, TextureType::k1d, 4096);
  t.start();
  for (auto& x : t.warp().r[4].lane) x = isa::bits_of(4000.0f);
  ASSERT_EQ(t.step(), StepStatus::kFault);
  EXPECT_EQ(t.executor.fault().space, Space::kTexture);
  EXPECT_EQ(t.executor.fault().address, 0x1000u + 16000);
}

/// The example of envytools' page on the surfaces of these chips, with blocks that are one GOB wide.
TEST(BlockLinear, GobsBlocksAndRowsFollowEachOther) {
  const BlockLinearSurface surface{13 * 16, 17, 2, 2};
  EXPECT_EQ(surface.offset(0x30, 3, 0), 0xf0u);
  EXPECT_EQ(surface.offset(0, 4, 0), 0x100u);
  EXPECT_EQ(surface.offset(0, 0, 1), 0x200u);
  EXPECT_EQ(surface.offset(0x50, 6, 1), 0x790u);
  EXPECT_EQ(surface.offset(0, 8, 0), 0x1000u);
  EXPECT_EQ(surface.offset(0, 0, 2), 0x3000u);
  EXPECT_EQ(surface.offset(0xc0, 16, 2), 0x5c00u);
}

}  // namespace
}  // namespace g80::golden
