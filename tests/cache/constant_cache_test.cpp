// SPDX-License-Identifier: Apache-2.0
// The first-level constant cache behind its line port: one pass per distinct word of a half-warp, data equal to memory.
#include "hw/cache/constant_cache.h"

#include <map>
#include <set>

#include "tb/check/sleep_check.h"
#include "tests/cache/first_level_bench.h"
#include "tests/cache/lru_model.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {

namespace {

TEST(SelectBroadcast, LanesOfTheSameWordGoTogether) {
  std::uint32_t address[16];
  for (unsigned l = 0; l < 16; ++l) address[l] = 0x100 + (l % 4) * 4 + l % 2;
  EXPECT_EQ(select_broadcast(0xffff, address), 0x1111);
  EXPECT_EQ(select_broadcast(0xfff0, address), 0x1110);
  EXPECT_EQ(select_broadcast(0xfffe, address), 0x2222);
  EXPECT_EQ(select_broadcast(0, address), 0);
}

Config small_constant_config(unsigned per_4_cycles = 2) {
  Config config;
  config.ccache.l1_bytes = 4 * 2 * 64;
  config.ccache.l1_ways = 2;
  config.ccache.line_bytes = 64;
  config.ccache.mshrs = 2;
  config.sm.const_addresses_per_4_cycles = per_4_cycles;
  return config;
}

/// Lanes of a half-warp; or any lanes, without a stride.
ConstRequest read_of(LaneMask lanes, std::uint32_t base, std::uint32_t stride, unsigned id = 0, unsigned bytes = 4) {
  ConstRequest request;
  request.valid = true;
  request.id = static_cast<std::uint8_t>(id);
  request.bytes = static_cast<std::uint8_t>(bytes);
  request.lanes = lanes;
  request.direct = stride == 0;
  for (unsigned l = 0; l < kHalfWarp; ++l) request.address[l] = base + l * stride;
  return request;
}

/// Distinct words of each half-warp.
unsigned passes_of(const ConstRequest& request) {
  std::set<std::pair<unsigned, std::uint32_t>> words;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if (request.lanes >> l & 1) words.insert({l / 16, request.address_of(l) / 4});
  }
  return static_cast<unsigned>(words.size());
}

struct ConstantCacheBench : testing::FirstLevelBench<ConstantCache, ConstRequest, ConstReply> {
  explicit ConstantCacheBench(const Config& config, bool no_sleep = false, unsigned delay = 40, unsigned jitter = 0)
      : FirstLevelBench(config, Rate::kFull, 0, 0, no_sleep, delay, jitter) {}
};

void expect_memory(const ConstReply& reply, const ConstRequest& request, std::uint32_t version = 0) {
  ASSERT_EQ(reply.fault, MemFault::kNone);
  ASSERT_EQ(reply.lanes, request.lanes);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if (!(request.lanes >> l & 1)) continue;
    std::uint32_t expected =
        testing::memory_word(request.address_of(l) & ~3u, version) >> (request.address_of(l) % 4 * 8);
    if (request.bytes == 1) expected &= 0xff;
    if (request.bytes == 2) expected &= 0xffff;
    ASSERT_EQ(reply.data_of(l), expected) << "lane " << l;
  }
}

using ConstantCacheTest = testing::SystemCTest;

TEST_F(ConstantCacheTest, AResetInTheMiddleLeavesNothing) {
  ConstantCacheBench bench(small_constant_config());
  const testing::ResetCheck check({&bench.cache, &bench.port}, {"pauses"});
  for (unsigned i = 0; i < 20; ++i)
    bench.driver.todo.push_back(read_of(i % 2 != 0 ? 0xffff0000u : 0xffffu, 0x1000 + 64 * i, 4, i));
  bench.run(60);
  EXPECT_FALSE(bench.cache.idle());
  check.expect_fresh();
  EXPECT_TRUE(bench.cache.idle());
  testing::expect_none_counted(bench.cache.counters());
}

TEST_F(ConstantCacheTest, AFaultIsNotLeftForTheNextRequestInItsPlace) {
  ConstantCacheBench bench(small_constant_config());
  bench.server.unmapped_from = 0x2000;
  for (const std::uint32_t address : {0x2000u, 0x1000u}) {
    bench.driver.todo.push_back(read_of(0xffff, address, 4));
    bench.finish();
  }
  EXPECT_EQ(bench.driver.replies[0].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.driver.replies[1].fault, MemFault::kNone);
  EXPECT_EQ(bench.driver.replies[1].fault_lanes, 0u);
}

