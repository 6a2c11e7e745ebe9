// SPDX-License-Identifier: Apache-2.0
// Latency and rate of the texture unit, as configured.
#include <cstring>
#include <random>

#include <fmt/format.h>

#include "hw/isa/float_bits.h"
#include "tests/support/random_seed.h"
#include "tests/tex/texture_unit_bench.h"

namespace g80 {
namespace {

using namespace testing;
using TextureRates = SystemCTest;

TEST_F(TextureRates, AHitTakesThePipelineLatency) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  const TexRequest request = fetch_of(0);
  bench.sm0.todo = {request};
  bench.finish();
  EXPECT_GT(bench.sm0.received[0] - bench.sm0.sent[0], 60u);  // descriptor and lines come from memory
  for (const HalfMask lanes : {HalfMask{0xffff}, HalfMask{1}, HalfMask{0x0f00}}) {
    TexRequest again = request;
    again.lanes = lanes;
    bench.sm0.todo = {again};
    unsigned shown = 0;
    for (unsigned edge = 0; edge < 60; ++edge, bench.run(1)) shown += bench.unit.registers().reply_valid;
    EXPECT_GT(shown, 4u) << "it is in the filter";
    bench.finish();
    // A half-warp takes four edges of the four address lanes, a quarter of one takes one. A crossing edge on each side.
    EXPECT_EQ(bench.sm0.received.back() - bench.sm0.sent.back(), 1 + (lanes == 0xffff ? 40 : 37) + 1u);
    bench.expect_equal(again, bench.sm0.replies.back());
  }
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 1u);
  EXPECT_EQ(bench.unit.counters().misses, 2u);
}

/// Edges from request to result of one lane whose line is not there, on a unit whose descriptors are.
Cycle edges_of_miss(unsigned pipeline_latency, unsigned filter_latency) {
  testing::SystemCTest::renew_context();
  Config config = small_texture_unit_config();
  config.tex.pipeline_latency = pipeline_latency;
  config.tex.filter_latency = filter_latency;
  TextureUnitBench bench(config);
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(500, 0, 1)};
  bench.finish();
  bench.sm0.todo = {fetch_of(0, 1, 1)};
  bench.finish();
  return bench.sm0.received[1] - bench.sm0.sent[1];
}

TEST_F(TextureRates, AMissTakesTheMemoryAndThenTheEdgesBehindTheCache) {
  const Cycle memory = edges_of_miss(40, 10) - 10;
  EXPECT_GT(memory, 30u);  // of which 30 in memory
  for (const unsigned filter : {11u, 17u, 23u}) {
    EXPECT_EQ(edges_of_miss(40, filter), memory + filter);
    EXPECT_EQ(edges_of_miss(45, filter), memory + filter) << "what lies in front passes meanwhile";
  }
  EXPECT_EQ(edges_of_miss(200, 10), 1 + 197 + 1u) << "and may take longer than the memory";
}

// What is behind the cache is a pipe: it delays results and holds none back.
TEST_F(TextureRates, TheEdgesBehindTheCacheCostNoRate) {
  const auto edges_of_many = [](unsigned filter_latency) {
    renew_context();
    Config config = small_texture_unit_config();
    config.tex.filter_latency = filter_latency;
    TextureUnitBench bench(config);
    bench.set_header(0, 3, buffer_header(0x4000, 1000));
    bench.sm0.todo = {fetch_of(500, 0, 1)};
    bench.finish();
    for (unsigned i = 0; i < 40; ++i) bench.sm0.todo.push_back(fetch_of(8 * i, i, 1));  // a line each
    bench.finish();
    return bench.sm0.received.back() - bench.sm0.sent[1];
  };
  EXPECT_EQ(edges_of_many(23), edges_of_many(10) + 13);
}

TEST_F(TextureRates, TheAddressLanesSetTheRateOfHits) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  for (unsigned i = 0; i < 20; ++i) bench.sm0.todo.push_back(fetch_of(0, i));
  bench.finish();
  for (unsigned i = 3; i < 21; ++i)
    EXPECT_EQ(bench.sm0.received[i] - bench.sm0.received[i - 1], 4u) << i;  // 16 lanes, 4 an edge
}

