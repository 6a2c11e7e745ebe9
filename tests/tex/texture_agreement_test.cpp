// SPDX-License-Identifier: Apache-2.0
// The texture unit's arithmetic and the reference's were written separately from docs/texture.md: they must agree bit
// for bit.
#include <gtest/gtest.h>

#include <random>

#include "hw/common/set_bits.h"
#include "hw/isa/float_bits.h"
#include "hw/tex/texture_address.h"
#include "tb/golden/texture_math.h"
#include "tests/support/random_seed.h"
#include "tests/tex/filter_bench.h"

namespace g80 {
namespace {

class RandomTexture {
 public:
  explicit RandomTexture(unsigned seed) : random_(seed) {}

  std::uint32_t pick(std::uint32_t n) { return random_() % n; }
  /// A header with every legal format, type and mode, sometimes an illegal one.
  void header(std::uint32_t (&w)[8]) {
    static constexpr std::uint32_t kFormats[] = {0x01, 0x03, 0x04, 0x08, 0x0c, 0x0f, 0x18, 0x1b, 0x1d, 0x02};
    static constexpr std::uint32_t kTypes[] = {1, 2, 3, 4, 7, 7, 7, 0};
    static constexpr std::uint32_t kKinds[] = {0, 1, 2, 6, 7, 1, 2, 3};
    for (std::uint32_t& word : w) word = random_();
    w[0] = kFormats[pick(10)] | w[0] << 18;
    for (unsigned c = 0; c < 4; ++c) w[0] |= kTypes[pick(8)] << (6 + 3 * c);
    w[2] = (kKinds[pick(8)] | (pick(32) == 0 ? 8 : 0)) << 14 | pick(2) << 18 | pick(2) << 31 | pick(8) << 28;
    w[2] |= (pick(16) == 0 ? pick(8) : 0) << 19 | pick(7) << 22 | pick(7) << 25;  // blocks
    // What lies beside a field is any bits.
    w[3] = pick(1 << 16) * 16 | w[3] << 20;
    w[4] = (pick(32) == 0 ? (1u << 27) - 1 + pick(3) : pick(1u << pick(14))) | w[4] << 30;
    w[5] = pick(1u << (pick(16) == 0 ? 16 : pick(10))) | pick(1u << (pick(16) == 0 ? 12 : pick(6))) << 16 | w[5] << 28;
  }
  void sampler(std::uint32_t (&w)[8]) {
    for (std::uint32_t& word : w) word = random_();
  }
  std::uint32_t coordinate(std::uint32_t size, bool normalised) {
    switch (pick(8)) {
      case 0: return random_();  // any bits
      case 1: {                  // a multiple of 1/512 texel: ties and centres
        const float x = static_cast<float>(static_cast<int>(pick(1024 * size + 2048)) - 1024) /
                        (512.0f * (normalised ? static_cast<float>(size) : 1.0f));
        return isa::bits_of(x);
      }
      default: {
        const float x = (static_cast<float>(random_()) / 4294967296.0f * 3.0f - 1.0f) *
                        (normalised ? 1.0f : static_cast<float>(size));
        return isa::bits_of(x);
      }
    }
  }