// A request of sixteen passes is inside, and no line on its way.
TEST_F(ConstantCacheTest, AfterAResetTheEntryOfARequestIsFree) {
  ConstantCacheBench bench(small_constant_config());
  bench.driver.todo.push_back(read_of(0xffff, 0x100, 4));
  bench.finish();
  bench.driver.todo.push_back(read_of(0xffff, 0x100, 4));
  bench.run(8);
  EXPECT_FALSE(bench.cache.idle());
  bench.cache.hold_reset();
  bench.cache.commit();
  bench.cache.wake();
  bench.run(40);
  EXPECT_EQ(bench.driver.received.size(), 1u) << "the other one is forgotten";
  EXPECT_TRUE(bench.cache.idle());
}

TEST_F(ConstantCacheTest, NoWakeUpIsLost) {
  ConstantCacheBench bench(small_constant_config(), false, 20, 30);
  const SleepCheck check({&bench.domain});
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned i = 0; i < 20; ++i) bench.driver.todo.push_back(read_of(0xffff, 0x1000 + 64 * (i % 9), 4 * i, i));
    bench.finish();
    bench.run(100);
  }
  EXPECT_GT(check.probes(), 100u);
}

TEST_F(ConstantCacheTest, IsIdleExactlyWhileNoRequestIsInsideAndNoLineOnItsWay) {
  ConstantCacheBench bench(small_constant_config());
  bench.run(20);
  unsigned inside = 0, asked = 0;
  bool was_busy = false;
  bench.driver.todo.push_back(read_of(~0u, 0x100, 0));
  for (int edges = 0; edges < 200; ++edges) {
    bench.run(1);
    inside = static_cast<unsigned>(bench.driver.sent.size() - bench.driver.received.size());
    asked = static_cast<unsigned>(bench.server.log.size());
    if (inside != 0 && asked != 0 && !bench.reply.read().valid) {
      EXPECT_FALSE(bench.cache.idle()) << edges;
      was_busy = true;
    }
    if (inside == 0) {
      EXPECT_TRUE(bench.cache.idle()) << edges;
    }
  }
  EXPECT_TRUE(was_busy);
  // A hit inside, and no line on its way.
  bench.driver.todo.push_back(read_of(0xffff, 0x100, 4));
  bench.run(4);
  EXPECT_FALSE(bench.cache.idle());
  bench.finish();
}

TEST_F(ConstantCacheTest, WithoutWorkItSleepsAndAHitWakesItForAFewEdges) {
  ConstantCacheBench bench(small_constant_config());
  testing::StepCount steps({&bench.cache, &bench.port});
  for (unsigned i = 0; i < 3; ++i) bench.driver.todo.push_back(read_of(~0u, 0x100, 0, i));
  bench.finish();
  steps.restart();
  bench.run(300);
  steps.expect_none("without work");
  bench.driver.todo.push_back(read_of(1, 0x100, 0));
  bench.finish();
  EXPECT_LE(steps.of(0), 3u) << "it takes the request, answers, withdraws the answer";
  EXPECT_EQ(steps.of(1), 0u) << "a hit asks for no line";
}

TEST_F(ConstantCacheTest, AMissAndItsReplyNameTheirRequest) {
  ConstantCacheBench bench(small_constant_config());
  ConstRequest request = read_of(0xff00ff00, 0x1040, 0, 9);
  request.warp = 17;
  request.origin.tag.bits = 0x1234567;
  request.origin.sm = 3;
  request.origin.warp = 17;
  request.origin.pc = 0x88;
  bench.driver.todo.push_back(request);
  bench.finish();
  ASSERT_EQ(bench.server.log.size(), 1u);
  const LineRequest& line = bench.server.log[0];
  EXPECT_EQ(line.client, MemClient::kConstant);
  EXPECT_EQ(line.address, 0x1040u);
  EXPECT_EQ(line.bytes, 64);
  EXPECT_EQ(line.origin, request.origin);
  const ConstReply& reply = bench.driver.replies[0];
  EXPECT_EQ(reply.id, 9);
  EXPECT_EQ(reply.warp, 17);
  EXPECT_EQ(reply.lanes, 0xff00ff00u);
  EXPECT_EQ(reply.origin, request.origin);
  EXPECT_EQ(reply.fault_lanes, 0u);
  // The next reply has nothing of this one.
  request = read_of(0xf, 0x1040, 0, 10);
  bench.driver.todo.push_back(request);
  bench.finish();
  EXPECT_EQ(bench.driver.replies[1].lanes, 0xfu);
  EXPECT_EQ(bench.driver.replies[1].origin, request.origin);
}

