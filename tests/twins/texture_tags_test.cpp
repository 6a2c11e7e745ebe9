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
#include "tests/twins/packed_array.h"

#include "Vtexture_tag_sizes.h"

namespace g80 {
namespace {

// As in texture_tag_sizes.sv
constexpr unsigned kTexels = 16, kWideTexels = 32, kTaps = 4, kSets = 8, kLineBytes = 32, kTexelLineBits = 27,
                   kRows = 6, kPorts = 4;

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
  std::uint32_t wanted = 0;
  std::array<std::uint32_t, kWideTexels> line{};
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
  for (unsigned t = 0; t < kWideTexels; ++t) {
    texels.line[t] = t != 0 && random() % 2 != 0 ? texels.line[t - 1] : pool[random() % lines];
    if (random() % 8 != 0) texels.wanted |= 1u << t;
  }
  return texels;
}

/// The stage that gives ports, for so many texels, and what it gives.
class GivenPorts {
 public:
  explicit GivenPorts(unsigned texels) : lanes_(texels / kTaps), ports_(kPorts, lanes_, kLineBytes) {}

  /// Of a group of which no texel has had a port.
  void give(const Texels& texels) {
    ports_.reset();
    AddressGroup group;
    group.count = static_cast<std::uint8_t>(lanes_);
    std::array<AddressLane, kWideTexels / kTaps> lanes;
    for (unsigned t = 0; t < lanes_ * kTaps; ++t) {
      LaneTexels& lane = lanes[t / kTaps].texels;
      lane.address[t % kTaps] = texels.line[t] * kLineBytes;
      lane.present = static_cast<std::uint8_t>(lane.present | (texels.wanted >> t & 1) << t % kTaps);
    }
    end = ports_.give(group, lanes.data());
  }
  const PortLines& lines() const { return ports_.front(); }
  /// Of a texel; kPorts if it has none.
  unsigned port(unsigned t) const {
    const PortTexels& lane = ports_.texels()[t / kTaps];
    return (lane.taps >> t % kTaps & 1) != 0 ? lane.port[t % kTaps] : kPorts;
  }
  bool end = false;

 private:
  unsigned lanes_;
  TexelPorts ports_;
};

template <class Mask, class Lines, class Port>
void expect_ports(const GivenPorts& ports, unsigned texels, Mask taken, const Lines& line, const Port& port_of,
                  bool end) {
  ASSERT_EQ(taken, (1u << ports.lines().ports) - 1);
  for (unsigned p = 0; p < ports.lines().ports; ++p) {
    ASSERT_EQ(testing::get(line, kTexelLineBits, p), ports.lines().line[p]);
  }
  for (unsigned t = 0; t < texels; ++t) {
    ASSERT_EQ(port_of(t), ports.port(t) == kPorts ? 0 : 1u << ports.port(t)) << "texel " << t;
  }
  ASSERT_EQ(end, ports.end);
}

/// A cache, and what it does at an edge.
class Cache {
 public:
  explicit Cache(unsigned ways) : ways_(ways), way_bits_(ways == 2 ? 1 : 5), cache_(config_of(ways)) { cache_.reset(); }

  bool may_miss() const { return misses_ < kRows; }
  void flush() { cache_.flush(); }
  void begin() { served_ = 0; }
  /// GivenPorts that have been served.
  unsigned served() const { return served_; }
  void look_up(const PortLines& lines) {
    first = served_;
    const TextureCache::Lookups found = cache_.look_up(lines, first, slots_);
    served_ = found.end;
    miss.reset();
    if (found.miss == TextureCache::kNoPort) return;
    miss = slot(found.miss);
    slot_of_row_[(oldest_ + misses_++) % kRows] = slots_[found.miss];
  }
  /// The slot of a port: number of the set, then that of the way.
  unsigned slot(unsigned port) const { return slots_[port] / ways_ << way_bits_ | slots_[port] % ways_; }
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

  unsigned first = 0;  // that was looked up
  std::optional<unsigned> miss;

