// SPDX-License-Identifier: Apache-2.0
// The tags of the texture cache in SystemVerilog against the cache in C++.
#include <array>
#include <optional>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "hw/tex/texture_cache.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"

#include "Vtexture_tag_sizes.h"

namespace g80 {
namespace {

constexpr unsigned kTexels = 16, kSets = 8, kLineBytes = 32, kRows = 6, kPorts = 4;  // as in texture_tag_sizes.sv

Config config_of(unsigned ways) {
  Config config;
  config.tex.l1_bytes = kSets * ways * kLineBytes;
  config.tex.l1_ways = ways;
  config.tex.line_bytes = kLineBytes;
  config.tex.filter_lanes = 8;
  config.tex.mshrs = kRows;
  return config;
}

/// The texels of an edge: some lines, most of them of few sets, in runs.
struct Texels {
  unsigned wanted = 0;
  std::array<std::uint32_t, kTexels> line{};
};
Texels draw(std::mt19937& random, unsigned lines_of_a_set) {
  Texels texels;
  const unsigned sets = 1u << random() % 4;
  const std::uint32_t base = random() % 4 == 0 ? 0x7fff000 : 0;
  const unsigned lines = 1 + random() % 6;
  std::array<std::uint32_t, 6> pool;
  for (std::uint32_t& line : pool)
    line = base + kSets * static_cast<std::uint32_t>(random() % lines_of_a_set) +
           static_cast<std::uint32_t>(random() % sets);
  for (unsigned t = 0; t < kTexels; ++t) {
    texels.line[t] = t != 0 && random() % 2 != 0 ? texels.line[t - 1] : pool[random() % lines];
    if (random() % 8 != 0) texels.wanted |= 1u << t;
  }
  return texels;
}

/// A cache, and what it does at an edge.
class Cache {
 public:
  explicit Cache(unsigned ways) : ways_(ways), way_bits_(ways == 2 ? 1 : 5), cache_(config_of(ways)) { cache_.reset(); }

  bool may_miss() const { return misses_ < kRows; }
  void flush() { cache_.flush(); }
  void look_up(const Texels& texels) {
    served = 0;
    miss.reset();
    cache_.begin_edge();
    for (unsigned t = 0; t < kTexels; ++t) {
      if ((texels.wanted >> t & 1) == 0) continue;
      const TextureCache::Lookup found = cache_.look_up(texels.line[t] * kLineBytes, {});
      if (!found.served) return;
      served |= 1u << t;
      slot[t] = binary(found.slot);
      if (!found.miss) continue;
      miss = slot[t];
      slot_of_row_[(oldest_ + misses_++) % kRows] = found.slot;
    }
  }
  /// The oldest line comes and goes into its slot.
  void fill() {
    if (misses_ == 0) return;
    MemReply reply;
    reply.id = cache_.take_read().row;
    cache_.arrive(reply);
    cache_.fill(slot_of_row_[oldest_]);
    oldest_ = (oldest_ + 1) % kRows;
    --misses_;
  }

  unsigned served = 0;
  std::array<unsigned, kTexels> slot{};
  std::optional<unsigned> miss;

 private:
  /// Number of the set, then that of the way.
  unsigned binary(unsigned slot) const { return slot / ways_ << way_bits_ | slot % ways_; }

  const unsigned ways_, way_bits_;
  TextureCache cache_;
  std::array<unsigned, kRows> slot_of_row_{};
  unsigned oldest_ = 0, misses_ = 0;
};

TEST(TextureTagsTwin, ServesTheTexelsThatTheCacheInCppServes) {
  std::mt19937 random(random_seed());
  Vtexture_tag_sizes model;
  Cache chip(20), few(2);
  model.clk_i = 0;
  model.rst_ni = 0;
  model.eval();
  model.rst_ni = 1;
  unsigned all = 0, five_lines = 0, second_misses = 0, no_row = 0, missed = 0, cut_in_few = 0;
  for (unsigned edge = 0; edge < 20'000; ++edge) {
    const Texels texels = draw(random, edge / 500 % 2 != 0 ? 24 : 4);
    model.flush_i = random() % 1000 == 0;
    if (model.flush_i != 0) {
      chip.flush();
      few.flush();
    }
    if (random() % 4 != 0) {
      chip.fill();
      few.fill();
    }
    const bool may_miss = chip.may_miss();
    model.wanted_i = static_cast<std::uint16_t>(texels.wanted);
    std::fill(std::begin(model.line_i.m_storage), std::end(model.line_i.m_storage), 0u);
    for (unsigned t = 0; t < kTexels; ++t) {
      for (unsigned bit = 0; bit < 27; ++bit) {
        const unsigned at = 27 * t + bit;
        model.line_i[at / 32] |= (texels.line[t] >> bit & 1) << at % 32;
      }
    }
    model.may_miss_i = static_cast<std::uint8_t>(may_miss | few.may_miss() << 1);
    chip.look_up(texels);
    few.look_up(texels);
    model.eval();
    model.clk_i = 1;
    model.eval();
    model.clk_i = 0;
    model.eval();

    ASSERT_EQ(model.served_o & 0xffff, chip.served) << edge;
    ASSERT_EQ(model.served_o >> 16, few.served) << edge;
    ASSERT_EQ((model.all_o & 1) != 0, chip.served == texels.wanted) << edge;
    ASSERT_EQ(model.all_o >> 1 != 0, few.served == texels.wanted) << edge;
    ASSERT_EQ(model.miss_o & 1, chip.miss.has_value()) << edge;
    ASSERT_EQ(model.miss_o >> 1, few.miss.has_value()) << edge;
    if (chip.miss) {
      ASSERT_EQ(model.miss_slot_o, *chip.miss) << edge;
    }
    if (few.miss) {
      ASSERT_EQ(model.few_miss_slot_o, *few.miss) << edge;
    }
    std::set<std::uint32_t> lines;
    for (unsigned t = 0; t < kTexels; ++t) {
      if ((texels.wanted >> t & 1) != 0) lines.insert(texels.line[t]);
      if ((chip.served >> t & 1) != 0) {
        ASSERT_EQ(model.slot_o[t / 4] >> 8 * (t % 4) & 255, chip.slot[t]) << edge;
      }
      if ((few.served >> t & 1) != 0) {
        ASSERT_EQ(model.few_slot_o >> 4 * t & 15, few.slot[t]) << edge;
      }
    }

    missed += chip.miss.has_value();
    if (chip.served == texels.wanted) {
      ++all;
      if ((few.served ^ texels.wanted) != 0 && !few.miss) ++cut_in_few;
    } else if (!may_miss && !chip.miss) {
      ++no_row;
    } else {
      ++(lines.size() > kPorts ? five_lines : second_misses);
    }
  }
  EXPECT_GT(all, 2'000u);
  EXPECT_GT(missed, 2'000u);
  EXPECT_GT(five_lines, 500u);
  EXPECT_GT(second_misses, 500u);
  EXPECT_GT(no_row, 200u);
  EXPECT_GT(cut_in_few, 50u) << "all ways are in use";
}

}  // namespace
}  // namespace g80