TEST_F(ConstantCacheTest, OneWordForAllLanesIsTwoPassesAndEachDistinctWordOneMore) {
  for (const unsigned rate : {1u, 2u, 4u}) {
    renew_context();
    ConstantCacheBench bench(small_constant_config(rate));
    bench.driver.one_at_a_time = true;
    bench.driver.todo.push_back(read_of(~0u, 0x100, 0));  // fetches the line
    bench.finish();
    const std::vector<ConstRequest> requests{read_of(~0u, 0x104, 0), read_of(1, 0x108, 0), read_of(0xffff, 0x100, 4),
                                             read_of(0x000f0000, 0x100, 2, 0, 2), read_of(0x80000000, 0xd0, 4)};
    for (const ConstRequest& request : requests) {
      bench.driver.todo.push_back(request);
      bench.finish();  // and rest, so that no pass interval of the last request is left
    }
    const unsigned expected[] = {2, 1, 16, 2, 1};
    for (unsigned i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(passes_of(requests[i]), expected[i]);
      EXPECT_EQ(bench.driver.received[i + 1] - bench.driver.sent[i + 1], (expected[i] - 1) * (rate == 1 ? 2 : 1) + 1)
          << i;
      expect_memory(bench.driver.replies[i + 1], requests[i]);
    }
    EXPECT_EQ(bench.cache.counters().misses, 1u);
  }
}

// Nothing on the wire tells a request from the one before it.
TEST_F(ConstantCacheTest, EqualRequestsBehindEachOtherAreEachTaken) {
  ConstantCacheBench bench(small_constant_config());
  for (int i = 0; i < 12; ++i) bench.driver.todo.push_back(read_of(1, 0x1000, 0));
  bench.finish();
  for (int i = 1; i < 12; ++i) EXPECT_EQ(bench.driver.sent[i], bench.driver.sent[0] + i);
}

TEST_F(ConstantCacheTest, MoreRequestsThanItHoldsWait) {
  ConstantCacheBench bench(small_constant_config(), false, 400);
  std::vector<ConstRequest> requests;
  for (unsigned i = 0; i < 60; ++i) requests.push_back(read_of(1, 0x1000 + 64 * (i % 7), 0, i % kMaxWarps));
  bench.driver.todo.assign(requests.begin(), requests.end());
  bench.run(300);
  EXPECT_EQ(bench.driver.sent.size(), kMaxWarps);
  bench.finish();
  EXPECT_EQ(bench.driver.replies.size(), 60u);
}

TEST_F(ConstantCacheTest, ALaterHitPassesAMiss) {
  ConstantCacheBench bench(small_constant_config());
  bench.driver.todo.push_back(read_of(~0u, 0x100, 0));
  bench.finish();
  bench.driver.todo.push_back(read_of(~0u, 0x4000, 0, 1));
  bench.driver.todo.push_back(read_of(~0u, 0x100, 0, 2));
  bench.finish();
  EXPECT_EQ(bench.driver.replies[1].id, 2);
  EXPECT_EQ(bench.driver.replies[2].id, 1);
}

TEST_F(ConstantCacheTest, AHalfWarpThatWantsManyLinesGetsThemAll) {
  ConstantCacheBench bench(small_constant_config());
  const ConstRequest request = read_of(0xffff0000, 0x40, 64);  // 16 lines, 2 miss registers, 6 slots
  bench.driver.todo.push_back(request);
  bench.finish();
  expect_memory(bench.driver.replies[0], request);
  for (const auto& [address, count] : bench.server.fetched) EXPECT_EQ(count, 1u) << address;
  EXPECT_EQ(bench.server.fetched.size(), 16u);
}

TEST_F(ConstantCacheTest, MissesThatTheLinkDoesNotTakeWaitAndEachIsAskedForOnce) {
  Config config = small_constant_config();
  config.ccache.mshrs = 16;
  ConstantCacheBench bench(config);
  bench.server.takes = false;
  const ConstRequest request = read_of(0xffff, 0x40, 64);
  bench.driver.todo.push_back(request);
  bench.run(200);
  bench.server.takes = true;
  bench.finish();
  expect_memory(bench.driver.replies[0], request);
  EXPECT_EQ(bench.server.log.size(), 16u);
  EXPECT_EQ(bench.server.fetched.size(), 16u);
}

TEST_F(ConstantCacheTest, OnlyLanesOfAnUnmappedLineFault) {
  ConstantCacheBench bench(small_constant_config());
  bench.server.unmapped_from = 0x140;
  bench.driver.todo.push_back(read_of(0xffff, 0x120, 4));  // 8 words mapped, 8 not
  bench.finish();
  const ConstReply& reply = bench.driver.replies[0];
  EXPECT_EQ(reply.fault, MemFault::kPageNotPresent);
  EXPECT_EQ(reply.fault_lanes, 0xff00u);
  for (unsigned l = 0; l < 8; ++l) EXPECT_EQ(reply.data[l], testing::memory_word(0x120 + 4 * l));
}

