// SPDX-License-Identifier: Apache-2.0
// The texture unit with memory behind it: every reply equals the texture in memory, latency and rate as configured.
#include "hw/tex/texture_unit.h"

#include <fmt/format.h>

#include <deque>

#include "hw/common/field_values.h"
#include "hw/isa/float_bits.h"
#include "tb/check/sleep_check.h"
#include "tb/golden/texture_math.h"
#include "tests/cache/lru_model.h"
#include "tests/cache/mem_server.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

class TexClient final : public Clocked<NoRegs> {
 public:
  explicit TexClient(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_port<CrossingWriteIf<TexRequest>> request_o{"request_o"};
  sc_core::sc_port<CrossingReadIf<TexReply>> reply_i{"reply_i"};
  std::deque<TexRequest> todo;
  std::vector<TexReply> replies;
  std::vector<Cycle> sent, received;

 private:
  void next() override {
    if (reply_i->available()) {
      replies.push_back(reply_i->front());
      received.push_back(edge());
      reply_i->pop();
    }
    if (!todo.empty() && request_o->can_push()) {
      request_o->push(todo.front());
      sent.push_back(edge());
      todo.pop_front();
    }
  }
  void drive() override {}
};

Config small_texture_unit_config() {
  Config config;
  config.gpu.sms_per_tpc = 2;
  config.tex.l1_bytes = 2 * 2 * 32;  // 2 sets of 2 lines: 3D samples evict their own lines
  config.tex.l1_ways = 2;
  config.tex.line_bytes = 32;
  config.tex.address_lanes = 4;
  config.tex.filter_lanes = 8;
  config.tex.pipeline_latency = 40;
  config.tex.filter_latency = 10;
  config.tex.mshrs = 3;
  config.tex.queue = 4;
  return config;
}

constexpr std::uint32_t kHeaders = 0x100000, kSamplers = 0x110000;

struct TextureUnitBench {
  const bool no_sleep;
  Domain domain;
  TextureBindings bindings;
  CrossingFifo<TexRequest> requests0, requests1;
  CrossingFifo<TexReply> replies0, replies1;
  TexClient sm0{"sm0"}, sm1{"sm1"};
  TextureUnit unit;
  testing::MemServer memory;
  Wire<TextureBindings> shown{"shown"};
  Wire<MemRequest> miss{"miss"};
  Wire<bool> idle{"idle"}, miss_ready{"miss_ready"}, line_ready{"line_ready"};
  Wire<MemReply> line{"line"}, walk{"walk"};
  Wire<std::uint32_t> flush{"flush"};

