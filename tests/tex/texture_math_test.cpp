// SPDX-License-Identifier: Apache-2.0
// Texture arithmetic, by hand-derived numbers and against plain restatements of docs/texture.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "hw/isa/float_bits.h"
#include "hw/tex/texture_address.h"
#include "hw/tex/texture_filter.h"
#include "tb/golden/semantics.h"
#include "tests/support/random_seed.h"

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
  const std::uint32_t words[2] = {0x44332211, 0x88776655};
  const std::array<TexelType, 4> type{TexelType::kUint, TexelType::kUint, TexelType::kUint, TexelType::kUint};
  EXPECT_EQ(texel_components(words, 4, texel_layout(0x08), type),
            (std::array<std::uint32_t, 4>{0x55, 0x66, 0x77, 0x88}));
  EXPECT_EQ(texel_components(words, 2, texel_layout(0x18), type), (std::array<std::uint32_t, 4>{0x33, 0x44, 0, 0}));
  EXPECT_EQ(texel_components(words, 0, texel_layout(0x03), type),
            (std::array<std::uint32_t, 4>{0x2211, 0x4433, 0x6655, 0x8877}));
  EXPECT_EQ(texel_layout(0x02).components, 0);
  for (unsigned format = 0; format < 64; ++format) {
    const TexelLayout layout = texel_layout(format);
    if (layout.components == 0) continue;
    EXPECT_EQ(layout.components * layout.bits, 8 * layout.bytes()) << format;
    EXPECT_EQ(layout.bytes() & (layout.bytes() - 1), 0u) << format;
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
  EXPECT_EQ(texel_address(header, 3, 2, 0), 0x12345600u + 2 * 0x400 + 12);
  EXPECT_EQ(select_sources(header, {5, 6, 7, 8}), (std::array<std::uint32_t, 4>{5, 6, 0, 0x3f800000}));
  w[2] &= ~(1u << 18);
  EXPECT_FALSE(decode_texture_header(w).valid);  // block-linear
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
TEST(TextureAddress, ModesMapTexelsOutsideAsTheirNamesSay) {
  const auto map = [](std::int64_t i, AddressMode mode) { return address_texel(i, 4, mode, false).index; };
  const std::uint32_t wrap[] = {2, 3, 0, 1, 2, 3, 0, 1}, mirror[] = {1, 0, 0, 1, 2, 3, 3, 2},
                      edge[] = {0, 0, 0, 1, 2, 3, 3, 3};
  for (int i = -2; i < 6; ++i) {
    EXPECT_EQ(map(i, AddressMode::kWrap), wrap[i + 2]) << i;
    EXPECT_EQ(map(i, AddressMode::kMirror), mirror[i + 2]) << i;
    EXPECT_EQ(map(i, AddressMode::kClampToEdge), edge[i + 2]) << i;
    EXPECT_EQ(map(i, AddressMode::kClamp), edge[i + 2]) << i;
    EXPECT_EQ(address_texel(i, 4, AddressMode::kBorder, false).outside, i < 0 || i > 3) << i;
    EXPECT_EQ(address_texel(i, 4, AddressMode::kClamp, true).outside, i < 0 || i > 3) << i;
  }
}

TEST(TextureAddress, NearestTakesTheFloorAndNeverRoundsUp) {
  const auto index = [](float x) {
    return sample_axis(isa::bits_of(x), 8, false, false, AddressMode::kClampToEdge, 0).index[0];
  };
  EXPECT_EQ(index(std::nextafterf(3.0f, 0)), 2u);
  EXPECT_EQ(index(3.0f), 3u);
  EXPECT_EQ(index(-0.5f), 0u);
  EXPECT_EQ(index(INFINITY), 7u);
  EXPECT_EQ(index(-INFINITY), 0u);
  EXPECT_EQ(index(NAN), 0u);
  EXPECT_EQ(sample_axis(isa::bits_of(0.5f), 7, true, false, AddressMode::kWrap, 0).index[0], 3u);
  EXPECT_EQ(sample_axis(isa::bits_of(-0.25f), 8, true, false, AddressMode::kWrap, 0).index[0], 6u);
  EXPECT_EQ(sample_axis(isa::bits_of(2.0f), 8, false, false, AddressMode::kClampToEdge, -3).index[0], 0u);
  EXPECT_EQ(sample_axis(0x80000001u, 8, false, false, AddressMode::kWrap, 0).index[0], 0u);  // a denormal counts as 0
}

TEST(TextureAddress, LinearWeightsHaveEightBitsAndTiesGoUp) {
  AxisTaps taps = sample_axis(isa::bits_of(2.75f), 8, false, true, AddressMode::kClampToEdge, 0);
  ASSERT_EQ(taps.count, 2u);
  EXPECT_EQ(taps.index, (std::array<std::uint32_t, 2>{2, 3}));
  EXPECT_EQ(taps.weight, (std::array<std::uint32_t, 2>{192, 64}));
  taps = sample_axis(isa::bits_of(2.5f), 8, false, true, AddressMode::kClampToEdge, 0);
  ASSERT_EQ(taps.count, 1u);  // a texel's centre
  EXPECT_EQ(taps.weight[0], 256u);
  taps = sample_axis(isa::bits_of(2.5f + 1.0f / 512), 8, false, true, AddressMode::kClampToEdge, 0);
  EXPECT_EQ(taps.weight, (std::array<std::uint32_t, 2>{255, 1}));
  taps = sample_axis(isa::bits_of(3.5f - 1.0f / 512), 8, false, true, AddressMode::kClampToEdge,
                     0);  // carries into the texel
  ASSERT_EQ(taps.count, 1u);
  EXPECT_EQ(taps.index[0], 3u);
  taps = sample_axis(isa::bits_of(0.0f), 8, false, true, AddressMode::kWrap, 0);
  EXPECT_EQ(taps.index, (std::array<std::uint32_t, 2>{7, 0}));
  EXPECT_EQ(taps.weight, (std::array<std::uint32_t, 2>{128, 128}));
}

// Half a texel beyond either end lies the middle between the last texel and the border; from there on nothing changes.
TEST(TextureAddress, ClampReachesHalfWayIntoTheBorder) {
  const auto taps = [](float x, int offset = 0) {
    return sample_axis(isa::bits_of(x), 8, false, true, AddressMode::kClamp, offset);
  };
  const std::array<std::uint32_t, 2> half{128, 128};
  for (const float below : {0.0f, -1.0f / 256, -0.5f, -5.0f, -INFINITY}) {
    ASSERT_EQ(taps(below).count, 2u) << below;
    EXPECT_EQ(taps(below).outside, (std::array<bool, 2>{true, false})) << below;
    EXPECT_EQ(taps(below).index[1], 0u) << below;
    EXPECT_EQ(taps(below).weight, half) << below;
  }
  for (const float above : {8.0f, 8.0f + 1.0f / 256, 8.5f, 100.0f, INFINITY}) {
    ASSERT_EQ(taps(above).count, 2u) << above;
    EXPECT_EQ(taps(above).outside, (std::array<bool, 2>{false, true})) << above;
    EXPECT_EQ(taps(above).index[0], 7u) << above;
    EXPECT_EQ(taps(above).weight, half) << above;
  }
  // One step of a coordinate, 1/256 texel, inside each end.
  EXPECT_EQ(taps(1.0f / 256).weight, (std::array<std::uint32_t, 2>{127, 129}));
  EXPECT_EQ(taps(8.0f - 1.0f / 256).weight, (std::array<std::uint32_t, 2>{129, 127}));
  // The offset of an instruction counts behind the limit: it moves by whole texels, into the border and through it.
  EXPECT_EQ(taps(100.0f, 1).outside, (std::array<bool, 2>{true, true}));
  EXPECT_EQ(taps(100.0f, -1).outside, (std::array<bool, 2>{false, false}));
}

// A texel's weight falls from 256 at its centre by one for each 1/256 of a texel, on both sides: the share of texel i
// is what 256 exceeds the distance from its centre 256 i + 128 by. All coordinates near a texture, in steps of 1/512,
// for every mode.
TEST(TextureAddress, WeightsAreDistancesFromTheCentresOfTexels) {
  for (const std::int64_t size : {1, 2, 3, 8}) {
    for (unsigned mode = 0; mode < 5; ++mode) {
      for (std::int64_t half_steps = -3 * 512; half_steps <= (size + 3) * 512; ++half_steps) {
        const auto address_mode = static_cast<AddressMode>(mode);
        const float x = static_cast<float>(half_steps) / 512;
        std::int64_t at = (half_steps + 1) >> 1;  // in 1/256 texels, a tie goes up
        if (address_mode == AddressMode::kClamp) at = std::clamp<std::int64_t>(at, 0, 256 * size);
        const AxisTaps taps =
            sample_axis(isa::bits_of(x), static_cast<std::uint32_t>(size), false, true, address_mode, 0);
        unsigned tap = 0;
        for (std::int64_t i = -5; i < size + 5; ++i) {
          const std::int64_t distance = std::abs(at - (256 * i + 128));
          if (distance >= 256) continue;
          const AxisTexel texel = address_texel(i, static_cast<std::uint32_t>(size), address_mode, true);
          ASSERT_LT(tap, taps.count) << x << " of " << size << ", mode " << mode;
          ASSERT_EQ(taps.weight[tap], 256 - distance) << x << " of " << size << ", mode " << mode;
          ASSERT_EQ(taps.outside[tap], texel.outside) << x << " of " << size << ", mode " << mode;
          ASSERT_EQ(taps.index[tap], texel.index) << x << " of " << size << ", mode " << mode;
          ++tap;
        }
        ASSERT_EQ(taps.count, tap) << x << " of " << size << ", mode " << mode;
      }
    }
  }
}

// The product of coordinate and size in 128-bit integers: no rounding anywhere.
TEST(TextureAddress, RandomNormalisedCoordinatesAreScaledExactly) {
  const unsigned seed = random_seed() + 21;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int n = 0; n < 200000; ++n) {
    const std::uint32_t size = 1 + random() % (1u << (1 + random() % 16));
    const std::uint32_t exponent = 100 + random() % 34, mantissa = (random() & 0x7fffff) | 0x800000;
    const bool negative = random() % 2;
    const std::uint32_t coordinate = negative << 31 | exponent << 23 | (mantissa & 0x7fffff);
    // u = +-mantissa * size * 2^(exponent - 150)
    const int shift = 150 - static_cast<int>(exponent);  // 17 .. 50
    const __int128 product = static_cast<__int128>(mantissa) * size * (negative ? -1 : 1);
    const auto floor_index = static_cast<std::int64_t>(product >> shift);
    ASSERT_EQ(sample_axis(coordinate, size, true, false, AddressMode::kWrap, 0).index[0],
              static_cast<std::uint32_t>((floor_index % size + size) % size));
    const auto fixed =
        static_cast<std::int64_t>((product * 256 + (static_cast<__int128>(1) << (shift - 1))) >> shift) - 128;
    const AxisTaps taps = sample_axis(coordinate, size, true, true, AddressMode::kWrap, 0);
    ASSERT_EQ(taps.weight[0], 256 - (fixed & 255));
    ASSERT_EQ(taps.count, (fixed & 255) ? 2u : 1u);
    ASSERT_EQ(taps.index[0], static_cast<std::uint32_t>(((fixed >> 8) % size + size) % size));
  }
}