TEST_F(ConstantCacheTest, ANewKernelSeesNewConstants) {
  ConstantCacheBench bench(small_constant_config(), false, 200);
  bench.driver.todo.push_back(read_of(~0u, 0x100, 0, 0));
  bench.finish();
  bench.driver.todo.push_back(read_of(~0u, 0x400, 0, 1));
  bench.run(60);
  bench.server.version = 1;
  bench.kernel.write(1);
  bench.run(4);
  bench.driver.todo.push_back(read_of(~0u, 0x100, 0, 2));
  bench.driver.todo.push_back(read_of(~0u, 0x400, 0, 3));
  bench.finish();
  ASSERT_EQ(bench.driver.replies.size(), 4u);
  EXPECT_EQ(bench.cache.counters().invalidations, 1u);
  for (const ConstReply& reply : bench.driver.replies) {
    const ConstRequest request = read_of(~0u, reply.id % 2 ? 0x400 : 0x100, 0);
    expect_memory(reply, request, reply.id >= 2 ? 1 : 0);
  }
}

// One word at a time, so that the order of uses is the order of requests.
TEST_F(ConstantCacheTest, LinesAreFetchedExactlyAsOftenAsThePolicySays) {
  const unsigned seed = random_seed() + 8;
  SCOPED_TRACE(seed);
  for (const std::string policy : {"lru", "fifo"}) {
    SCOPED_TRACE(policy);
    renew_context();
    std::mt19937 random(seed);
    Config config = small_constant_config();
    config.ccache.l1_replacement = *from_text<ReplacementPolicy>(policy);
    ConstantCacheBench bench(config, false, 6, 5);
    bench.driver.one_at_a_time = true;
    testing::LruModel model(4, 2, policy);
    std::map<std::uint32_t, unsigned> expected;
    for (unsigned i = 0; i < 800; ++i) {
      const auto address = static_cast<std::uint32_t>(random() % (12 * 16) * 4);
      const std::uint32_t line = address / 64;
      bench.driver.todo.push_back(read_of(1u << random() % 32, address, 0));
      if (!model.use(line)) ++expected[line * 64];
    }
    bench.finish();
    EXPECT_EQ(bench.server.fetched, expected);
  }
}

TEST_F(ConstantCacheTest, RandomReadsEqualMemoryAndSleepChangesNothing) {
  const unsigned seed = random_seed() + 7;
  SCOPED_TRACE(seed);
  std::vector<std::uint64_t> first;
  for (const bool no_sleep : {false, true}) {
    renew_context();
    std::mt19937 random(seed);
    ConstantCacheBench bench(small_constant_config(), no_sleep, 10, 60);
    testing::StepCount steps({&bench.cache, &bench.port});
    std::vector<ConstRequest> asked;
    for (unsigned round = 0; round < 30; ++round) {
      for (unsigned i = 0; i < 30; ++i) {
        const unsigned bytes = 1u << random() % 3;
        LaneMask lanes = static_cast<LaneMask>(random()) | 1u << random() % 32;
        if (random() % 4 == 0) lanes &= 0x00030003u, lanes |= 1u << random() % 2;
        const bool direct = random() % 4 == 0;
        if (!direct && (lanes & 0xffffu) != 0) lanes &= random() % 2 != 0 && lanes > 0xffffu ? 0xffff0000u : 0xffffu;
        ConstRequest request = read_of(lanes, 0, direct ? 0 : 1, static_cast<unsigned>(asked.size()) & 0xff, bytes);
        const std::uint32_t base = random() % 1024, span = 1u << random() % 9;
        for (std::uint32_t& address : request.address) address = (base + random() % span) / bytes * bytes;
        asked.push_back(request);
        bench.driver.todo.push_back(request);
      }
      bench.finish();
      bench.run(random() % 100);
    }
    ASSERT_EQ(bench.driver.replies.size(), asked.size());
    std::vector<bool> answered(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const ConstReply& reply = bench.driver.replies[i];
      // At most one round is open at a time and a round is shorter than the range of ids.
      std::size_t which = i / 30 * 30;
      while ((which & 0xff) != reply.id) ++which;
      ASSERT_LT(which, i / 30 * 30 + 30);
      ASSERT_FALSE(answered[which]);
      answered[which] = true;
      expect_memory(reply, asked[which]);
    }
    const auto& counters = bench.cache.counters();
    EXPECT_EQ(counters.passes, counters.hits + counters.misses + counters.merges);
    EXPECT_EQ(counters.misses, bench.server.log.size());
    std::uint64_t words = 0;
    for (const ConstRequest& request : asked) words += passes_of(request);
    EXPECT_EQ(counters.hits, words);
    std::vector<std::uint64_t> record{counters.passes, counters.misses, counters.merges};
    record.insert(record.end(), bench.driver.received.begin(), bench.driver.received.end());
    if (no_sleep) {
      EXPECT_EQ(record, first);
    } else if (seed == 1 + 7) {
      steps.expect({12396, 3321});
    }
    first = record;
  }
}

}  // namespace
}  // namespace g80