  explicit TextureUnitBench(const Config& config, bool no_sleep = false, unsigned jitter = 0, unsigned delay = 30)
      : no_sleep(no_sleep),
        domain("domain", 0, 1000, 2, no_sleep),
        requests0("requests0", &domain, &domain, 4, 1),
        requests1("requests1", &domain, &domain, 4, 1),
        replies0("replies0", &domain, &domain, 4, 1),
        replies1("replies1", &domain, &domain, 4, 1),
        unit("unit", config, 1),
        memory("memory", delay, jitter, 17) {
    sm0.request_o(requests0);
    sm0.reply_i(replies0);
    sm1.request_o(requests1);
    sm1.reply_i(replies1);
    unit.sm_i[0](requests0);
    unit.sm_i[1](requests1);
    unit.sm_o[0](replies0);
    unit.sm_o[1](replies1);
    unit.bindings_i(shown);
    unit.miss_o(miss);
    unit.miss_ready_i(miss_ready);
    unit.line_i(line);
    unit.line_ready_o(line_ready);
    unit.flush_i(flush);
    unit.idle_o(idle);
    memory.request_i(miss);
    memory.ready_o(miss_ready);
    memory.reply_o(line);
    memory.reply_ready_i(line_ready);
    memory.walk_o(walk);
    memory.reads_virtual = true;
    bindings.header_base = kHeaders;
    bindings.sampler_base = kSamplers;
    bindings.last_header = 31;
    bindings.last_sampler = 7;
    show_bindings();
    domain.add(sm0);
    domain.add(sm1);
    domain.add(unit);
    domain.add(memory);
  }
  void show_bindings() { shown.write(bindings); }
  void set_header(unsigned texture, unsigned entry, const std::array<std::uint32_t, 8>& words) {
    bindings.texture[texture] = {true, entry};
    show_bindings();
    for (unsigned i = 0; i < 8; ++i) memory.words[kHeaders + entry * 32 + 4 * i] = words[i];
  }
  void set_sampler(unsigned sampler, unsigned entry, const std::array<std::uint32_t, 8>& words) {
    bindings.sampler[sampler] = {true, entry};
    show_bindings();
    for (unsigned i = 0; i < 8; ++i) memory.words[kSamplers + entry * 32 + 4 * i] = words[i];
  }
  void run(unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); }
  bool done() const {
    return sm0.todo.empty() && sm1.todo.empty() && sm0.sent.size() == sm0.replies.size() &&
           sm1.sent.size() == sm1.replies.size();
  }
  void finish() {
    for (int i = 0; i < 8000 && !done(); ++i) run(25);
    ASSERT_TRUE(done());
    run(50);
    EXPECT_TRUE(unit.idle());
    if (memory.busy_one_in == 0) {
      EXPECT_EQ(unit.awake(), no_sleep);
    }
  }
  /// What docs/texture.md says, with the descriptors and texels of the memory as it is now.
  std::array<std::uint32_t, 4> expected(const TexRequest& request, unsigned lane) const {
    const auto descriptor = [this](std::uint32_t base, unsigned entry) {
      std::array<std::uint32_t, 8> words;
      for (unsigned i = 0; i < 8; ++i) words[i] = memory.word(base + entry * 32 + 4 * i);
      return words;
    };
    const TableBinding& texture = bindings.texture[request.texture];
    if (!texture.valid) return {};
    const golden::TextureHeader header = golden::parse_texture_header(descriptor(kHeaders, texture.entry).data());
    if (!header.valid()) return {};
    if (request.op == TexOp::kSize) return {header.size[0], header.size[1], header.size[2], 1};
    golden::Sampler sampler;
    const TableBinding& bound = bindings.sampler[request.sampler];
    if (bound.valid) sampler = golden::parse_sampler(descriptor(kSamplers, bound.entry).data());
    golden::Taps taps;
    if (request.op == TexOp::kFetch) {
      taps.count = 1;
      taps.tap[0] = golden::fetch_tap(header, request.coord[lane].data(), request.offset.data());
    } else {
      taps = golden::sample_taps(header, sampler, request.coord[lane].data(), request.offset.data());
    }
    const bool bordered = request.op == TexOp::kSample && header.type != golden::TextureType::kBuffer;
    std::array<golden::Components, 8> texel{};
    for (unsigned t = 0; t < taps.count; ++t) {
      if (taps.tap[t].border) {
        if (bordered) texel[t] = sampler.border;
        continue;
      }
      const std::uint32_t address = golden::texel_address(header, taps.tap[t]);
      std::uint32_t words[5];  // of which a texel may begin in the middle of one
      for (unsigned i = 0; i < 5; ++i) words[i] = memory.word((address & ~3u) + 4 * i);
      texel[t] = golden::decode_texel(header, reinterpret_cast<const std::uint8_t*>(words) + address % 4);
    }
    return golden::select_sources(header, golden::filter(taps, texel));
  }
  void expect_equal(const TexRequest& request, const TexReply& reply) const {
    ASSERT_EQ(reply.fault, MemFault::kNone);
    ASSERT_EQ(reply.id, request.id);
    ASSERT_EQ(reply.lanes, request.lanes);
    ASSERT_EQ(reply.half, request.half);
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      const std::array<std::uint32_t, 4> none{};
      ASSERT_EQ(reply.texel[l], request.lanes >> l & 1 ? expected(request, l) : none) << "lane " << l;
    }
  }
};