TEST(TextureAddress, TapsGoXFirstThenYThenZ) {
  std::uint32_t w[8] = {0x0f | 7u << 6, 0x1000, 2u << 14 | 1u << 18, 64, 8, 4 | 4u << 16, 0, 0};
  const TextureHeader header = decode_texture_header(w);
  TextureSampler sampler;
  sampler.linear = true;
  const LaneTaps taps = lane_taps(header, sampler, TexOp::kSample,
                                  {isa::bits_of(2.0f), isa::bits_of(2.25f), isa::bits_of(3.0f), 0}, {0, 0, 0});
  ASSERT_EQ(taps.count, 8u);
  EXPECT_EQ(taps.tap[0].address, 0x1000 + (2 * 4 + 1) * 64 + 4u);
  EXPECT_EQ(taps.tap[1].address - taps.tap[0].address, 4u);
  EXPECT_EQ(taps.tap[2].address - taps.tap[0].address, 64u);
  EXPECT_EQ(taps.tap[4].address - taps.tap[0].address, 256u);
  EXPECT_EQ(taps.tap[0].weight, 128u * 64 * 128);
  EXPECT_EQ(taps.tap[2].weight, 128u * 192 * 128);
  std::uint32_t sum = 0;
  for (const TexelTap& tap : taps.tap) sum += tap.weight;
  EXPECT_EQ(sum, 1u << 24);
}