TEST_F(TextureRates, AFilterLaneTakesATexelThatIsNotFilteredAtEachEdge) {
  Config config = small_texture_unit_config();
  config.tex.l1_bytes = 4 * 32 * 32;
  config.tex.l1_ways = 32;
  config.tex.address_lanes = 16;
  config.tex.filter_lanes = 2;
  TextureUnitBench bench(config);
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  for (unsigned i = 0; i < 12; ++i) bench.sm0.todo.push_back(fetch_of(0, i));
  bench.finish();
  for (unsigned i = 4; i < 13; ++i) EXPECT_EQ(bench.sm0.received[i] - bench.sm0.received[i - 1], 16 / 2u) << i;
}

// Rows of a group are read while its texels are filtered. The only address lane makes a lane's two slices in two edges,
// and nothing of that is left for a request without lanes.
TEST_F(TextureRates, FewLanesTakeTheirSharesOneBehindTheOther) {
  Config config = small_texture_unit_config();
  config.tex.l1_bytes = 4 * 32 * 32;
  config.tex.l1_ways = 32;
  const auto edges = [](const Config& of, const TexRequest& request, const std::array<std::uint32_t, 8>& header) {
    renew_context();
    TextureUnitBench bench(of);
    bench.set_header(0, 3, header);
    bench.set_sampler(0, 1, {0, 2, 0, 0, 0, 0, 0, 0});
    for (unsigned i = 0; i < 20; ++i) bench.sm0.todo.push_back(request);
    bench.finish();
    return bench.sm0.received[19] - bench.sm0.received[18];
  };
  config.tex.address_lanes = 8;
  config.tex.filter_lanes = 2;
  EXPECT_EQ(edges(config, fetch_of(0, 0, 0xffff, 8), buffer_header(0x4000, 1000)), 8u) << "two rows a group";
  TexRequest sample = fetch_of(0, 0, 0xffff, 0);
  sample.op = TexOp::kSample;
  for (auto& coord : sample.coord) coord = {isa::bits_of(0.4f), isa::bits_of(0.4f), isa::bits_of(0.4f), 0};
  const std::array<std::uint32_t, 8> volume = {
      0x1d | 2u << 6 | 2u << 18, 0x8000, 2u << 14 | 1u << 18 | 1u << 31, 64, 4, 4 | 4u << 16, 0, 0};
  EXPECT_EQ(edges(config, sample, volume), 16u) << "two shares of each lane";
  config.tex.address_lanes = 1;
  config.tex.filter_lanes = 8;
  EXPECT_EQ(edges(config, sample, volume), 32u);
  renew_context();
  TextureUnitBench bench(config);
  bench.set_header(0, 3, volume);
  bench.set_sampler(0, 1, {0, 2, 0, 0, 0, 0, 0, 0});
  TexRequest size = sample, one = sample;
  size.op = TexOp::kSize;
  one.lanes = 1;
  bench.sm0.todo = {one, size};
  bench.finish();
  bench.sm0.todo = {one, size, size};
  bench.finish();
  const std::vector<Cycle>& at = bench.sm0.received;
  for (const unsigned i : {3, 4}) EXPECT_EQ(at[i] - at[i - 1], 1u) << i;
}