/// 1D buffer of R32 uint.
constexpr std::array<std::uint32_t, 8> buffer_header(std::uint32_t base, std::uint32_t width) {
  return {0x0f | 4u << 6 | 2u << 18 | 0u << 21 | 0u << 24 | 6u << 27, base, 6u << 14, 0, width, 0, 0, 0};
}

TexRequest fetch_of(std::uint32_t first, unsigned id = 0, HalfMask lanes = 0xffff, std::uint32_t stride = 1) {
  TexRequest request;
  request.valid = true;
  request.op = TexOp::kFetch;
  request.lanes = lanes;
  request.id = static_cast<std::uint8_t>(id);
  for (unsigned l = 0; l < kHalfWarp; ++l) request.coord[l][0] = first + l * stride;
  return request;
}

using TextureUnitTest = testing::SystemCTest;

TEST_F(TextureUnitTest, AHitTakesThePipelineLatency) {
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

TEST_F(TextureUnitTest, AMissTakesTheMemoryAndThenTheEdgesBehindTheCache) {
  const Cycle memory = edges_of_miss(40, 10) - 10;
  EXPECT_GT(memory, 30u);  // of which 30 in memory
  for (const unsigned filter : {11u, 17u, 25u}) {
    EXPECT_EQ(edges_of_miss(40, filter), memory + filter);
    EXPECT_EQ(edges_of_miss(45, filter), memory + filter) << "what lies in front passes meanwhile";
  }
  EXPECT_EQ(edges_of_miss(200, 10), 1 + 197 + 1u) << "and may take longer than the memory";
}

// What is behind the cache is a pipe: it delays results and holds none back.
TEST_F(TextureUnitTest, TheEdgesBehindTheCacheCostNoRate) {
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
  EXPECT_EQ(edges_of_many(25), edges_of_many(10) + 15);
}

TEST_F(TextureUnitTest, TheAddressLanesSetTheRateOfHits) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  for (unsigned i = 0; i < 20; ++i) bench.sm0.todo.push_back(fetch_of(0, i));
  bench.finish();
  for (unsigned i = 3; i < 21; ++i)
    EXPECT_EQ(bench.sm0.received[i] - bench.sm0.received[i - 1], 4u) << i;  // 16 lanes, 4 an edge
}

// The ports of tags and data bring four lines at an edge, or as many as hold 2 x 2 texels of 4 bytes for each lane.
TEST_F(TextureUnitTest, LanesOfMoreLinesThanThereArePortsTakeMoreEdges) {
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

TEST_F(TextureUnitTest, MissesOfLaterRequestsOverlap) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(500, 0, 1)};
  bench.finish();
  bench.sm0.todo = {fetch_of(0, 1, 1), fetch_of(8, 2, 1), fetch_of(16, 3, 1)};  // three lines, three places
  bench.finish();
  EXPECT_LT(bench.sm0.received[3] - bench.sm0.sent[1], 40 + 2 * 30u) << "the pipeline, and less than two memories";
}

// The queue behind the tags is as long as misses may be outstanding: one-lane requests of a line each fill both.
TEST_F(TextureUnitTest, AsManyMissesAreOutstandingAsTheQueueIsLong) {
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

TEST_F(TextureUnitTest, WideTexelsTakeTheFilterLonger) {
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

// Entries 3 and 19 of the table share an entry of the header cache.
TEST_F(TextureUnitTest, AHeaderIsNotReplacedWhileARequestUsesIt) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.set_header(1, 19, {0x1d | 2u << 6 | 2u << 18, 0x8000, 6u << 14, 0, 4000, 0, 0, 0});
  for (unsigned i = 0; i < 12; ++i) {
    bench.sm0.todo.push_back(fetch_of(40 * i, i));
    bench.sm0.todo.back().texture = static_cast<std::uint8_t>(i % 2);
  }
  const std::deque<TexRequest> asked = bench.sm0.todo;
  bench.finish();
  for (unsigned i = 0; i < asked.size(); ++i) bench.expect_equal(asked[i], bench.sm0.replies[i]);
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 12u);
}

