// SPDX-License-Identifier: Apache-2.0
// The texture unit with memory behind it: every reply equals the texture in memory, and nothing is lost or late.
#include <fmt/format.h>

#include "hw/common/field_values.h"
#include "hw/isa/float_bits.h"
#include "tb/check/sleep_check.h"
#include "tests/cache/lru_model.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/tex/texture_unit_bench.h"

namespace g80 {
namespace {

using namespace testing;
using TextureUnitTest = SystemCTest;

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
  bench.run(100);  // rows of the tables
  steps.restart();
  bench.sm0.todo = {fetch_of(0, 0, 1)};
  bench.finish();
  bench.run(700);
  EXPECT_EQ(bench.sm0.replies.size(), 1u);
  EXPECT_GT(bench.sm0.received[0] - bench.sm0.sent[0], 1000u) << "the header, then the line";
  steps.expect_at_most(60, "while both come from memory");
  bench.set_header(1, 4, {0x0f | 4u << 6 | 2u << 18, 0x8000, 0u << 14 | 1u << 18, 0, 100, 0, 0, 0});
  bench.set_sampler(0, 1, {0, 0, 0, 0, 0, 0, 0, 0});
  TexRequest sample = fetch_of(0, 1, 1);
  sample.op = TexOp::kSample;
  sample.texture = 1;
  bench.sm0.todo = {sample};
  bench.finish();
  bench.run(700);
  EXPECT_GT(bench.sm0.received[1] - bench.sm0.sent[1], 1500u) << "the header, the sampler, then the line";
  steps.expect_at_most(65, "while all three come from memory");
}

TEST_F(TextureUnitTest, AResultThatWaitsForItsSmKeepsItBusy) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.takes = false;
  for (unsigned i = 0; i < 5; ++i) bench.sm0.todo.push_back(fetch_of(8 * i, i, 1));
  bench.run(1000);  // four are in the queue to the SM, and nothing else is inside
  EXPECT_FALSE(bench.unit.idle());
  bench.sm0.takes = true;
  bench.finish();
  EXPECT_EQ(bench.sm0.replies.size(), 5u);
}

// Entry 0 of the table is in the cache and has nothing to do with the texture that is not bound.
TEST_F(TextureUnitTest, ASampleOfATextureThatIsNotBoundAsksForNoSampler) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 0, {0x0f | 4u << 6 | 2u << 18, 0x4000, 0u << 14 | 1u << 18, 0, 100, 0, 0, 0});
  bench.set_sampler(0, 1, {0, 0, 0, 0, 0, 0, 0, 0});
  bench.sm0.todo = {fetch_of(0)};
  bench.finish();
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 1u);
  TexRequest sample = fetch_of(0, 1);
  sample.op = TexOp::kSample;
  sample.texture = 6;
  bench.sm0.todo = {sample};
  bench.finish();
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 1u);
  EXPECT_EQ(bench.sm0.replies[1].texel, (TexReply{}.texel));
}

TEST_F(TextureUnitTest, OnlyASampleOfATextureThatIsFilteredAsksForItsSampler) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.set_header(1, 4, {0x0f | 4u << 6 | 2u << 18, 0x4000, 0u << 14 | 1u << 18, 0, 100, 0, 0, 0});
  bench.set_sampler(1, 1, {0, 0, 0, 0, 0, 0, 0, 0});
  TexRequest of_buffer = fetch_of(0, 0), unbound = fetch_of(0, 1), fetch = fetch_of(0, 2);
  of_buffer.op = unbound.op = TexOp::kSample;
  unbound.texture = fetch.texture = 1;
  of_buffer.sampler = fetch.sampler = 1;
  bench.sm0.todo = {of_buffer, unbound, fetch};
  bench.finish();
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 2u) << "the headers";
}

TEST_F(TextureUnitTest, AFlushShowsNewSamplers) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, {0x0f | 7u << 6 | 2u << 18, 0x4000, 1u << 14 | 1u << 18 | 1u << 31, 64, 16, 16, 0, 0});
  TexRequest request = fetch_of(0);
  request.op = TexOp::kSample;
  for (auto& coord : request.coord) coord = {isa::bits_of(0.3f), isa::bits_of(0.6f), 0, 0};
  for (const unsigned filter : {1u, 2u}) {
    bench.set_sampler(0, 1, {0, filter, 0, 0, 0, 0, 0, 0});
    bench.flush.write(filter);
    bench.run(2);
    bench.sm0.todo = {request};
    bench.finish();
    bench.expect_equal(request, bench.sm0.replies.back());
  }
  EXPECT_NE(bench.sm0.replies[0].texel, bench.sm0.replies[1].texel);
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

