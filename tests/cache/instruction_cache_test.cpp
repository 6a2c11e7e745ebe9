// SPDX-License-Identifier: Apache-2.0
// The first-level instruction cache behind its line port: replies equal memory, latencies as configured, lines fetched
// as often as an LRU model says.
#include "hw/cache/instruction_cache.h"

#include "tb/check/sleep_check.h"
#include "tests/cache/first_level_bench.h"
#include "tests/cache/lru_model.h"
#include "tests/support/flip.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {

namespace {

Config small_instruction_cache_config() {
  Config config;
  config.icache.l1_bytes = 4 * 2 * 64;  // four sets
  config.icache.l1_ways = 2;
  config.icache.line_bytes = 64;
  config.icache.l1_latency = 3;
  config.ccache.mshrs = 2;
  return config;
}

FetchRequest fetch_of(std::uint32_t address, unsigned warp = 0, unsigned epoch = 0, unsigned bytes = 16) {
  FetchRequest fetch;
  fetch.valid = true;
  fetch.warp = static_cast<std::uint8_t>(warp);
  fetch.epoch = static_cast<std::uint8_t>(epoch);
  fetch.bytes = static_cast<std::uint8_t>(bytes);
  fetch.address = address;
  return fetch;
}

struct InstructionCacheBench : testing::FirstLevelBench<InstructionCache, FetchRequest, FetchReply> {
  explicit InstructionCacheBench(const Config& config, bool no_sleep = false, unsigned delay = 40, unsigned jitter = 0)
      : FirstLevelBench(config, Rate::kHalf, 3, 1, no_sleep, delay, jitter) {
    cache.waits_o(waits);
  }
  Wire<bool> waits{"waits"};
};

void expect_memory(const FetchReply& reply, std::uint32_t version = 0) {
  ASSERT_EQ(reply.fault, MemFault::kNone);
  for (unsigned i = 0; i < reply.bytes / 4u; ++i) {
    ASSERT_EQ(reply.data[i], testing::memory_word(reply.address + 4 * i, version)) << std::hex << reply.address;
  }
}

using InstructionCacheTest = testing::SystemCTest;

TEST_F(InstructionCacheTest, AResetInTheMiddleLeavesNothing) {
  InstructionCacheBench bench(small_instruction_cache_config());
  const testing::ResetCheck check({&bench.cache, &bench.port});
  for (int i = 0; i < 20; ++i) bench.driver.todo.push_back(fetch_of(0x1000 + 64 * i, i));
  bench.run(40);
  EXPECT_FALSE(bench.cache.idle());
  check.expect_fresh();
  EXPECT_TRUE(bench.cache.idle());
  testing::expect_none_counted(bench.cache.counters());
}

TEST_F(InstructionCacheTest, IsIdleOnlyWhileNoFetchIsInsideAndNoLineOnItsWay) {
  const unsigned seed = random_seed() + 5;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const unsigned latency : {1u, 3u}) {
    renew_context();
    Config config = small_instruction_cache_config();
    config.icache.l1_latency = latency;
    InstructionCacheBench bench(config, false, 20, 30);
    bench.run(20);
    unsigned busy = 0, latest = 0;
    std::vector<unsigned> calm;  // by edge: fetches that had come when last none waited for a line
    for (unsigned i = 0; i < 60; ++i) {
      for (unsigned fetches = 1 + random() % 3; fetches != 0; --fetches)
        bench.driver.todo.push_back(fetch_of(0x1000 + 64 * (random() % 12), i % 24));
      for (unsigned edges = random() % 200; edges != 0; --edges) {
        bench.run(1);
        const bool inside = bench.driver.sent.size() != bench.driver.received.size() + bench.reply.read().valid;
        ASSERT_FALSE(inside && bench.cache.idle());
        // What waits for no line is answered after the latency of a hit, in cycles of two edges.
        calm.push_back(bench.waits.read() ? latest : latest = static_cast<unsigned>(bench.driver.sent.size()));
        const std::size_t before = 2 * latency + 1;
        if (calm.size() > before) {
          ASSERT_GE(bench.driver.received.size(), calm[calm.size() - 1 - before]);
        }
        busy += inside ? 1 : 0;
      }
    }
    bench.finish();
    EXPECT_GT(busy, 500u);
  }
}