// It has eight stages more than others. What comes behind it enters as many edges later, another one like it at once.
TEST_F(TextureRates, ASampleBetweenSlicesTakesEightEdgesMoreAndOthersStayBehindIt) {
  Config config = small_texture_unit_config();
  config.tex.l1_bytes = 4 * 32 * 32;
  config.tex.l1_ways = 32;
  TextureUnitBench bench(config);
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.set_header(1, 4,
                   {0x0f | 7u << 6 | 2u << 18, 0x8000, 2u << 14 | 1u << 18 | 1u << 31, 64, 4, 4 | 4u << 16, 0, 0});
  bench.set_sampler(0, 1, {0, 2, 0, 0, 0, 0, 0, 0});
  TexRequest sample = fetch_of(0, 0, 1), fetch = fetch_of(0, 1, 1);
  sample.op = TexOp::kSample;
  sample.texture = 1;
  sample.coord[0] = {isa::bits_of(0.4f), isa::bits_of(0.4f), isa::bits_of(0.4f), 0};
  bench.sm0.todo = {sample, fetch};
  bench.finish();
  bench.sm0.todo = {fetch, sample, sample, fetch, fetch, sample};
  bench.finish();
  const unsigned edges[] = {9, 1, 1, 1, 9};
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(bench.sm0.received[i + 3] - bench.sm0.received[i + 2], edges[i]) << i;
}

// The ports of tags and data bring four lines at an edge, or as many as hold 2 x 2 texels of 4 bytes for each lane.
TEST_F(TextureRates, LanesOfMoreLinesThanThereArePortsTakeMoreEdges) {
  struct Case {
    unsigned lanes, stride, edges;
  };
  // 16 lanes of 4 bytes, lines of 32: a line for each lane from a stride of 8 texels on.
  for (const Case& of : {Case{8, 1, 2},
                         {8, 2, 2},
                         {8, 4, 2},
                         {8, 8, 4},
                         {4, 8, 4},
                         {2, 8, 8},
                         {16, 1, 1},
                         {16, 4, 1},
                         {16, 8, 2},
                         {32, 8, 1}}) {
    SCOPED_TRACE(fmt::format("{} lanes, stride {}", of.lanes, of.stride));
    renew_context();
    Config config = small_texture_unit_config();
    config.tex.l1_bytes = 4 * 32 * 32;
    config.tex.l1_ways = 32;
    config.tex.address_lanes = config.tex.filter_lanes = of.lanes;
    config.tex.queue = 16;
    TextureUnitBench bench(config);
    bench.set_header(0, 3, buffer_header(0x4000, 1000));
    const TexRequest request = fetch_of(0, 0, 0xffff, of.stride);
    bench.sm0.todo = {request};
    bench.finish();
    for (unsigned i = 0; i < 24; ++i) bench.sm0.todo.push_back(request);
    bench.finish();
    for (const TexReply& reply : bench.sm0.replies) bench.expect_equal(request, reply);
    EXPECT_EQ(bench.sm0.received[24] - bench.sm0.received[4], 20u * of.edges);
  }
}

TEST_F(TextureRates, MissesOfLaterRequestsOverlap) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(500, 0, 1)};
  bench.finish();
  bench.sm0.todo = {fetch_of(0, 1, 1), fetch_of(8, 2, 1), fetch_of(16, 3, 1)};  // three lines, three places
  bench.finish();
  EXPECT_LT(bench.sm0.received[3] - bench.sm0.sent[1], 40 + 2 * 30u) << "the pipeline, and less than two memories";
}

// The queue behind the tags is as long as misses may be outstanding: one-lane requests of a line each fill both.
TEST_F(TextureRates, AsManyMissesAreOutstandingAsTheQueueIsLong) {
  for (const unsigned misses : {1u, 3u, 64u, 128u}) {
    renew_context();
    Config config = small_texture_unit_config();
    config.tex.mshrs = misses;
    TextureUnitBench bench(config, false, 0, 2000);
    bench.set_header(0, 3, buffer_header(0x4000, 10000));
    for (unsigned i = 0; i < 200; ++i) bench.sm0.todo.push_back(fetch_of(8 * i, i, 1));
    bench.run(4000);
    EXPECT_EQ(bench.memory.log.size(), 1 + misses) << "the header, and lines";
  }
}