TEST_F(TextureUnitTest, ItSleepsWhileALineOrADescriptorComes) {
  TextureUnitBench bench(small_texture_unit_config(), false, 0, 500);
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  testing::StepCount steps({&bench.unit});
  bench.run(20);
  steps.restart();
  bench.sm0.todo = {fetch_of(0, 0, 1)};
  bench.finish();
  bench.run(700);
  EXPECT_EQ(bench.sm0.replies.size(), 1u);
  EXPECT_GT(bench.sm0.received[0] - bench.sm0.sent[0], 1000u) << "the header, then the line";
  steps.expect_at_most(60, "while both come from memory");
}

// Rows that follow one whose line is missing go on through the padding.
TEST_F(TextureUnitTest, ItWakesForTheRowsInThePaddingWhileALineComes) {
  Config config = small_texture_unit_config();
  config.tex.pipeline_latency = 110;
  TextureUnitBench bench(config, false, 0, 500);
  const SleepCheck check({&bench.domain});
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(0, 0, 1)};
  bench.finish();
  for (unsigned i = 0; i < 4; ++i) bench.sm0.todo.push_back(fetch_of(8 + i, i, 1));
  bench.finish();
  EXPECT_GT(check.probes(), 100u);
}

/// The numbers of all leaves, words of memories included.
struct LeafNumbers final : FieldVisitor {
  LeafNumbers() : FieldVisitor(true) {}
  void enter(const char* name, int index) override { path.push_back(path.back() + element_name(name, index) + "."); }
  void leave() override { path.pop_back(); }
  void leaf(const char* name, int index, std::uint64_t, unsigned, const EnumText*) override {
    number.emplace(path.back() + element_name(name, index), next++);
  }
  std::vector<std::string> path{""};
  std::map<std::string, std::uint32_t> number;
  std::uint32_t next = 0;
};

// A word that changes in a register or memory of the unit, at the right edge, changes a texel, its time, or an address:
// each stage uses what the one before it holds.
// A group of eight lines takes two edges of the ports; the first one waits for a line, the second one for nothing.
TEST_F(TextureUnitTest, ItStaysAwakeForARowBehindTheOneWhoseLineCame) {
  std::array<Cycle, 2> edges{};
  for (const bool no_sleep : {false, true}) {
    renew_context();
    Config config = small_texture_unit_config();
    config.tex.l1_bytes = 4 * 32 * 32;
    config.tex.l1_ways = 32;
    config.tex.address_lanes = 8;
    TextureUnitBench bench(config, no_sleep, 0, 200);
    bench.set_header(0, 3, buffer_header(0x4000, 1000));
    for (const HalfMask lanes : {0xfe, 0xff}) {
      bench.sm0.todo = {fetch_of(0, 0, lanes, 8)};
      bench.finish();
    }
    ASSERT_EQ(bench.sm0.received.size(), 2u);
    edges[no_sleep] = bench.sm0.received[1] - bench.sm0.sent[1];
  }
  EXPECT_EQ(edges[false], edges[true]);
}