TEST_F(InstructionCacheTest, NoWakeUpIsLost) {
  InstructionCacheBench bench(small_instruction_cache_config(), false, 20, 30);
  const SleepCheck check({&bench.domain});
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned i = 0; i < 20; ++i) bench.driver.todo.push_back(fetch_of(0x1000 + 64 * (i % 9), i));
    bench.finish();
    bench.run(100);
  }
  EXPECT_GT(check.probes(), 100u);
}

TEST_F(InstructionCacheTest, WithoutWorkItSleepsAndAHitWakesItForAFewCycles) {
  InstructionCacheBench bench(small_instruction_cache_config());
  testing::StepCount steps({&bench.cache, &bench.port});
  for (unsigned i = 0; i < 3; ++i) bench.driver.todo.push_back(fetch_of(0x40, i));
  bench.finish();
  steps.restart();
  bench.run(300);
  steps.expect_none("without work");
  bench.driver.todo.push_back(fetch_of(0x40));
  bench.finish();
  EXPECT_LE(steps.of(0), 3u + 2u) << "three cycles of latency, then it withdraws the answer";
  EXPECT_EQ(steps.of(1), 0u) << "a hit asks for no line";
}

TEST_F(InstructionCacheTest, AMissNamesWarpAndPlaceOfTheFetch) {
  InstructionCacheBench bench(small_instruction_cache_config());
  bench.run(5);
  testing::flip(bench.cache, "line.client", 0);  // an empty register holds any bits
  bench.driver.todo.push_back(fetch_of(0x1050, 21));
  bench.finish();
  ASSERT_EQ(bench.server.log.size(), 1u);
  const LineRequest& line = bench.server.log[0];
  EXPECT_EQ(line.client, MemClient::kInstruction);
  EXPECT_EQ(line.address, 0x1040u);
  EXPECT_EQ(line.bytes, 64);
  EXPECT_EQ(line.origin.warp, 21);
  EXPECT_EQ(line.origin.pc, 0x1050u);
}

TEST_F(InstructionCacheTest, ItSaysThatAFetchWaitsForALineUntilTheLineHasCome) {
  InstructionCacheBench bench(small_instruction_cache_config());
  bench.driver.todo.push_back(fetch_of(0x1000, 0));
  unsigned waited = 0;
  while (bench.driver.replies.empty()) {
    bench.run(1);
    waited += bench.waits.read();
    EXPECT_FALSE(bench.waits.read() && bench.cache.idle());
  }
  EXPECT_GT(waited, 40u) << "as long as the line takes";
  EXPECT_FALSE(bench.waits.read());
  bench.driver.todo.push_back(fetch_of(0x1000, 1));
  while (bench.driver.replies.size() < 2) {
    bench.run(1);
    EXPECT_FALSE(bench.waits.read()) << "a hit";
  }
}

// Nothing on the wire tells a request from the one before it.
TEST_F(InstructionCacheTest, EqualFetchesBehindEachOtherAreEachTaken) {
  InstructionCacheBench bench(small_instruction_cache_config());
  for (int i = 0; i < 12; ++i) bench.driver.todo.push_back(fetch_of(0x1000));
  bench.finish();
  for (int i = 1; i < 12; ++i) EXPECT_EQ(bench.driver.sent[i], bench.driver.sent[0] + i);
}

TEST_F(InstructionCacheTest, AfterAResetNothingIsFound) {
  InstructionCacheBench bench(small_instruction_cache_config());
  bench.driver.todo.push_back(fetch_of(0x40));
  bench.finish();
  bench.cache.hold_reset();
  bench.cache.commit();
  bench.server.version = 1;
  bench.driver.todo.push_back(fetch_of(0x40));
  bench.finish();
  expect_memory(bench.driver.replies[1], 1);
}