// A word that changes in a register or memory of the unit, at the right edge, changes a texel, its time, or an address:
// each stage uses what the one before it holds.
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
  for (const char* field : {"coordinates.front[0].at[0]",
                            "asked.call.texture",
                            "bound.header",
                            "bound.call.half",
                            "setup.axis[0].scale",
                            "headers.entry[3].descriptor.base",
                            "samplers.entry[1].descriptor.linear",
                            "addresses.row[1].stage",
                            "addresses.lane[4].scaled[0].product",
                            "addresses.lane[4].fixed[0]",
                            "addresses.lane[4].placed[0].index",
                            "addresses.lane[4].placed[0].fraction",
                            "addresses.lane[4].taps[0].index[0]",
                            "addresses.lane[4].row[0]",
                            "addresses.lane[4].texels.address[0]",
                            "ports.row[1].line[0]",
                            "ports.texels[4].taps",
                            "tag_port",
                            "cache.tags.slot[0].line",
                            "cache.data[5]",
                            "rows.group.front.end",
                            "rows.texels[8].offset[0]",
                            "filter.texels[0].texel[0].at[0]",
                            "filter.row[1].stage",
                            "filter.share[8].texel[0].at[0]",
                            "filter.share[8].weight[0]",
                            "filter.share[8].product[0].at[0]",
                            "filter.share[8].aligned[0].larger",
                            "filter.share[8].sum[0]",
                            "flights.front.half",
                            "reading.flight.lanes",
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
  bench.bind_texture(7, 32);  // beyond the table
  TexRequest beyond = fetch_of(0, 2);
  beyond.texture = 7;
  bench.set_header(9, 32, buffer_header(0x4000, 1000));  // a good one, but behind the end of the table
  TexRequest behind = fetch_of(0, 4);
  behind.texture = 9;
  // A header that is none: blocks wider than a GOB.
  bench.set_header(8, 4, {0x0f | 7u << 6 | 2u << 18, 0x4000, 2u << 14 | 1u << 19, 64, 16, 8 | 4u << 16, 0, 0});
  TexRequest invalid = size;
  invalid.texture = 8;
  bench.sm1.todo = {size, unbound, beyond, invalid, behind};
  bench.finish();
  for (const unsigned none : {3, 4})
    EXPECT_EQ(bench.sm1.replies[none].texel[9], (std::array<std::uint32_t, 4>{0, 0, 0, 0}));
  EXPECT_EQ(bench.sm1.replies[0].texel[9], (std::array<std::uint32_t, 4>{16, 8, 4, 1}));
  EXPECT_EQ(bench.sm1.replies[1].texel[9], (std::array<std::uint32_t, 4>{0, 0, 0, 0}));
  EXPECT_EQ(bench.sm1.replies[2].texel[9], (std::array<std::uint32_t, 4>{0, 0, 0, 0}));
  EXPECT_EQ(bench.unit.counters().texels, 0u);
}

TEST_F(TextureUnitTest, ALineOrDescriptorThatCannotBeReadFaultsWithItsAddress) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 3, buffer_header(0x200000, 1000));
  bench.memory.unmapped_from = 0x200020;
  // The first line that cannot be read, of two behind one another and of two at an edge; of its own request only.
  bench.sm0.todo = {fetch_of(0, 0, 0xff), fetch_of(1, 1),     fetch_of(0, 2, 0xff),
                    fetch_of(8, 3, 3, 8), fetch_of(16, 4, 1), fetch_of(0, 5, 0xff)};
  bench.finish();
  const std::uint32_t first[] = {0, 0x200020, 0, 0x200020, 0x200040, 0};
  for (unsigned i = 0; i < std::size(first); ++i) {
    const TexReply& reply = bench.sm0.replies[i];
    EXPECT_EQ(reply.fault, first[i] != 0 ? MemFault::kPageNotPresent : MemFault::kNone) << i;
    EXPECT_EQ(reply.fault != MemFault::kNone ? reply.fault_address : 0, first[i]) << i;
  }
  bench.memory.unmapped_from = 0;
  bench.flush.write(1);
  bench.run(2);
  bench.sm0.todo = {fetch_of(0, 6)};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[6].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.sm0.replies[6].fault_address, kHeaders + 3 * 32);
}