TEST_F(TextureRates, WideTexelsTakeTheFilterLonger) {
  struct Case {
    std::uint32_t format, type;
    bool linear;
    unsigned address_lanes, edges;
  };
  // A half-warp of samples at one place; eight filter lanes of 16 bytes of texels each.
  for (const Case& of : {Case{0x08, 2, true, 8, 2},
                         {0x1d, 2, true, 8, 2},
                         {0x03, 7, true, 8, 4},
                         {0x04, 7, true, 8, 4},
                         {0x01, 7, true, 8, 8},
                         {0x01, 7, false, 8, 2},
                         {0x08, 2, true, 4, 4},
                         {0x03, 7, true, 4, 4},
                         {0x01, 7, true, 4, 8}}) {
    SCOPED_TRACE(fmt::format("format {:x}, {}, {} address lanes", of.format, of.linear, of.address_lanes));
    renew_context();
    Config config = small_texture_unit_config();
    config.tex.l1_bytes = 4 * 32 * 32;
    config.tex.l1_ways = 32;
    config.tex.address_lanes = of.address_lanes;
    config.tex.queue = 16;
    TextureUnitBench bench(config);
    const std::uint32_t types = of.type << 6 | of.type << 9 | of.type << 12 | of.type << 15;
    bench.set_header(0, 3, {of.format | types | 2u << 18, 0x4000, 1u << 14 | 1u << 18, 256, 8, 8, 0, 0});
    bench.set_sampler(0, 1, {2 | 2 << 3, of.linear ? 2u : 1u, 0, 0, 0, 0, 0, 0});
    TexRequest request;
    request.valid = true;
    request.op = TexOp::kSample;
    request.lanes = 0xffff;
    for (auto& coord : request.coord) coord = {isa::bits_of(1.25f), isa::bits_of(1.75f), 0, 0};
    bench.sm0.todo = {request};
    bench.finish();
    for (unsigned i = 0; i < 24; ++i) bench.sm0.todo.push_back(request);
    bench.finish();
    for (const TexReply& reply : bench.sm0.replies) bench.expect_equal(request, reply);
    EXPECT_EQ(bench.sm0.received[24] - bench.sm0.received[4], 20u * of.edges);
  }
}

/// How many shares of 16 bytes are in each stage of the filter that computes; and how many its registers are for.
struct FilterStages final : FieldVisitor {
  void enter(const char* name, int index) override {
    in_beat = std::strcmp(name, "row") == 0;
    if (std::strcmp(name, "share") == 0) places = static_cast<unsigned>(index) + 1;
    if (in_beat && filter) row = static_cast<unsigned>(index), beats = row + 1;
    filter |= std::strcmp(name, "filter") == 0;
    ++depth;
  }
  void leave() override {
    in_beat = false;
    --depth;
    if (depth == 0) filter = false;
  }
  void leaf(const char* name, int, std::uint64_t value, unsigned, const EnumText*) override {
    if (!filter) return;
    const bool is_count = std::strcmp(name, "count") == 0;
    if (depth == 1 && is_count) live = static_cast<unsigned>(value);
    if (depth == 1 && std::strcmp(name, "oldest") == 0) oldest = static_cast<unsigned>(value);
    if (in_beat && std::strcmp(name, "stage") == 0) stage = value;
    if (in_beat && is_count && stage <= kFilterStages && holds_beat()) shares[stage] += static_cast<unsigned>(value);
  }
  /// Rows without a beat have what a random start or an earlier beat left there.
  bool holds_beat() const { return row >= oldest ? row < oldest + live : row + kRows < oldest + live; }
  bool filter = false, in_beat = false;
  static constexpr unsigned kRows = 10 + kSecondSliceStages + 2;  // tex.filter_latency and more
  unsigned depth = 0, places = 0, beats = 0, row = 0, live = 0, oldest = 0;
  std::uint64_t stage = 0;
  std::array<unsigned, kFilterStages + 1> shares{};
};