TEST(TextureAddress, FetchesOutsideReadZeroWhateverTheSampler) {
  std::uint32_t w[8] = {0x0f | 7u << 6, 0x1000, 6u << 14, 0, 100, 0, 0, 0};
  const TextureHeader header = decode_texture_header(w);
  const auto kind = [&](std::uint32_t x) {
    return lane_taps(header, TextureSampler{}, TexOp::kFetch, {x, 0, 0, 0}, {0, 0, 0}).tap[0].kind;
  };
  EXPECT_EQ(kind(99), TapKind::kTexel);
  EXPECT_EQ(kind(100), TapKind::kZero);
  EXPECT_EQ(kind(~0u), TapKind::kZero);
  EXPECT_EQ(lane_taps(header, TextureSampler{}, TexOp::kFetch, {5, 0, 0, 0}, {-2, 0, 0}).tap[0].address, 0x100cu);
}

// --- filter
TEST(TextureFilter, OneHalfAndOneHalfOfOneAndThreeIsTwo) {
  TexelSum sum;
  sum.add({isa::bits_of(1.0f), 0, 0, 0}, 128, 1, 1, true);
  sum.add({isa::bits_of(3.0f), 0, 0, 0}, 128, 1, 1, true);
  EXPECT_EQ(sum.rgba()[0], isa::bits_of(2.0f));
}