 private:
  std::mt19937 random_;
};

// As many filter lanes as there may be, also fewer than a lane has shares: the shares of a lane enter at several edges.
TEST(TextureAgreement, RandomSamplesAndFetchesAreEqual) {
  const unsigned seed = random_seed() + 31;
  SCOPED_TRACE(seed);
  RandomTexture random(seed);
  constexpr unsigned kLanes = 4;
  std::vector<testing::FilterBench> bench;
  for (unsigned lanes = 1; lanes <= 2 * kLanes + 1; ++lanes) bench.emplace_back(kLanes, lanes);
  unsigned compared = 0, filtered = 0, in_blocks = 0, in_turns = 0;
  for (int n = 0; n < 50000; ++n) {
    std::uint32_t hw_words[8], s_words[8];
    random.header(hw_words);
    random.sampler(s_words);
    const TextureHeader header = decode_texture_header(hw_words);
    const TextureSampler sampler = decode_texture_sampler(s_words);
    const golden::TextureHeader expected_header = golden::parse_texture_header(hw_words);
    const golden::Sampler expected_sampler = golden::parse_sampler(s_words);
    ASSERT_EQ(header.valid, expected_header.valid()) << "case " << n;
    if (!header.valid) continue;
    const bool fetch = random.pick(4) == 0;
    const TexOp op = fetch ? TexOp::kFetch : TexOp::kSample;
    testing::FilterBench::Group group{header, sampler, is_linear(header, sampler, op), !fetch && !header.buffer, {}};
    std::vector<golden::Components> expected_results;
    const std::array<std::int8_t, 3> offset{static_cast<std::int8_t>(random.pick(16) - 8),
                                            static_cast<std::int8_t>(random.pick(16) - 8),
                                            static_cast<std::int8_t>(random.pick(16) - 8)};
    group.lanes.resize(1 + random.pick(kLanes));
    for (ReadLane& lane : group.lanes) {
      std::array<std::uint32_t, 4> coord{};
      for (unsigned a = 0; a < 3; ++a) {
        coord[a] = fetch ? random.pick(header.size[a] + 4) - 2
                         : random.coordinate(std::min(header.size[a], 1u << 20), header.normalised);
      }
      const LaneTexels texels = lane_texels(header, sampler, op, coord, offset);
      golden::Taps expected;
      if (fetch) {
        expected.count = 1;
        expected.tap[0] = golden::fetch_tap(expected_header, coord.data(), offset.data());
      } else {
        expected = golden::sample_taps(expected_header, expected_sampler, coord.data(), offset.data());
      }
      lane.present = texels.present;
      lane.outside = texels.outside;
      lane.fraction = texels.fraction;
      std::array<golden::Components, 8> expected_texel{};
      unsigned tap = 0;
      for (const unsigned t : set_bits(texels.present)) {
        ASSERT_LT(tap, expected.count) << "case " << n;
        const bool outside = (texels.outside >> t & 1) != 0;
        ASSERT_EQ(outside, expected.tap[tap].border) << "case " << n;
        std::uint32_t words[4];
        for (std::uint32_t& word : words) word = random.pick(~0u);
        if (!outside) {
          ASSERT_EQ(texels.address[t], golden::texel_address(expected_header, expected.tap[tap])) << "case " << n;
          lane.read(t, words, 0, header.layout.bytes());
          expected_texel[tap] = golden::decode_texel(expected_header, reinterpret_cast<const std::uint8_t*>(words));
        } else if (group.bordered) {
          expected_texel[tap] = sampler.border;
        }
        ++tap;
      }
      ASSERT_EQ(tap, expected.count) << "case " << n;
      expected_results.push_back(golden::select_sources(expected_header, golden::filter(expected, expected_texel)));
      filtered += group.linear && tap > 1;
    }
    const unsigned filter_lanes = 1 + random.pick(static_cast<unsigned>(bench.size()));
    const std::vector<TexelWords> results = bench[filter_lanes - 1].results(group);
    for (unsigned i = 0; i < results.size(); ++i) {
      ASSERT_EQ(select_sources(header, results[i]), expected_results[i]) << "case " << n << ", lane " << i;
    }
    const auto shares = static_cast<unsigned>(results.size()) << group.share_bits();
    const unsigned turns = (shares + filter_lanes - 1) / filter_lanes;
    ASSERT_EQ(bench[filter_lanes - 1].edges(), turns - 1 + kFilterStages + (group.slices() ? kSecondSliceStages : 0))
        << "case " << n << ", " << filter_lanes << " filter lanes";
    compared += static_cast<unsigned>(results.size());
    in_blocks += header.block_linear ? static_cast<unsigned>(results.size()) : 0;
    in_turns += turns > 1;
  }
  EXPECT_GT(compared, 20000u);
  EXPECT_GT(filtered, 1000u);
  EXPECT_GT(in_blocks, 10000u);
  EXPECT_GT(in_turns, 3000u);
}

}  // namespace
}  // namespace g80