TEST_F(TextureUnitTest, NoWakeUpIsLost) {
  TextureUnitBench bench(small_texture_unit_config());
  const SleepCheck check({&bench.domain});
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  // Both ask while the header comes: one of them waits at its port.
  bench.sm0.todo = bench.sm1.todo = {fetch_of(0)};
  bench.finish();
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
  bench.run(100);  // rows of the tables
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

// The texture is none any more when its header has come again: the request is answered while the sampler comes.
TEST_F(TextureUnitTest, ASamplerThatNobodyWaitsForKeepsItBusyUntilItComes) {
  TextureUnitBench bench(small_texture_unit_config(), false, 0, 300);
  bench.set_header(0, 3, {0x0f | 4u << 6 | 2u << 18, 0x4000, 0u << 14 | 1u << 18, 0, 100, 0, 0, 0});
  bench.set_sampler(0, 1, {0, 0, 0, 0, 0, 0, 0, 0});
  TexRequest request = fetch_of(0);
  request.op = TexOp::kSample;
  bench.sm0.todo = {request};
  while (bench.memory.log.size() < 2) bench.run(1);
  ASSERT_EQ(bench.memory.log[1].request.virtual_address, kSamplers + 32);
  bench.set_header(0, 3, {});
  bench.memory.delay = 20;  // the header overtakes the sampler
  bench.flush.write(1);
  unsigned alone = 0;
  for (unsigned edge = 0; edge < 600; ++edge) {
    const bool comes = bench.memory.log[1].edge + 300 >= bench.domain.edge();
    ASSERT_FALSE(comes && bench.unit.idle()) << edge;
    alone += comes && !bench.sm0.replies.empty() ? 1 : 0;
    bench.run(1);
  }
  EXPECT_GT(alone, 50u);
  EXPECT_EQ(bench.sm0.replies[0].texel, (TexReply{}.texel));
  EXPECT_TRUE(bench.unit.idle());
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
  EXPECT_EQ(bench.unit.counters().texels, 0u);
  bench.memory.unmapped_from = ~0u;
  bench.sm0.todo = {request};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[1].fault, MemFault::kNone);
  EXPECT_EQ(bench.sm0.replies[1].texel[0][0], bench.memory.word(0x4000));
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 3u);
}

TEST_F(TextureUnitTest, TablesBeginAtEntriesAndEndWhereTheLaunchSays) {
  Config config = small_texture_unit_config();
  config.tex.line_bytes = 64;
  TextureUnitBench bench(config);
  bench.bindings.tic.low += 31;
  bench.bindings.tsc.low += 17;
  bench.set_header(0, 31, {0x0f | 4u << 6 | 2u << 18, 0x4000, 0u << 14 | 1u << 18, 0, 100, 0, 0, 0});
  for (const unsigned entry : {7u, 8u}) bench.set_sampler(entry - 7, entry, {0, 0, 0, 0, 0, 0, 0, 0});  // they wrap
  std::vector<TexRequest> requests;
  for (const unsigned sampler : {0u, 1u, 0u}) {
    TexRequest request = fetch_of(0, sampler, 1);
    request.op = TexOp::kSample;
    request.sampler = static_cast<std::uint8_t>(sampler);
    request.coord[0][0] = isa::bits_of(101.0f);
    requests.push_back(request);
  }
  bench.sm0.todo = {requests.begin(), requests.end()};
  bench.finish();
  const std::uint32_t wrapped = bench.memory.word(0x4000 + 4), clamped = bench.memory.word(0x4000 + 4 * 99);
  EXPECT_EQ(bench.sm0.replies[0].texel[0][0], clamped) << "without normalised coordinates";
  EXPECT_EQ(bench.sm0.replies[1].texel[0][0], clamped);
  EXPECT_NE(wrapped, clamped);
  for (const auto& seen : bench.memory.log)
    EXPECT_EQ(seen.request.bytes, seen.request.virtual_address >= kHeaders ? 32 : 64);
  EXPECT_EQ(bench.unit.counters().descriptor_reads, 2u) << "sampler 8 lies behind the table";
}

// A memory has no reset: what it held before is not bound.
TEST_F(TextureUnitTest, NothingIsBoundBehindAResetBeforeAllRowsHaveCome) {
  TextureUnitBench bench(small_texture_unit_config());
  bench.set_header(0, 0, buffer_header(0x4000, 1000));
  const auto header = buffer_header(0x4000, 1000);
  for (unsigned i = 0; i < 8; ++i) bench.memory.words[4 * i] = header[i];  // where the tables of a reset are
  bench.sm0.todo = {fetch_of(5, 0, 1)};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[0].texel[0][0], bench.memory.word(0x4000 + 20));
  bench.unit.hold_reset();
  bench.unit.commit();
  bench.sm0.todo = {fetch_of(5, 1, 1)};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[1].texel[0][0], 0u);
  bench.shown = {};  // all rows go again
  bench.set_header(0, 0, buffer_header(0x5000, 1000));
  bench.sm0.todo = {fetch_of(5, 2, 1)};
  bench.finish();
  EXPECT_EQ(bench.sm0.replies[2].texel[0][0], bench.memory.word(0x5000 + 20));
}