TEST_F(InstructionCacheTest, AHitTakesTheConfiguredLatency) {
  InstructionCacheBench bench(small_instruction_cache_config());
  bench.driver.one_at_a_time = true;
  for (int i = 0; i < 6; ++i) bench.driver.todo.push_back(fetch_of(0x1000 + 16 * (i % 4), i, 10 + i));
  bench.finish();
  ASSERT_EQ(bench.driver.replies.size(), 6u);
  EXPECT_GT(bench.driver.received[0] - bench.driver.sent[0], 20u);  // 40 edges away
  for (int i = 1; i < 6; ++i) EXPECT_EQ(bench.driver.received[i] - bench.driver.sent[i], 3u) << i;
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(bench.driver.replies[i].warp, i);
    EXPECT_EQ(bench.driver.replies[i].epoch, 10 + i);
    expect_memory(bench.driver.replies[i]);
  }
  EXPECT_EQ(bench.cache.counters().misses, 1u);
  EXPECT_EQ(bench.cache.counters().hits, 5u);
}

TEST_F(InstructionCacheTest, HitsComeOneACycle) {
  InstructionCacheBench bench(small_instruction_cache_config());
  bench.driver.todo.push_back(fetch_of(0x40));
  bench.finish();
  for (int i = 0; i < 20; ++i) bench.driver.todo.push_back(fetch_of(0x40 + 16 * (i % 4), i));
  bench.finish();
  for (int i = 2; i < 21; ++i) EXPECT_EQ(bench.driver.received[i] - bench.driver.received[i - 1], 1u);
}

TEST_F(InstructionCacheTest, ManyFetchesOfALineOnItsWayAskOnce) {
  InstructionCacheBench bench(small_instruction_cache_config());
  for (int i = 0; i < 12; ++i) bench.driver.todo.push_back(fetch_of(0x2000 + 16 * (i % 4), i));
  bench.finish();
  EXPECT_EQ(bench.server.fetched.at(0x2000), 1u);
  EXPECT_EQ(bench.cache.counters().misses, 1u);
  EXPECT_EQ(bench.cache.counters().merges, 11u);
  ASSERT_EQ(bench.server.log.size(), 1u);
  EXPECT_EQ(bench.server.log[0].tpc, 3);
  EXPECT_EQ(bench.server.log[0].sm_in_tpc, 1);
  for (const FetchReply& reply : bench.driver.replies) expect_memory(reply);
}

TEST_F(InstructionCacheTest, MissesThatTheLinkDoesNotTakeWaitAndEachIsAskedForOnce) {
  Config config = small_instruction_cache_config();
  config.ccache.mshrs = 16;
  InstructionCacheBench bench(config);
  bench.server.takes = false;
  for (unsigned i = 0; i < 16; ++i) bench.driver.todo.push_back(fetch_of(0x1000 + 64 * i, i));
  bench.run(200);
  bench.server.takes = true;
  bench.finish();
  for (const FetchReply& reply : bench.driver.replies) expect_memory(reply);
  EXPECT_EQ(bench.server.log.size(), 16u);
  EXPECT_EQ(bench.server.fetched.size(), 16u);
}

TEST_F(InstructionCacheTest, AHitPassesAMiss) {
  InstructionCacheBench bench(small_instruction_cache_config());
  bench.driver.todo.push_back(fetch_of(0x40));
  bench.finish();
  bench.driver.todo.push_back(fetch_of(0x4000, 1));
  bench.driver.todo.push_back(fetch_of(0x40, 2));
  bench.finish();
  EXPECT_EQ(bench.driver.replies[1].warp, 2);
  EXPECT_EQ(bench.driver.replies[2].warp, 1);
}

TEST_F(InstructionCacheTest, AnUnmappedLineFaultsAndIsNotKept) {
  InstructionCacheBench bench(small_instruction_cache_config());
  bench.server.unmapped_from = 0x8000;
  bench.driver.todo.push_back(fetch_of(0x8000));
  bench.finish();
  bench.driver.todo.push_back(fetch_of(0x8000));
  bench.finish();
  EXPECT_EQ(bench.driver.replies[0].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.driver.replies[1].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.server.fetched.at(0x8000), 2u);
}