 private:
  const unsigned ways_, way_bits_;
  TextureCache cache_;
  std::array<std::uint16_t, kMaxTexturePorts> slots_{};
  std::array<unsigned, kRows> slot_of_row_{};
  unsigned oldest_ = 0, misses_ = 0, served_ = 0;
};

/// GivenPorts [first, end).
constexpr unsigned mask_of(unsigned first, unsigned end) { return (1u << end) - (1u << first); }

void set_texels(Vtexture_tag_sizes& model, const Texels& texels) {
  model.wanted_i = texels.wanted;
  for (unsigned t = 0; t < kWideTexels; ++t) testing::put(model.line_i, kTexelLineBits, t, texels.line[t]);
}
void step(Vtexture_tag_sizes& model) {
  model.eval();
  model.clk_i = 1;
  model.eval();
  model.clk_i = 0;
  model.eval();
}

TEST(TextureTagsTwin, GivesAndServesThePortsThatTheCacheInCppDoes) {
  std::mt19937 random(random_seed());
  Vtexture_tag_sizes model;
  GivenPorts ports(kTexels), wide(kWideTexels);
  Cache chip(20), few(2);
  model.clk_i = 0;
  model.rst_ni = 0;
  model.eval();
  model.rst_ni = 1;
  unsigned no_port = 0, second_misses = 0, no_row = 0, missed = 0, all = 0, cut_in_few = 0;
  for (unsigned group = 0; group < 8'000; ++group) {
    SCOPED_TRACE(group);
    Texels texels = draw(random, group / 200 % 2 != 0 ? 24 : 3);
    do {
      ports.give(texels);
      wide.give(texels);
      set_texels(model, texels);
      model.left_i = model.may_miss_i = model.flush_i = 0;
      step(model);
      ASSERT_NO_FATAL_FAILURE(expect_ports(
          ports, kTexels, model.taken_o, model.line_o, [&](unsigned t) { return model.port_o >> 4 * t & 15; },
          model.end_o));
      ASSERT_NO_FATAL_FAILURE(expect_ports(
          wide, kWideTexels, model.wide_taken_o, model.wide_line_o,
          [&](unsigned t) { return model.wide_port_o[t / 8] >> 4 * (t % 8) & 15; }, model.wide_end_o));

      const PortLines& lines = ports.lines();
      chip.begin();
      few.begin();
      do {
        model.flush_i = random() % 500 == 0;
        if (model.flush_i != 0) {
          chip.flush();
          few.flush();
        }
        if (random() % (group / 100 % 2 != 0 ? 2 : 40) == 0) chip.fill();
        if (random() % 2 == 0) few.fill();
        const bool may_miss = chip.may_miss(), few_may_miss = few.may_miss();
        model.may_miss_i = static_cast<std::uint8_t>(may_miss | few_may_miss << 1);
        model.left_i =
            static_cast<std::uint8_t>(mask_of(chip.served(), kPorts) | mask_of(few.served(), kPorts) << kPorts);
        chip.look_up(lines);
        few.look_up(lines);
        step(model);

        ASSERT_EQ(model.served_o & 15, mask_of(chip.first, chip.served()));
        ASSERT_EQ(model.served_o >> 4, mask_of(few.first, few.served()));
        ASSERT_EQ((model.all_o & 1) != 0, chip.served() == lines.ports);
        ASSERT_EQ(model.all_o >> 1 != 0, few.served() == lines.ports);
        ASSERT_EQ(model.miss_o & 1, chip.miss.has_value());
        ASSERT_EQ(model.miss_o >> 1, few.miss.has_value());
        if (chip.miss) {
          ASSERT_EQ(model.miss_slot_o, *chip.miss);
        }
        if (few.miss) {
          ASSERT_EQ(model.few_miss_slot_o, *few.miss);
        }
        for (unsigned p = chip.first; p < chip.served(); ++p) ASSERT_EQ(model.slot_o >> 8 * p & 255, chip.slot(p));
        for (unsigned p = few.first; p < few.served(); ++p) ASSERT_EQ(model.few_slot_o >> 4 * p & 15, few.slot(p));

        missed += chip.miss.has_value();
        if (chip.served() == lines.ports) {
          ++all;
        } else {
          ++(may_miss || chip.miss ? second_misses : no_row);
        }
        if (few.served() != lines.ports && !few.miss && few_may_miss) ++cut_in_few;
      } while (chip.served() != lines.ports || few.served() != lines.ports);

      std::uint32_t left = 0;
      for (unsigned t = 0; t < kTexels; ++t) left |= (ports.port(t) == kPorts ? texels.wanted & 1u << t : 0);
      texels.wanted = left;
      no_port += !ports.end;
    } while (texels.wanted != 0);
  }
  EXPECT_GT(all, 2'000u);
  EXPECT_GT(missed, 2'000u);
  EXPECT_GT(no_port, 500u);
  EXPECT_GT(second_misses, 500u);
  EXPECT_GT(no_row, 50u);
  EXPECT_GT(cut_in_few, 5u) << "all ways are in use";
}

}  // namespace
}  // namespace g80