// Each texture and sampler number has its own binding, two and four of them in a row.
TEST_F(TextureUnitTest, EachNumberHasABindingOfItsOwn) {
  TextureUnitBench bench(small_texture_unit_config());
  for (unsigned t = 0; t < kMaxTextures; ++t) bench.set_header(t, t % 32, buffer_header(0x4000 + 0x1000 * (t % 32), 9));
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned t = 0; t < kMaxTextures; ++t) {
      bench.sm0.todo.push_back(fetch_of(2, t, 1));
      bench.sm0.todo.back().texture = static_cast<std::uint8_t>(t);
    }
    bench.finish();
    for (unsigned t = 0; t < kMaxTextures; ++t) {
      EXPECT_EQ(bench.sm0.replies[t].texel[0][0],
                round != 0 && t % 2 == 0 ? 0 : bench.memory.word(0x4008 + 0x1000 * (t % 32)))
          << t;
    }
    bench.sm0.replies.clear();
    bench.sm0.sent.clear();
    for (unsigned t = 0; t < kMaxTextures; t += 2) bench.bindings.texture_bound[t] = false;
    bench.show_bindings();
  }
}

TEST_F(TextureUnitTest, RepliesThatNobodyTakesHoldUpItsRequestsAndNoneIsLost) {
  const Config config = small_texture_unit_config();
  TextureUnitBench bench(config);
  bench.set_header(0, 3, buffer_header(0x4000, 1000));
  bench.sm0.takes = false;
  for (unsigned i = 0; i < 200; ++i) bench.sm0.todo.push_back(fetch_of(i % 50, i, 1));
  const std::vector<TexRequest> asked(bench.sm0.todo.begin(), bench.sm0.todo.end());
  bench.run(2000);
  EXPECT_EQ(bench.sm0.sent.size(), 64u) << "as many as it has places";
  EXPECT_FALSE(bench.idle.read());
  EXPECT_EQ(bench.unit.registers().waiting, 4);
  const unsigned rows =
      LatencyQueue::rows(config.tex.pipeline_latency - least_texture_latency(config), config.tex.mshrs);
  EXPECT_EQ(bench.unit.registers().in_flight, AddressPipe::kGroups + TexelPorts::kRows + rows + 2) << "all are full";
  EXPECT_TRUE(bench.unit.registers().reply_valid);
  bench.sm0.takes = true;
  bench.finish();
  EXPECT_EQ(bench.unit.registers().waiting + bench.unit.registers().in_flight, 0);
  EXPECT_FALSE(bench.unit.registers().reply_valid);
  for (unsigned i = 0; i < asked.size(); ++i) bench.expect_equal(asked[i], bench.sm0.replies[i]);
}

TEST_F(TextureUnitTest, AResetInTheMiddleLeavesNothing) {
  for (const unsigned edges : {30u, 120u, 200u}) {
    renew_context();
    TextureUnitBench bench(small_texture_unit_config());
    const testing::ResetCheck check({&bench.unit});
    bench.set_header(0, 3, buffer_header(0x4000, 1000));
    for (unsigned i = 0; i < 30; ++i) bench.sm0.todo.push_back(fetch_of(8 * i, i, 0xffff, 3));
    bench.run(launch_row::kParam - launch_row::kTables + edges);
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
  // With three filter lanes the shares of a lane enter at several edges, and lines come in between.
  for (const auto& [filter_lanes, no_sleep] : {std::pair{3u, false}, {3u, true}, {8u, false}, {8u, true}}) {
    renew_context();
    std::mt19937 random(seed);
    Config config = small_texture_unit_config();
    config.tex.filter_lanes = filter_lanes;
    TextureUnitBench bench(config, no_sleep, 40);
    bench.memory.busy_one_in = 3;
    testing::StepCount steps({&bench.unit});
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
    EXPECT_EQ(bench.unit.counters().hits + bench.unit.counters().misses, bench.unit.counters().texels);
    if (no_sleep) {
      EXPECT_EQ(record, first);
    } else if (filter_lanes == 8 && seed == 1 + 42) {
      steps.expect({27399});
    }
    first = record;
  }
}

}  // namespace
}  // namespace g80