TEST_F(TextureUnitTest, EveryStageHoldsWhatItHasComputed) {
  const auto reply_of = [](const std::string& field, unsigned at) {
    renew_context();
    TextureUnitBench bench(small_texture_unit_config());
    bench.set_header(0, 3, {0x0f | 7u << 6 | 2u << 18, 0x4000, 1u << 14 | 1u << 18 | 1u << 31, 64, 16, 16, 0, 0});
    bench.set_sampler(0, 1, {0, 2, 0, 0, 0, 0, 0, 0});
    TexRequest request;
    request.valid = true;
    request.op = TexOp::kSample;
    request.lanes = 1;
    request.coord[0] = {isa::bits_of(0.3f), isa::bits_of(0.6f), 0, 0};
    bench.sm0.todo = {request};
    bench.finish();
    request.coord[0][0] = isa::bits_of(0.4f);  // hits
    bench.sm0.todo = {request};
    bench.run(at);
    if (!field.empty()) {
      LeafNumbers leaves;
      bench.unit.trace_fields(leaves);
      FieldEditor flip(leaves.number.at(field), 1, {true, ~std::uint64_t{0}});
      bench.unit.edit_fields(flip);
    }
    for (unsigned i = 0; i < 400 && bench.sm0.replies.size() < 2; ++i) bench.run(1);
    std::pair<Cycle, TexReply> result{0, {}};
    if (bench.sm0.replies.size() == 2) result = {bench.sm0.received[1] - bench.sm0.sent[1], bench.sm0.replies[1]};
    return result;
  };
  const std::pair<Cycle, TexReply> plain = reply_of("", 0);
  ASSERT_TRUE(plain.second.valid);
  for (const char* field : {"queue.front.coord[0].at[0]",
                            "bound.header",
                            "setup.axis[0].scale",

                            "headers.entry[3].descriptor.base",
                            "samplers.entry[1].descriptor.linear",
                            "addresses.row[1].stage",
                            "addresses.lane[4].scaled[0].product",
                            "addresses.lane[4].fixed[0]",
                            "addresses.lane[4].placed[0].index",
                            "addresses.lane[4].placed[0].fraction",
                            "addresses.lane[4].taps[0].index[0]",
                            "addresses.lane[4].texels.address[0]",
                            "cache.tags.slot[0].line",
                            "cache.data[5]",
                            "rows.group.front.end",
                            "rows.texels[8].offset[0]",
                            "filter.row[1].stage",
                            "filter.lane[4].texel[0].at[0]",
                            "filter.lane[4].sum[0]",
                            "flights.front.half",
                            "results.front.texel[0].at[0]"}) {
    bool changed = false;
    for (unsigned at = 1; at < 45 && !changed; ++at) {
      try {
        const std::pair<Cycle, TexReply> other = reply_of(field, at);
        changed = other.first != plain.first || !(other.second == plain.second);
      } catch (const ModelError&) {
        changed = true;
      }
    }
    EXPECT_TRUE(changed) << field;
  }
}

TEST_F(TextureUnitTest, SizesAndUnboundTexturesNeedNoTexels) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(5, 3, {0x0f | 7u << 6 | 2u << 18, 0x4000, 2u << 14 | 1u << 18, 64, 16, 8 | 4u << 16, 0, 0});
  TexRequest size = fetch_of(0);
  size.op = TexOp::kSize;
  size.texture = 5;
  TexRequest unbound = fetch_of(0, 1);
  unbound.texture = 6;
  bench.bindings.texture[7] = {true, 32};  // beyond the table
  bench.show_bindings();
  TexRequest beyond = fetch_of(0, 2);
  beyond.texture = 7;
  // A header that is none: blocks wider than a GOB.
  bench.set_header(8, 4, {0x0f | 7u << 6 | 2u << 18, 0x4000, 2u << 14 | 1u << 19, 64, 16, 8 | 4u << 16, 0, 0});
  TexRequest invalid = size;
  invalid.texture = 8;
  bench.sm1.todo = {size, unbound, beyond, invalid};
  bench.finish();
  EXPECT_EQ(bench.sm1.replies[3].texel[9], (std::array<std::uint32_t, 4>{0, 0, 0, 0}));
  EXPECT_EQ(bench.sm1.replies[0].texel[9], (std::array<std::uint32_t, 4>{16, 8, 4, 1}));
  EXPECT_EQ(bench.sm1.replies[1].texel[9], (std::array<std::uint32_t, 4>{0, 0, 0, 0}));
  EXPECT_EQ(bench.sm1.replies[2].texel[9], (std::array<std::uint32_t, 4>{0, 0, 0, 0}));
  EXPECT_EQ(bench.unit.counters().texels, 0u);
}

TEST_F(TextureUnitTest, ALineOrDescriptorThatCannotBeReadFaultsWithItsAddress) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x200000, 1000));
  bench.memory.unmapped_from = 0x200020;
  bench.sm0.todo = {fetch_of(0, 0, 0xff), fetch_of(1, 1)};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[0].fault, MemFault::kNone);
  EXPECT_EQ(bench.sm0.replies[1].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.sm0.replies[1].fault_address, 0x200020u);
  bench.memory.unmapped_from = 0;
  bench.flush.write(1);
  bench.run(2);
  bench.sm0.todo = {fetch_of(0, 2)};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[2].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.sm0.replies[2].fault_address, kHeaders + 3 * 32);
}