// Samples of every size, by any number of filter lanes: no stage ever has more shares than there are lanes, each share
// passes once, and the narrower of address and filter lanes sets the rate.
TEST_F(TextureRates, AsManySharesEnterTheFilterAtAnEdgeAsItHasLanes) {
  const unsigned seed = random_seed() + 43;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  static constexpr std::uint32_t kFormats[] = {0x01, 0x03, 0x04, 0x08, 0x1d};
  for (unsigned n = 0; n < 48; ++n) {
    renew_context();
    Config config = small_texture_unit_config();
    config.tex.l1_bytes = 4 * 32 * 32;
    config.tex.l1_ways = 32;
    config.tex.address_lanes = 1u << random() % 5;
    config.tex.filter_lanes = 1 + n % 8;
    config.tex.pipeline_latency = 200;
    config.tex.queue = 16;
    const std::uint32_t format = kFormats[random() % 5];
    const unsigned dimensions = 1 + random() % 3;
    const bool linear = random() % 4 != 0, slices = linear && dimensions == 3;
    SCOPED_TRACE(fmt::format("format {:x}, {} axes, linear {}, {} address and {} filter lanes", format, dimensions,
                             linear, config.tex.address_lanes, config.tex.filter_lanes));
    TextureUnitBench bench(config);
    bench.set_header(0, 3,
                     {format | 7u << 6 | 7u << 9 | 7u << 12 | 7u << 15 | 2u << 18 | 3u << 21 | 4u << 24 | 5u << 27,
                      0x4000, (dimensions - 1) << 14 | 1u << 18, 256, 8, 8 | 4u << 16, 0, 0});
    bench.set_sampler(0, 1, {2 | 2 << 3 | 2 << 6, linear ? 2u : 1u, 0, 0, 0, 0, 0, 0});
    TexRequest request;
    request.valid = true;
    request.op = TexOp::kSample;
    request.lanes = 0xffff;
    // All taps lie in four lines.
    for (auto& coord : request.coord) coord = {isa::bits_of(0.8f), isa::bits_of(1.75f), isa::bits_of(1.25f), 0};
    bench.sm0.todo = {request};
    bench.finish();
    constexpr unsigned kRequests = 12;
    for (unsigned i = 0; i < kRequests; ++i) bench.sm0.todo.push_back(request);
    unsigned converted = 0;
    for (unsigned edge = 0; edge < 12000 && !bench.done(); ++edge) {
      bench.run(1);
      FilterStages stages;
      bench.unit.trace_fields(stages);
      ASSERT_EQ(stages.places, stages.beats * config.tex.filter_lanes);
      for (const unsigned shares : stages.shares) ASSERT_LE(shares, config.tex.filter_lanes);
      converted += stages.shares[kConvertStage];
    }
    ASSERT_TRUE(bench.done());
    const unsigned bytes = texel_layout(format).bytes() * (linear ? 1u << dimensions : 1);
    const unsigned shares_of_lane = std::max((bytes + 15) / 16, slices ? 2u : 1u);
    EXPECT_EQ(converted, kRequests * kHalfWarp * shares_of_lane);
    for (const TexReply& reply : bench.sm0.replies) bench.expect_equal(request, reply);
    const unsigned lanes = std::max(1u, config.tex.address_lanes / (slices ? 2 : 1)), groups = kHalfWarp / lanes;
    const unsigned address_edges = slices && config.tex.address_lanes == 1 ? 2 : 1;
    const unsigned filter_edges = (lanes * shares_of_lane + config.tex.filter_lanes - 1) / config.tex.filter_lanes;
    EXPECT_EQ(bench.sm0.received[kRequests] - bench.sm0.received[kRequests - 4],
              4 * groups * std::max(address_edges, filter_edges));
  }
}

