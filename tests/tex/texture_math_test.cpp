// SPDX-License-Identifier: Apache-2.0
// Texture arithmetic, by hand-derived numbers and against plain restatements of docs/texture.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "hw/isa/float_bits.h"
#include "hw/tex/texture_address.h"
#include "tb/golden/semantics.h"
#include "tests/support/random_seed.h"
#include "tests/tex/filter_bench.h"
#include "tests/tex/random_component.h"

namespace g80 {
namespace {

// --- formats
TEST(TextureFormat, UnormIsTheNearestFloatToTheFraction) {
  EXPECT_EQ(component_value(0, 8, TexelType::kUnorm), 0u);
  EXPECT_EQ(component_value(255, 8, TexelType::kUnorm), isa::bits_of(1.0f));
  EXPECT_EQ(component_value(128, 8, TexelType::kUnorm), 0x3f008081u);  // 128/255 = 0.50196078...
  EXPECT_EQ(component_value(65535, 16, TexelType::kUnorm), isa::bits_of(1.0f));
  EXPECT_EQ(component_value(1, 16, TexelType::kUnorm), 0x37800080u);  // 2^-16 (1 + 2^-16 + ..)
  EXPECT_EQ(component_value(0xffffffff, 32, TexelType::kUnorm), isa::bits_of(1.0f));
  EXPECT_EQ(component_value(0x80000000, 32, TexelType::kUnorm), isa::bits_of(0.5f));
  EXPECT_EQ(component_value(0x01000001, 32, TexelType::kUnorm),
            0x3b800001u);  // a tie of 24 bits: the true value lies above
}

TEST(TextureFormat, SnormIsSymmetricAndItsMostNegativeCodeIsMinusOne) {
  EXPECT_EQ(component_value(0x7f, 8, TexelType::kSnorm), isa::bits_of(1.0f));
  EXPECT_EQ(component_value(0x80, 8, TexelType::kSnorm), isa::bits_of(-1.0f));
  EXPECT_EQ(component_value(0x81, 8, TexelType::kSnorm), isa::bits_of(-1.0f));
  EXPECT_EQ(component_value(0xff, 8, TexelType::kSnorm), isa::bits_of(-1.0f / 127.0f));
  EXPECT_EQ(component_value(0, 16, TexelType::kSnorm), 0u);
  EXPECT_EQ(component_value(0x80000000, 32, TexelType::kSnorm), isa::bits_of(-1.0f));
}

TEST(TextureFormat, EveryUnormAndSnormCodeOf8And16BitsIsRoundedOnce) {
  for (const unsigned n : {8u, 16u}) {
    for (std::uint32_t v = 0; v < 1u << n; ++v) {
      // |f - v/m| must be at most half a unit in the last place: compared in integers scaled by m * 2^40.
      const auto nearest = [](std::uint32_t code, std::uint32_t m) {
        const float f = isa::float_of(texture_detail::fraction_of_ones(code, m == 127     ? 7
                                                                             : m == 255   ? 8
                                                                             : m == 32767 ? 15
                                                                                          : 16));
        const long double error = std::fabs(static_cast<long double>(f) * m - code);
        const long double up = std::fabs(static_cast<long double>(std::nextafterf(f, 2)) * m - code);
        const long double down = std::fabs(static_cast<long double>(std::nextafterf(f, -2)) * m - code);
        return error <= up && error <= down;
      };
      ASSERT_TRUE(nearest(v, (1u << n) - 1)) << n << " " << v;
      if (v < 1u << (n - 1)) {
        ASSERT_TRUE(nearest(v, (1u << (n - 1)) - 1)) << n << " " << v;
      }
    }
  }
}

TEST(TextureFormat, HalvesAreExactDenormalsIncluded) {
  EXPECT_EQ(component_value(0x3c00, 16, TexelType::kFloat), isa::bits_of(1.0f));
  EXPECT_EQ(component_value(0x0001, 16, TexelType::kFloat), isa::bits_of(std::ldexp(1.0f, -24)));
  EXPECT_EQ(component_value(0x8001, 16, TexelType::kFloat), isa::bits_of(-std::ldexp(1.0f, -24)));
  EXPECT_EQ(component_value(0x7bff, 16, TexelType::kFloat), isa::bits_of(65504.0f));
  EXPECT_EQ(component_value(0xfc00, 16, TexelType::kFloat), 0xff800000u);
  EXPECT_EQ(component_value(0x7c01, 16, TexelType::kFloat), 0x7f802000u);
  EXPECT_EQ(component_value(0x8000, 16, TexelType::kFloat), 0x80000000u);
}

TEST(TextureFormat, IntegersAreExtended) {
  EXPECT_EQ(component_value(0x80, 8, TexelType::kSint), 0xffffff80u);
  EXPECT_EQ(component_value(0x80, 8, TexelType::kUint), 0x80u);
  EXPECT_EQ(component_value(0x8000, 16, TexelType::kSint), 0xffff8000u);
}

TEST(TextureFormat, ComponentsLieInMemoryOrder) {
  using Words = std::array<std::uint32_t, 4>;
  const auto components = [](Words words, unsigned format) {
    const std::array<TexelType, 4> type{TexelType::kUint, TexelType::kUint, TexelType::kUint, TexelType::kUint};
    words = texel_components(words, texel_layout(format), type);
    return words;
  };
  const Words words{0x88776655, 0x44332211, 7, 8};
  EXPECT_EQ(components(words, 0x08), (Words{0x55, 0x66, 0x77, 0x88}));
  EXPECT_EQ(components(words, 0x18), (Words{0x55, 0x66, 0, 0}));
  EXPECT_EQ(components(words, 0x03), (Words{0x6655, 0x8877, 0x2211, 0x4433}));
  EXPECT_EQ(components(words, 0x04), (Words{0x88776655, 0x44332211, 0, 0}));
  EXPECT_EQ(components(words, 0x01), words);
  EXPECT_EQ(components(words, 0x1d), (Words{0x55, 0, 0, 0}));
  EXPECT_EQ(texel_layout(0x02).components, 0);
  for (unsigned format = 0; format < 64; ++format) {
    const TexelLayout layout = texel_layout(format);
    if (layout.components == 0) continue;
    EXPECT_EQ(layout.components * layout.bits, 8 * layout.bytes()) << format;
    EXPECT_EQ(layout.bytes() & (layout.bytes() - 1), 0u) << format;
  }
  for (std::uint32_t format = 0; format < 64; ++format) {
    const std::uint32_t words[8] = {format};
    const TexelLayout layout = texel_layout(format), decoded = decode_texture_header(words).layout;
    EXPECT_EQ(decoded.components, layout.components) << format;
    EXPECT_EQ(decoded.bits, layout.bits) << format;
  }
}

// --- headers
TEST(TextureHeader, FieldsAreWhereTheClassPutsThem) {
  std::uint32_t w[8] = {};
  w[0] = 0x0c | 2u << 6 | 1u << 9 | 2u << 18 | 3u << 21 | 0u << 24 | 7u << 27;
  w[1] = 0x12345600;
  w[2] = 1u << 14 | 1u << 18 | 1u << 31;
  w[3] = 0x400;
  w[4] = 100;
  w[5] = 50 | 7u << 16;
  TextureHeader header = decode_texture_header(w);
  EXPECT_TRUE(header.valid && header.normalised && !header.buffer);
  EXPECT_EQ(header.dimensions, 2);
  EXPECT_EQ(header.layout.components, 2);
  EXPECT_EQ(header.layout.bits, 16);
  EXPECT_EQ(header.type[0], TexelType::kUnorm);
  EXPECT_EQ(header.type[1], TexelType::kSnorm);
  EXPECT_EQ(header.size, (std::array<std::uint32_t, 3>{100, 50, 1}));
  EXPECT_EQ(texel_address(header, 2, 3, 2, 0), 0x12345600u + 2 * 0x400 + 12);
  EXPECT_EQ(select_sources(header, {5, 6, 7, 8}), (std::array<std::uint32_t, 4>{5, 6, 0, 0x3f800000}));
  w[2] &= ~(1u << 18);  // block-linear
  w[2] |= 5u << 22 | 5u << 25;
  header = decode_texture_header(w);
  EXPECT_TRUE(header.valid && header.block_linear);
  EXPECT_EQ(header.block.height, 5);
  EXPECT_EQ(header.block.depth, 5);
  for (const std::uint32_t wrong : {1u << 19, 1u << 21, 1u << 23, 1u << 26}) {
    w[2] ^= wrong;
    EXPECT_FALSE(decode_texture_header(w).valid) << "blocks wider than a GOB, or of more than 32";
    w[2] ^= wrong;
  }
  w[2] = 6u << 14;
  EXPECT_TRUE(decode_texture_header(w).valid);  // buffers have no layout
  w[4] = 0;
  EXPECT_FALSE(decode_texture_header(w).valid);
  w[4] = 1u << 27;
  EXPECT_TRUE(decode_texture_header(w).valid);
  w[4] = (1u << 27) + 1;
  EXPECT_FALSE(decode_texture_header(w).valid);
  w[4] = 1u << 29 | 1u;
  EXPECT_FALSE(decode_texture_header(w).valid) << "the number of texels has 30 bits";
}

TEST(TextureHeader, SamplersGiveModesFilterAndBorder) {
  const std::uint32_t w[8] = {0 | 1u << 3 | 7u << 6, 2, 0, 0, 1, 2, 3, 4};
  const TextureSampler sampler = decode_texture_sampler(w);
  EXPECT_EQ(sampler.mode[0], AddressMode::kWrap);
  EXPECT_EQ(sampler.mode[1], AddressMode::kMirror);
  EXPECT_EQ(sampler.mode[2], AddressMode::kClampToEdge);
  EXPECT_TRUE(sampler.linear);
  EXPECT_EQ(sampler.border, (std::array<std::uint32_t, 4>{1, 2, 3, 4}));
  for (std::uint32_t mode = 0; mode < 8; ++mode) {
    const std::uint32_t words[8] = {mode << 6};
    EXPECT_EQ(decode_texture_sampler(words).mode[2],
              mode <= 4 ? static_cast<AddressMode>(mode) : AddressMode::kClampToEdge);
  }
}

// --- addresses
using Mode = AddressMode;
using Indexes = std::array<std::uint32_t, 2>;
using Outsides = std::array<bool, 2>;

AxisTaps sample(float x, std::uint32_t size, bool normalised, bool linear, Mode mode, int offset = 0) {
  return coordinate_taps(axis_setup(size, normalised, mode, linear, offset), isa::bits_of(x));
}
std::int64_t modulo(std::int64_t a, std::int64_t m) { return (a % m + m) % m; }

/// Texel i of `n` as docs/texture.md has it, with a division; -1 for a border tap.
std::int64_t texel_of(std::int64_t i, std::int64_t n, Mode mode, bool linear) {
  switch (mode) {
    case Mode::kWrap: return modulo(i, n);
    case Mode::kMirror: return std::min(modulo(i, 2 * n), 2 * n - 1 - modulo(i, 2 * n));
    case Mode::kClamp:
    case Mode::kBorder:
      if ((linear || mode == Mode::kBorder) && (i < 0 || i >= n)) return -1;
      break;
    default: break;
  }
  return std::clamp<std::int64_t>(i, 0, n - 1);
}

TEST(TextureCoordinate, ModesMapTexelsOutsideAsTheirNamesSay) {
  const auto map = [](int i, Mode mode) {
    return sample((static_cast<float>(i) + 0.5f) / 4, 4, true, false, mode).index[0];
  };
  const std::uint32_t wrap[] = {2, 3, 0, 1, 2, 3, 0, 1}, mirror[] = {1, 0, 0, 1, 2, 3, 3, 2},
                      edge[] = {0, 0, 0, 1, 2, 3, 3, 3};
  for (int i = -2; i < 6; ++i) {
    EXPECT_EQ(map(i, Mode::kWrap), wrap[i + 2]) << i;
    EXPECT_EQ(map(i, Mode::kMirror), mirror[i + 2]) << i;
    EXPECT_EQ(map(i, Mode::kClampToEdge), edge[i + 2]) << i;
    EXPECT_EQ(map(i, Mode::kClamp), edge[i + 2]) << i;
    const float x = static_cast<float>(i) + 0.5f;
    EXPECT_EQ(sample(x, 4, false, false, Mode::kBorder).outside[0], i < 0 || i > 3) << i;
    EXPECT_EQ(sample(x, 4, false, true, Mode::kBorder).outside[0], i < 0 || i > 3) << i;
    for (const Mode mode : {Mode::kWrap, Mode::kMirror}) {
      EXPECT_EQ(sample(x, 4, false, false, mode).index[0], edge[i + 2]) << i << ": it does not repeat";
    }
  }
}

TEST(TextureCoordinate, NearestTakesTheFloorAndNeverRoundsUp) {
  const auto index = [](float x) { return sample(x, 8, false, false, Mode::kClampToEdge).index[0]; };
  EXPECT_EQ(index(std::nextafterf(3.0f, 0)), 2u);
  EXPECT_EQ(index(3.0f), 3u);
  EXPECT_EQ(index(-0.5f), 0u);
  EXPECT_EQ(index(INFINITY), 7u);
  EXPECT_EQ(index(-INFINITY), 0u);
  EXPECT_EQ(index(NAN), 0u);
  EXPECT_EQ(index(1e30f), 7u);
  EXPECT_EQ(sample(0.5f, 7, true, false, Mode::kWrap).index[0], 3u);
  EXPECT_EQ(sample(-0.25f, 8, true, false, Mode::kWrap).index[0], 6u);
  EXPECT_EQ(sample(-1e-30f, 8, true, false, Mode::kWrap).index[0], 7u) << "below the first texel";
  EXPECT_EQ(sample(2.0f, 8, false, false, Mode::kClampToEdge, -3).index[0], 0u);
  EXPECT_EQ(coordinate_taps(axis_setup(8, true, Mode::kWrap, false, 0), 0x80000001u).index[0], 0u) << "a denormal is 0";
}

TEST(TextureCoordinate, LinearWeightsHaveEightBitsAndTiesGoUp) {
  const auto taps = [](float x, Mode mode = Mode::kClampToEdge) {
    return sample(mode == Mode::kWrap ? x / 8 : x, 8, mode == Mode::kWrap, true, mode);
  };
  EXPECT_EQ(taps(2.75f).index, (Indexes{2, 3}));
  EXPECT_EQ(taps(2.75f).weight(0), 192u);
  EXPECT_EQ(taps(2.75f).weight(1), 64u);
  EXPECT_EQ(taps(2.5f).count(), 1u) << "a texel's centre";
  EXPECT_EQ(taps(2.5f).weight(0), 256u);
  EXPECT_EQ(taps(2.5f + 1.0f / 512).weight(0), 255u);
  EXPECT_EQ(taps(2.5f + 1.0f / 512).weight(1), 1u);
  EXPECT_EQ(taps(3.5f - 1.0f / 512).count(), 1u) << "carries into the texel";
  EXPECT_EQ(taps(3.5f - 1.0f / 512).index[0], 3u);
  EXPECT_EQ(taps(0.0f, Mode::kWrap).index, (Indexes{7, 0}));
  EXPECT_EQ(taps(0.0f, Mode::kWrap).weight(1), 128u);
}

// Half a texel beyond either end lies the middle between the last texel and the border; from there on nothing changes.
TEST(TextureCoordinate, ClampReachesHalfWayIntoTheBorder) {
  const auto taps = [](float x, int offset = 0) { return sample(x, 8, false, true, Mode::kClamp, offset); };
  for (const float below : {0.0f, -1.0f / 256, -0.5f, -5.0f, -INFINITY}) {
    EXPECT_EQ(taps(below).outside, (Outsides{true, false})) << below;
    EXPECT_EQ(taps(below).index[1], 0u) << below;
    EXPECT_EQ(taps(below).weight(0), 128u) << below;
  }
  for (const float above : {8.0f, 8.0f + 1.0f / 512, 8.0f + 1.0f / 256, 8.5f, 100.0f, INFINITY}) {
    EXPECT_EQ(taps(above).outside, (Outsides{false, true})) << above;
    EXPECT_EQ(taps(above).index[0], 7u) << above;
    EXPECT_EQ(taps(above).weight(0), 128u) << above;
  }
  // One step of a coordinate, 1/256 texel, inside each end.
  EXPECT_EQ(taps(1.0f / 256).weight(0), 127u);
  EXPECT_EQ(taps(8.0f - 1.0f / 256).weight(0), 129u);
  // The offset of an instruction counts behind the limit: it moves by whole texels, into the border and through it.
  EXPECT_EQ(taps(100.0f, 1).outside, (Outsides{true, true}));
  EXPECT_EQ(taps(100.0f, -1).outside, (Outsides{false, false}));
}

// A texel's weight falls from 256 at its centre by one for each 1/256 of a texel, on both sides: the share of texel i
// is what 256 exceeds the distance from its centre 256 i + 128 by. All coordinates near a texture, in steps of 1/512,
// for every mode, and every offset of an instruction: textures are smaller than these, too.
TEST(TextureCoordinate, WeightsAreDistancesFromTheCentresOfTexels) {
  for (const std::int64_t size : {1, 2, 4, 8, 16}) {  // powers of two: x / size is exact
    for (unsigned mode = 0; mode < 5; ++mode) {
      const auto address_mode = static_cast<Mode>(mode);
      const bool repeats = address_mode == Mode::kWrap || address_mode == Mode::kMirror;
      for (int offset = -8; offset < 8; ++offset) {
        for (std::int64_t half_steps = -3 * 512; half_steps <= (size + 3) * 512; half_steps += 1 + (offset != 0) * 62) {
          const float x = static_cast<float>(half_steps) / 512;
          std::int64_t at = (half_steps + 1) >> 1;  // in 1/256 texels, a tie goes up
          if (address_mode == Mode::kClamp) at = std::clamp<std::int64_t>(at, 0, 256 * size);
          const AxisTaps taps = sample(repeats ? x / static_cast<float>(size) : x, static_cast<std::uint32_t>(size),
                                       repeats, true, address_mode, offset);
          unsigned tap = 0;
          for (std::int64_t i = -5; i < size + 5; ++i) {
            const std::int64_t distance = std::abs(at - (256 * i + 128));
            if (distance >= 256) continue;
            const std::int64_t texel = texel_of(i + offset, size, address_mode, true);
            ASSERT_LT(tap, taps.count()) << x << " of " << size << ", mode " << mode;
            ASSERT_EQ(taps.weight(tap), 256 - distance) << x << " of " << size << ", mode " << mode;
            ASSERT_EQ(taps.outside[tap], texel < 0) << x << " of " << size << ", mode " << mode;
            if (texel >= 0) {
              ASSERT_EQ(taps.index[tap], texel) << x << " + " << offset << " of " << size << ", mode " << mode;
            }
            ++tap;
          }
          ASSERT_EQ(taps.count(), tap) << x << " of " << size << ", mode " << mode;
        }
      }
    }
  }
}

// frac(x) N is (x N) modulo N: the product of coordinate and size in 128-bit integers, no rounding anywhere, and then a
// division. Any exponent, any size, any offset.
TEST(TextureCoordinate, TheFractionTimesTheSizeIsTheProductModuloTheSize) {
  const unsigned seed = random_seed() + 21;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  unsigned beyond = 0;
  for (int n = 0; n < 400000; ++n) {
    const std::uint32_t size = n % 64 == 0 ? 1u << 27 : 1 + random() % (1u << (1 + random() % 27));
    const std::uint32_t exponent = 80 + random() % 75, fraction = random() & 0x7fffff;
    const bool negative = random() % 2, mirror = random() % 2;
    const int offset = static_cast<int>(random() % 16) - 8;
    const std::uint32_t coordinate = static_cast<std::uint32_t>(negative) << 31 | exponent << 23 | fraction;
    // u = +-significand * size * 2^(exponent - 150)
    const int shift = 150 - static_cast<int>(exponent);
    __int128 product = static_cast<__int128>(fraction | 0x800000) * size * (negative ? -1 : 1) * 512;
    if (shift < 0) product <<= -shift;
    const auto floor_of = [&](__int128 value) { return value >> (shift < 0 ? 0 : shift); };
    const std::int64_t period = mirror ? 2 * std::int64_t{size} : size;
    const auto reduced = [&](__int128 i) {
      const auto m = static_cast<std::int64_t>((i % period + period) % period);
      return static_cast<std::uint32_t>(m < size ? m : period - 1 - m);
    };
    const Mode mode = mirror ? Mode::kMirror : Mode::kWrap;
    const __int128 fixed = floor_of(product);
    ASSERT_EQ(coordinate_taps(axis_setup(size, true, mode, false, offset), coordinate).index[0],
              reduced((fixed >> 9) + offset))
        << std::hex << coordinate << " of " << size;
    const __int128 centred = ((fixed + 1) >> 1) - 128;
    const AxisTaps taps = coordinate_taps(axis_setup(size, true, mode, true, offset), coordinate);
    ASSERT_EQ(taps.fraction, static_cast<std::uint8_t>(centred & 255));
    ASSERT_EQ(taps.index[0], reduced((centred >> 8) + offset)) << std::hex << coordinate << " of " << size;
    ASSERT_EQ(taps.index[1], reduced((centred >> 8) + offset + 1)) << std::hex << coordinate << " of " << size;
    beyond += exponent >= 127;
  }
  EXPECT_GT(beyond, 100000u);
}

/// The figures are counted by hand: four blocks of 2 GOBs by 2 slices (0x400 bytes) side by side, three rows of them.
TEST(TextureAddress, BlockLinearTexelsLieInBlocksOfGobs) {
  const std::uint32_t w[8] = {0x01 | 7u << 6, 0x10000, 2u << 14 | 1u << 22 | 1u << 25, 0, 13, 17 | 3u << 16, 0, 0};
  const TextureHeader header = decode_texture_header(w);
  ASSERT_TRUE(header.valid);
  const auto offset = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return texel_address(header, texel_row(header, y, z), x, y, z) - 0x10000;
  };
  EXPECT_EQ(offset(3, 0, 0), 0x30u);
  EXPECT_EQ(offset(3, 3, 0), 0xf0u) << "four lines of 64 bytes";
  EXPECT_EQ(offset(0, 4, 0), 0x100u) << "the GOB below";
  EXPECT_EQ(offset(0, 0, 1), 0x200u) << "the second slice of the block";
  EXPECT_EQ(offset(5, 6, 1), 0x400u + 0x200 + 0x100 + 0x80 + 0x10) << "the block on the right";
  EXPECT_EQ(offset(0, 8, 0), 0x1000u) << "the row of blocks below";
  EXPECT_EQ(offset(0, 0, 2), 0x3000u) << "the layer behind";
  EXPECT_EQ(offset(12, 16, 2), 0x5000u + 3 * 0x400);
}

TEST(TextureAddress, TapsGoXFirstThenYThenZ) {
  std::uint32_t w[8] = {0x0f | 7u << 6, 0x1000, 2u << 14 | 1u << 18, 64, 8, 4 | 4u << 16, 0, 0};
  const TextureHeader header = decode_texture_header(w);
  TextureSampler sampler;
  sampler.linear = true;
  const LaneTexels taps = lane_texels(header, sampler, TexOp::kSample,
                                      {isa::bits_of(2.0f), isa::bits_of(2.25f), isa::bits_of(3.0f), 0}, {0, 0, 0});
  ASSERT_EQ(taps.present, 0xff);
  EXPECT_EQ(taps.address[0], 0x1000 + (2 * 4 + 1) * 64 + 4u);
  EXPECT_EQ(taps.address[1] - taps.address[0], 4u);
  EXPECT_EQ(taps.address[2] - taps.address[0], 64u);
  EXPECT_EQ(taps.address[4] - taps.address[0], 256u);
  EXPECT_EQ(tap_weight(taps.fraction, 3, 0), 128u * 64 * 128);
  EXPECT_EQ(tap_weight(taps.fraction, 3, 2), 128u * 192 * 128);
  std::uint32_t sum = 0;
  for (unsigned t = 0; t < 8; ++t) sum += tap_weight(taps.fraction, 3, t);
  EXPECT_EQ(sum, 1u << 24);
  EXPECT_EQ(lane_texels(header, sampler, TexOp::kSample,
                        {isa::bits_of(2.5f), isa::bits_of(2.25f), isa::bits_of(3.5f), 0}, {0, 0, 0})
                .present,
            0b101)
      << "the centre of a texel in x and z";
}

TEST(TextureAddress, FetchesOutsideReadNoMemoryWhateverTheSampler) {
  std::uint32_t w[8] = {0x0f | 7u << 6, 0x1000, 6u << 14, 0, 100, 0, 0, 0};
  const TextureHeader header = decode_texture_header(w);
  const auto outside = [&](std::uint32_t x) {
    return lane_texels(header, TextureSampler{}, TexOp::kFetch, {x, 0, 0, 0}, {0, 0, 0}).outside;
  };
  EXPECT_EQ(outside(99), 0);
  EXPECT_EQ(outside(100), 1);
  EXPECT_EQ(outside(~0u), 1);
  EXPECT_EQ(lane_texels(header, TextureSampler{}, TexOp::kFetch, {5, 0, 0, 0}, {-2, 0, 0}).address[0], 0x100cu);
}

// --- filter
/// A lane whose taps 0 and up have these values in R.
ReadLane lane_of(std::initializer_list<float> red, std::array<std::uint8_t, 3> fraction) {
  ReadLane lane;
  lane.fraction = fraction;
  for (const float value : red) {
    const auto t = static_cast<unsigned>(__builtin_popcount(lane.present));
    lane.texel[t][0] = isa::bits_of(value);
    lane.present = static_cast<std::uint8_t>(lane.present | 1u << t);
  }
  return lane;
}
/// All stages, of a texture of one R32 float with so many axes.
std::uint32_t filtered(const ReadLane& lane, unsigned axes) {
  testing::FilterBench::Group group;
  group.header.dimensions = static_cast<std::uint8_t>(axes);
  group.header.layout = texel_layout(0x0f);
  group.header.type[0] = TexelType::kFloat;
  group.lanes = {lane};
  return testing::FilterBench(1, 1).results(group)[0][0];
}

TEST(TextureFilter, OneHalfAndOneHalfOfOneAndThreeIsTwo) {
  EXPECT_EQ(filtered(lane_of({1.0f, 3.0f}, {128, 0, 0}), 1), isa::bits_of(2.0f));
}

TEST(TextureFilter, EveryStepIsRoundedToFloatInTapOrder) {
  const float t[4] = {0.1f, 0.7f, 1e-3f, 12345.678f};
  const std::uint32_t w[4] = {37 * 201, 219 * 201, 37 * 55, 219 * 55};
  float expected = 0;
  for (int i = 0; i < 4; ++i) {
    const volatile float product = static_cast<float>(w[i]) / 65536.0f * t[i];
    expected = i == 0 ? static_cast<float>(product) : expected + product;
  }
  EXPECT_EQ(filtered(lane_of({t[0], t[1], t[2], t[3]}, {219, 55, 0}), 2), isa::bits_of(expected));
}

TEST(TextureFilter, ATexelIsReadFromAnyByteOfItsLine) {
  const std::uint32_t line[] = {0x33221100, 0x77665544, 0xbbaa9988, 0xffeeddcc};
  ReadLane lane;
  lane.read(0, line, 3, 1);
  EXPECT_EQ(lane.texel[0][0] & 0xff, 0x33u);
  lane.read(1, line, 6, 2);
  EXPECT_EQ(lane.texel[1][0] & 0xffff, 0x7766u);
  lane.read(2, line, 8, 8);
  EXPECT_EQ(lane.texel[2][0], 0xbbaa9988u);
  EXPECT_EQ(lane.texel[2][1], 0xffeeddccu);
}

// Products with every kind of weight and sums that cancel, against the reference's fp32 multiply and add.
TEST(TextureFilter, WeightsAndSumsAreThoseOfTheMachinesMultiplyAndAdd) {
  const unsigned seed = random_seed() + 41;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int n = 0; n < 500000; ++n) {
    const unsigned point = 8 * (1 + random() % 3);
    const std::uint32_t weight = random() % 8 == 0 ? 1u << point : 1 + random() % (1u << point),
                        t = testing::random_component(random);
    const float exact_weight = std::ldexp(static_cast<float>(weight), -static_cast<int>(point));
    ASSERT_EQ(texture_float::weighted(texture_float::product_of(weight, t), point, t),
              golden::fmul32(isa::bits_of(exact_weight), t))
        << weight << " / 2^" << point << " of " << std::hex << t;
    const std::uint32_t other =
        random() % 4 == 0 ? (t ^ 0x80000000u) + random() % 5 - 2 : testing::random_component(random);
    ASSERT_EQ(texture_float::add(texture_float::align(t, other)), golden::fadd32(t, other))
        << std::hex << t << " + " << other;
  }
}

TEST(TextureFilter, NearestKeepsDenormalsAndNansLinearFlushesDenormals) {
  testing::FilterBench::Group group;
  group.header.layout = texel_layout(0x01);
  group.header.type = {TexelType::kFloat, TexelType::kFloat, TexelType::kUint, TexelType::kUint};
  group.linear = false;
  group.lanes.resize(1);
  group.lanes[0].present = 1;
  group.lanes[0].texel[0] = {0x00000001, 0x7f800001, 3, 4};
  testing::FilterBench bench(1, 4);
  EXPECT_EQ(bench.results(group)[0], group.lanes[0].texel[0]);
  group.linear = true;
  group.lanes[0].texel[0] = {0x00000001, isa::bits_of(1.5f), 0, 0};
  EXPECT_EQ(bench.results(group)[0], (TexelWords{0, isa::bits_of(1.5f), 0, 0}));
}

}  // namespace
}  // namespace g80