TEST_F(TextureUnitTest, NoWakeUpIsLost) {
  TextureUnitBench bench(small_texture_unit_config());
  const SleepCheck check({&bench.domain});
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned i = 0; i < 6; ++i) bench.sm0.todo.push_back(fetch_of(8 * i + 100 * round, i, 0xffff, 3));
    bench.sm1.todo.push_back(fetch_of(8 + 100 * round, 7, 0x00f0));
    bench.finish();
    bench.run(200);
  }
  EXPECT_GT(check.probes(), 100u);
}

TEST_F(TextureUnitTest, WithoutRequestsItSleeps) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  testing::StepCount steps({&bench.unit});
  bench.run(20);
  steps.restart();
  bench.run(300);
  steps.expect_none("without requests");
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  bench.run(20);
  steps.restart();
  bench.run(300);
  steps.expect_none("without requests");
  bench.sm0.todo = {fetch_of(0, 1, 1)};
  bench.finish();
  bench.run(100);
  steps.expect_at_most(40 + 5, "while one request passes");
}

TEST_F(TextureUnitTest, ReadsOfMemoryNameTheRequestThatMissed) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(2, 3, buffer_header(0x4000, 1000));
  TexRequest request = fetch_of(3, 9, 0x00f0);
  request.texture = 2;
  request.half = 1;
  request.origin.tag.bits = 0x1234567;
  request.origin.warp = 5;
  request.origin.pc = 0x48;
  bench.sm1.todo = {request};
  bench.finish();
  ASSERT_EQ(bench.memory.log.size(), 3u) << "the header, and two lines for texels 7 to 10";
  const std::uint32_t addresses[] = {kHeaders + 3 * 32, 0x4000, 0x4020};
  for (unsigned i = 0; i < 3; ++i) {
    const MemRequest& read = bench.memory.log[i].request;
    EXPECT_EQ(read.op, MemOp::kRead);
    EXPECT_EQ(read.client, MemClient::kTexture);
    EXPECT_EQ(read.port, 1) << "the TPC";
    EXPECT_EQ(read.bytes, 32);
    EXPECT_EQ(read.virtual_address, addresses[i]);
    EXPECT_EQ(read.origin, request.origin);
  }
  const TexReply& reply = bench.sm1.replies.at(0);
  EXPECT_EQ(reply.sm_in_tpc, 1);
  EXPECT_EQ(reply.half, 1);
  EXPECT_EQ(reply.id, 9);
  EXPECT_EQ(reply.lanes, 0x00f0);
  EXPECT_EQ(reply.origin, request.origin);
  const TextureUnit::Counters counters = bench.unit.counters();
  EXPECT_EQ(counters.requests, 1u);
  EXPECT_EQ(counters.lanes, 4u);
  EXPECT_EQ(counters.texels, 4u);
  EXPECT_EQ(counters.misses, 2u);
  EXPECT_EQ(counters.hits, 2u);
  EXPECT_EQ(counters.descriptor_reads, 1u);
}

TEST_F(TextureUnitTest, BusySmsTakeTurns) {
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
TEST_F(TextureUnitTest, TheSlowerOfAddressAndFilterLanesSetsTheRateOfFilteredSamples) {
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

TEST_F(TextureUnitTest, AFlushWhileADescriptorIsFetchedFetchesItAgain) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(0)};
  while (bench.memory.log.empty()) bench.run(1);
  bench.run(2);
  bench.set_header(0, 3, buffer_header(0x5000, 1000));  // what is on its way is the old one
  bench.flush.write(1);
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[0].texel[0][0], bench.memory.word(0x5000));
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 2u);
}