TEST_F(InstructionCacheTest, ANewKernelSeesNewCodeEvenWithAnOldLineOnItsWay) {
  InstructionCacheBench bench(small_instruction_cache_config(), false, 200);
  bench.driver.todo.push_back(fetch_of(0x40));
  bench.finish();
  bench.driver.todo.push_back(fetch_of(0x400, 1, 1));
  bench.run(60);  // the old kernel's line is on its way
  bench.server.version = 1;
  bench.kernel.write(1);
  bench.run(4);
  bench.driver.todo.push_back(fetch_of(0x40, 2, 2));
  bench.driver.todo.push_back(fetch_of(0x400, 3, 2));
  bench.finish();
  ASSERT_EQ(bench.driver.replies.size(), 4u);
  EXPECT_EQ(bench.server.fetched.at(0x400), 2u);
  for (const FetchReply& reply : bench.driver.replies) expect_memory(reply, reply.epoch == 2 ? 1 : 0);
  EXPECT_EQ(bench.cache.counters().invalidations, 1u);
}

// One fetch at a time, so that the order of uses is the order of fetches.
TEST_F(InstructionCacheTest, LinesAreFetchedExactlyAsOftenAsThePolicySays) {
  const unsigned seed = random_seed() + 3;
  SCOPED_TRACE(seed);
  for (const std::string policy : {"lru", "fifo"}) {
    SCOPED_TRACE(policy);
    renew_context();
    std::mt19937 random(seed);
    Config config = small_instruction_cache_config();
    config.icache.l1_replacement = *from_text<ReplacementPolicy>(policy);
    InstructionCacheBench bench(config, false, 6, 5);
    bench.driver.one_at_a_time = true;
    testing::LruModel model(4, 2, policy);
    std::map<std::uint32_t, unsigned> expected;
    for (int i = 0; i < 1500; ++i) {
      const unsigned bytes = 4u << random() % 3;
      const std::uint32_t address = random() % (16 * 64) / bytes * bytes, line = address / 64;
      bench.driver.todo.push_back(fetch_of(address, random() % 24, 0, bytes));
      if (!model.use(line)) ++expected[line * 64];
    }
    bench.finish();
    ASSERT_EQ(bench.driver.replies.size(), 1500u);
    for (const FetchReply& reply : bench.driver.replies) expect_memory(reply);
    EXPECT_EQ(bench.server.fetched, expected);
  }
}

TEST_F(InstructionCacheTest, RandomTrafficIsAnsweredOnceEachAndSleepChangesNothing) {
  const unsigned seed = random_seed() + 4;
  SCOPED_TRACE(seed);
  std::vector<std::uint64_t> first;
  for (const bool no_sleep : {false, true}) {
    renew_context();
    std::mt19937 random(seed);
    InstructionCacheBench bench(small_instruction_cache_config(), no_sleep, 10, 60);
    testing::StepCount steps({&bench.cache, &bench.port});
    std::map<std::uint32_t, int> open;
    for (unsigned round = 0; round < 40; ++round) {
      for (unsigned i = 0; i < 30; ++i) {
        const unsigned bytes = 4u << random() % 3;
        const FetchRequest fetch = fetch_of(random() % 1024 / bytes * bytes, random() % 24, round, bytes);
        ++open[fetch.address << 13 | fetch.warp << 8 | fetch.epoch];
        bench.driver.todo.push_back(fetch);
      }
      bench.finish();
      bench.run(random() % 100);
    }
    for (const FetchReply& reply : bench.driver.replies) {
      expect_memory(reply);
      --open[reply.address << 13 | reply.warp << 8 | reply.epoch];
    }
    for (const auto& [key, count] : open) EXPECT_EQ(count, 0) << key;
    const auto& counters = bench.cache.counters();
    EXPECT_EQ(counters.hits + counters.misses + counters.merges, 1200u);
    EXPECT_EQ(counters.misses, bench.server.log.size());
    std::vector<std::uint64_t> record{counters.hits, counters.misses, counters.merges};
    record.insert(record.end(), bench.driver.received.begin(), bench.driver.received.end());
    if (no_sleep) {
      EXPECT_EQ(record, first);
    } else if (seed == 1 + 4) {
      steps.expect({6323, 2552});
    }
    first = record;
  }
}

}  // namespace
}  // namespace g80