// Wide texels that lanes share with their neighbours lie in more lines than there are ports. What an edge has read is
// filtered while the rest is read.
TEST_F(TextureRates, TexelsOfMoreLinesThanPortsAreFilteredWhileOthersAreRead) {
  for (const auto& [address_lanes, edges] : {std::pair{4u, 8u}, {8u, 8u}}) {
    renew_context();
    Config config = small_texture_unit_config();
    config.tex.l1_bytes = 4 * 32 * 32;
    config.tex.l1_ways = 32;
    config.tex.address_lanes = address_lanes;
    config.tex.pipeline_latency = 60;
    config.tex.queue = 16;
    TextureUnitBench bench(config);
    bench.set_header(
        0, 3,
        {0x01 | 7u << 6 | 7u << 9 | 7u << 12 | 7u << 15 | 2u << 18, 0x4000, 1u << 14 | 1u << 18, 512, 32, 4, 0, 0});
    bench.set_sampler(0, 1, {2 | 2 << 3, 2, 0, 0, 0, 0, 0, 0});
    TexRequest request;
    request.valid = true;
    request.op = TexOp::kSample;
    request.lanes = 0xffff;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      request.coord[l] = {isa::bits_of(0.75f + static_cast<float>(l)), isa::bits_of(1.75f), 0, 0};
    }
    bench.sm0.todo = {request};
    bench.finish();
    for (unsigned i = 0; i < 24; ++i) bench.sm0.todo.push_back(request);
    bench.finish();
    for (const TexReply& reply : bench.sm0.replies) bench.expect_equal(request, reply);
    EXPECT_EQ(bench.sm0.received[24] - bench.sm0.received[4], 20u * edges) << address_lanes;
  }
}

TEST_F(TextureRates, BusySmsTakeTurns) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  for (unsigned i = 0; i < 20; ++i) {
    bench.sm0.todo.push_back(fetch_of(0, i));
    bench.sm1.todo.push_back(fetch_of(0, i));
  }
  bench.finish();
  for (unsigned i = 5; i < 20; ++i) {
    EXPECT_EQ(bench.sm0.received[1 + i] - bench.sm0.received[i], 8u) << i;
    EXPECT_EQ(bench.sm1.received[i] - bench.sm1.received[i - 1], 8u) << i;
  }
}

// A lane that filters between the texels of two slices takes two turns of an address lane and of a filter lane.
TEST_F(TextureRates, TheSlowerOfAddressAndFilterLanesSetsTheRateOfFilteredSamples) {
  for (const auto& [address, filter] : {std::pair{4u, 8u}, {16u, 2u}, {2u, 16u}, {32u, 32u}}) {
    for (const unsigned dimensions : {2u, 3u}) {
      SCOPED_TRACE(fmt::format("{} address lanes, {} filter lanes, {} dimensions", address, filter, dimensions));
      renew_context();
      Config config = small_texture_unit_config();
      config.tex.l1_bytes = 4 * 32 * 32;
      config.tex.l1_ways = 32;
      config.tex.address_lanes = address;
      config.tex.filter_lanes = filter;
      config.tex.queue = 16;
      TextureUnitBench bench(config);
      constexpr std::uint32_t kUnorm8x4 = 0x08 | 2u << 6 | 2u << 9 | 2u << 12 | 2u << 15;
      constexpr std::uint32_t kInOrder = 2u << 18 | 3u << 21 | 4u << 24 | 5u << 27;
      bench.set_header(0, 3,
                       {kUnorm8x4 | kInOrder, 0x4000, (dimensions - 1) << 14 | 1u << 18, 64, 8, 8 | 4u << 16, 0, 0});
      bench.set_sampler(0, 1, {0, 2, 0, 0, 0, 0, 0, 0});
      TexRequest request;
      request.valid = true;
      request.op = TexOp::kSample;
      request.lanes = 0xffff;
      for (unsigned l = 0; l < kHalfWarp; ++l)
        request.coord[l] = {isa::bits_of(0.25f + static_cast<float>(l % 4)), isa::bits_of(1.75f), isa::bits_of(1.25f),
                            0};
      bench.sm0.todo = {request};
      bench.finish();
      for (unsigned i = 0; i < 24; ++i) bench.sm0.todo.push_back(request);
      bench.finish();
      for (const TexReply& reply : bench.sm0.replies) bench.expect_equal(request, reply);
      const unsigned turns = kHalfWarp * (dimensions - 1), edges = std::max(1u, turns / std::min(address, filter));
      EXPECT_EQ(bench.sm0.received[24] - bench.sm0.received[4], 20u * edges);
    }
  }
}

}  // namespace
}  // namespace g80