TEST_F(TextureUnitTest, ASamplerThatCannotBeReadFaultsOnceAndIsAskedForAgain) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, {0x0f | 4u << 6 | 2u << 18, 0x4000, 0u << 14 | 1u << 18, 0, 100, 0, 0, 0});
  bench.set_sampler(0, 1, {0, 0, 0, 0, 0, 0, 0, 0});
  bench.memory.unmapped_from = kSamplers;
  TexRequest request = fetch_of(0);
  request.op = TexOp::kSample;
  bench.sm0.todo = {request};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[0].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.sm0.replies[0].fault_address, kSamplers + 32);
  bench.memory.unmapped_from = ~0u;
  bench.sm0.todo = {request};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[1].fault, MemFault::kNone);
  EXPECT_EQ(bench.sm0.replies[1].texel[0][0], bench.memory.word(0x4000));
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 3u);
}

TEST_F(TextureUnitTest, AResetInTheMiddleLeavesNothing) {
  for (const unsigned edges : {30u, 120u, 200u}) {
    renew_context();
    TextureUnitBench bench(small_texture_unit_config());
    const testing::ResetCheck check({&bench.unit});
    bench.set_header(0, 3, buffer_header(0x4000, 1000));
    for (unsigned i = 0; i < 30; ++i) bench.sm0.todo.push_back(fetch_of(8 * i, i, 0xffff, 3));
    bench.run(edges);
    EXPECT_FALSE(bench.unit.idle());
    check.expect_fresh();
    EXPECT_TRUE(bench.unit.idle());
  }
}

TEST_F(TextureUnitTest, AFlushShowsNewTexelsAndNewHeaders) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  const std::uint32_t before = bench.memory.word(0x4000);
  bench.memory.words[0x4000] = 77;
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[1].texel[0][0], before);
  bench.flush.write(1);
  bench.run(2);
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[2].texel[0][0], 77u);
  bench.set_header(0, 3, buffer_header(0x5000, 1000));
  bench.flush.write(2);
  bench.run(2);
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[3].texel[0][0], bench.memory.word(0x5000));
}

TEST_F(TextureUnitTest, DescriptorsOfNeighbouringEntriesStayBesideEachOther) {
  TextureUnitBench bench(small_texture_unit_config());
  for (unsigned texture = 0; texture < 4; ++texture) {
    bench.set_header(texture, 8 + texture, buffer_header(0x4000 + 0x100 * texture, 1000));
  }
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned texture = 0; texture < 4; ++texture) {
      bench.sm0.todo.push_back(fetch_of(0));
      bench.sm0.todo.back().texture = static_cast<std::uint8_t>(texture);
    }
  }
  bench.finish();
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 4u);
}

TEST_F(TextureUnitTest, LinesAreFetchedExactlyAsOftenAsThePolicySays) {
  const unsigned seed = random_seed() + 41;
  SCOPED_TRACE(seed);
  for (const std::string policy : {"lru", "fifo"}) {
    SCOPED_TRACE(policy);
    renew_context();
    std::mt19937 random(seed);
    Config config = small_texture_unit_config();
    config.tex.l1_replacement = *from_text<ReplacementPolicy>(policy);
    TextureUnitBench bench(config, false, 20);
    bench.set_header(0, 3, buffer_header(0x4000, 1000));
    testing::LruModel model(2, 2, policy);
    std::uint64_t misses = 0;
    for (unsigned i = 0; i < 600; ++i) {
      const TexRequest request =
          fetch_of(random() % 100, i, static_cast<HalfMask>(random() % 0xffff + 1), random() % 3);
      bench.sm0.todo.push_back(request);
      for (unsigned l = 0; l < kHalfWarp; ++l) {
        if (!(request.lanes >> l & 1)) continue;
        const std::uint32_t line = (0x4000 + 4 * request.coord[l][0]) / 32;
        misses += !model.use(line);
      }
    }
    const std::deque<TexRequest> asked = bench.sm0.todo;
    bench.finish();
    for (unsigned i = 0; i < asked.size(); ++i) bench.expect_equal(asked[i], bench.sm0.replies[i]);
    EXPECT_EQ(bench.unit.counters().misses, misses);
    EXPECT_EQ(bench.memory.log.size(), misses + 1);  // and the descriptor
  }
}