TEST(TextureFilter, EveryStepIsRoundedToFloatInTapOrder) {
  const float t[4] = {0.1f, 0.7f, 1e-3f, 12345.678f};
  const std::uint32_t w[4] = {37 * 201, 219 * 201, 37 * 55, 219 * 55};
  TexelSum sum;
  float expected = 0;
  for (int i = 0; i < 4; ++i) {
    sum.add({isa::bits_of(t[i]), 0, 0, 0}, w[i], 2, 1, true);
    const volatile float product = static_cast<float>(w[i]) / 65536.0f * t[i];
    expected = i == 0 ? static_cast<float>(product) : expected + product;
  }
  EXPECT_EQ(sum.rgba()[0], isa::bits_of(expected));
}

// Products with every kind of weight and sums that cancel, against the reference's fp32 multiply and add.
TEST(TextureFilter, WeightsAndSumsAreThoseOfTheMachinesMultiplyAndAdd) {
  const unsigned seed = random_seed() + 41;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto texel = [&]() -> std::uint32_t {
    constexpr std::uint32_t kSpecial[] = {0,          0x00000001, 0x007fffff, 0x00800000, 0x3f800000,
                                          0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff};
    const std::uint32_t sign = random() & 0x80000000u, fraction = random() & 0x7fffffu;
    switch (random() % 5) {
      case 0: return sign | kSpecial[random() % std::size(kSpecial)];
      case 1: return sign | (120 + random() % 30) << 23 | 1u << random() % 23;
      case 2: return sign | (120 + random() % 12) << 23 | fraction;
      case 3: return sign | (random() % 30) << 23 | fraction;  // results that are flushed
      default: return random();
    }
  };
  for (int n = 0; n < 500000; ++n) {
    const unsigned point = 8 * (1 + random() % 3);
    const std::uint32_t weight = random() % 8 == 0 ? 1u << point : 1 + random() % (1u << point), t = texel();
    const float exact_weight = std::ldexp(static_cast<float>(weight), -static_cast<int>(point));
    ASSERT_EQ(texture_float::weighted(weight, point, t), golden::fmul32(isa::bits_of(exact_weight), t))
        << weight << " / 2^" << point << " of " << std::hex << t;
    const std::uint32_t other = random() % 4 == 0 ? (t ^ 0x80000000u) + random() % 5 - 2 : texel();
    ASSERT_EQ(texture_float::sum(t, other), golden::fadd32(t, other)) << std::hex << t << " + " << other;
  }
}

TEST(TextureFilter, NearestKeepsDenormalsAndNansLinearFlushesDenormals) {
  TexelSum nearest, linear;
  nearest.add({0x00000001, 0x7f800001, 3, 4}, 256, 1, 4, false);
  EXPECT_EQ(nearest.rgba(), (std::array<std::uint32_t, 4>{0x00000001, 0x7f800001, 3, 4}));
  linear.add({0x00000001, isa::bits_of(1.5f), 0, 0}, 256, 1, 4, true);
  EXPECT_EQ(linear.rgba()[0], 0u);
  EXPECT_EQ(linear.rgba()[1], isa::bits_of(1.5f));
}

}  // namespace
}  // namespace g80