TEST_F(TextureUnitTest, RandomTexturesEqualMemoryInOrderAndSleepChangesNothing) {
  const unsigned seed = random_seed() + 42;
  SCOPED_TRACE(seed);
  static constexpr std::uint32_t kFormats[] = {0x01, 0x03, 0x04, 0x08, 0x0c, 0x0f, 0x18, 0x1b, 0x1d};
  static constexpr std::uint32_t kTypes[] = {1, 2, 3, 4, 7, 7, 2, 2};
  static constexpr std::uint32_t kKinds[] = {0, 1, 2, 6, 7, 1, 2, 2};
  std::vector<Cycle> first;
  for (const bool no_sleep : {false, true}) {
    renew_context();
    std::mt19937 random(seed);
    TextureUnitBench bench(small_texture_unit_config(), no_sleep, 40);
    bench.memory.busy_one_in = 3;
    for (unsigned t = 0; t < 24; ++t) {
      const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
      const std::uint32_t type = kTypes[below(8)];
      const std::uint32_t w0 = kFormats[below(9)] | type << 6 | type << 9 | type << 12 | type << 15 | below(4096) << 18;
      const std::uint32_t layout = below(2) == 0 ? 1u << 18 : below(2) << 22 | below(2) << 25;  // pitch, or blocks
      bench.set_header(t, 31 - t,
                       {w0, 0x4000 + t * 0x1000, kKinds[below(8)] << 14 | layout | below(2) << 31, 128, 1 + below(8),
                        (1 + below(8)) | (1 + below(3)) << 16, 0, 0});
    }
    for (unsigned s = 0; s < 6; ++s) {
      bench.set_sampler(
          s, s,
          {static_cast<std::uint32_t>(random()), 1u + s % 3 % 2, 0, 0, 0x3f000000, 0x40000000, 0x40400000, 0x40800000});
    }
    std::array<std::vector<TexRequest>, 2> asked;
    for (unsigned i = 0; i < 600; ++i) {
      TexRequest request;
      request.valid = true;
      request.op = random() % 4 == 0 ? TexOp::kFetch : random() % 16 == 0 ? TexOp::kSize : TexOp::kSample;
      request.half = static_cast<std::uint8_t>(random() % 2);
      request.lanes = static_cast<HalfMask>(random());
      request.id = static_cast<std::uint8_t>(i);
      request.texture = static_cast<std::uint8_t>(random() % 25);
      request.sampler = static_cast<std::uint8_t>(random() % 7);
      for (auto& offset : request.offset) offset = static_cast<std::int8_t>(static_cast<int>(random() % 5) - 2);
      for (auto& coord : request.coord) {
        for (std::uint32_t& c : coord) {
          c = request.op == TexOp::kFetch ? random() % 12 - 2
                                          : isa::bits_of(static_cast<float>(random() % 4096) / 256.0f - 4.0f);
        }
      }
      const unsigned sm = random() % 2;
      (sm ? bench.sm1 : bench.sm0).todo.push_back(request);
      asked[sm].push_back(request);
      if (i % 50 == 49) {
        bench.finish();
        if (random() % 2) bench.flush.write(i);
        bench.run(random() % 30);
      }
    }
    bench.finish();
    for (unsigned sm = 0; sm < 2; ++sm) {
      const TexClient& client = sm ? bench.sm1 : bench.sm0;
      for (unsigned i = 0; i < asked[sm].size(); ++i) {
        ASSERT_EQ(client.replies[i].sm_in_tpc, sm);
        bench.expect_equal(asked[sm][i], client.replies[i]);
      }
    }
    std::vector<Cycle> record = bench.sm0.received;
    record.insert(record.end(), bench.sm1.received.begin(), bench.sm1.received.end());
    record.insert(record.end(), {bench.unit.counters().hits, bench.unit.counters().misses});
    if (no_sleep) {
      EXPECT_EQ(record, first);
    }
    first = record;
  }
}

}  // namespace
}  // namespace g80
