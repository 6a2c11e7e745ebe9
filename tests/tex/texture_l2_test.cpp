// SPDX-License-Identifier: Apache-2.0
// The texture L2 caches texture reads only, passes everything else through, and fetches lines as often as LRU says.
#include "hw/tex/texture_l2.h"

#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/cache/lru_model.h"
#include "tests/cache/mem_server.h"
#include "tests/support/flip.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

Config small_config(unsigned line_bytes = 32) {
  Config config;
  config.gpu.num_partitions = 1;
  config.partition.interleave_bytes = 256;
  config.partition.hash = PartitionHash::kPlain;
  config.dram.row_bytes = 2048;
  config.dram.num_banks = 4;
  config.tex.line_bytes = line_bytes;
  config.tex.l2_bytes = 4 * 2 * line_bytes;
  config.tex.l2_ways = 2;
  config.tex.l2_latency = 7;
  config.tex.l2_mshrs = 3;
  return config;
}

MemRequest read_of(std::uint32_t address, unsigned id, MemClient client = MemClient::kTexture,
                   MemOp op = MemOp::kRead) {
  MemRequest request;
  request.op = op;
  request.client = client;
  request.id = static_cast<std::uint8_t>(id);
  request.port = request.id % 5;
  request.bytes = 32;
  request.address = address;
  request.virtual_address = address + 0x1000000;
  return request;
}

struct TextureL2Bench {
  const bool no_sleep;
  Domain domain;
  testing::MemDriver driver{"driver"};
  TextureL2 l2;
  testing::MemServer memory;
  Wire<MemRequest> request{"request"}, to_partition{"to_partition"};
  Wire<bool> idle{"idle"}, ready{"ready"}, reply_ready{"reply_ready"}, partition_ready{"partition_ready"},
      partition_reply_ready{"prr"};
  Wire<MemReply> reply{"reply"}, from_partition{"from_partition"}, walk{"walk"};
  Wire<std::uint32_t> flush{"flush"};
  RandomState random_state{{&domain}, 7, false};  // what holds nothing holds any bits

  explicit TextureL2Bench(const Config& config, bool no_sleep = false, unsigned jitter = 0, unsigned latency = 30)
      : no_sleep(no_sleep),
        domain("domain", 0, 1000, 2, no_sleep),
        l2("l2", config),
        memory("memory", latency, jitter, 23) {
    driver.request_o(request);
    driver.ready_i(ready);
    driver.reply_i(reply);
    driver.reply_ready_o(reply_ready);
    l2.request_i(request);
    l2.request_ready_o(ready);
    l2.reply_o(reply);
    l2.reply_ready_i(reply_ready);
    l2.partition_o(to_partition);
    l2.partition_ready_i(partition_ready);
    l2.partition_i(from_partition);
    l2.partition_ready_o(partition_reply_ready);
    l2.flush_i(flush);
    l2.idle_o(idle);
    memory.request_i(to_partition);
    memory.ready_o(partition_ready);
    memory.reply_o(from_partition);
    memory.reply_ready_i(partition_reply_ready);
    memory.walk_o(walk);
    domain.add(driver);
    domain.add(l2);
    domain.add(memory);
  }
  void run(unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); }
  void ask(const MemRequest& request) { driver.todo.push_back(request); }
  void finish() {
    std::size_t reads = 0;
    for (const MemRequest& request : driver.todo) reads += request.op == MemOp::kRead;
    for (int i = 0; i < 8000 && !(driver.done() && driver.replies.size() == reads && l2.idle()); ++i) run(25);
    ASSERT_EQ(driver.replies.size(), reads);
    ASSERT_TRUE(l2.idle());
    run(20);
    EXPECT_TRUE(idle.read());
    if (memory.busy_one_in == 0) {
      EXPECT_EQ(l2.awake(), no_sleep);
    }
  }
  void expect_memory(const MemReply& reply, std::uint32_t version = 0) const {
    ASSERT_EQ(reply.fault, MemFault::kNone);
    ASSERT_EQ(reply.port, reply.id % 5);
    for (unsigned i = 0; i < reply.bytes / 4u; ++i) {
      ASSERT_EQ(reply.data[i], testing::memory_word(reply.virtual_address - 0x1000000 + 4 * i, version));
    }
  }
};

using TextureL2Test = testing::SystemCTest;

TEST_F(TextureL2Test, AHitTakesTheConfiguredLatencyAndStaysAwayFromThePartition) {
  TextureL2Bench bench(small_config());
  bench.ask(read_of(0x40, 1));
  bench.finish();
  for (unsigned i = 2; i < 12; ++i) bench.ask(read_of(0x40, i));
  bench.finish();
  for (unsigned i = 1; i < 11; ++i) {
    EXPECT_EQ(bench.driver.received[i] - bench.driver.sent[i], 7 + 1u);
    EXPECT_EQ(bench.driver.replies[i].id, i + 1);
    bench.expect_memory(bench.driver.replies[i]);
    if (i > 1) {
      EXPECT_EQ(bench.driver.sent[i] - bench.driver.sent[i - 1], 1u);
    }
  }
  EXPECT_EQ(bench.memory.log.size(), 1u);
  EXPECT_EQ(bench.l2.counters().hits, 10u);
}

TEST_F(TextureL2Test, OtherClientsAndWritesPassThroughInOneEdge) {
  TextureL2Bench bench(small_config());
  bench.ask(read_of(0x40, 1, MemClient::kGlobal));
  bench.ask(read_of(0x40, 2, MemClient::kGlobal));
  bench.ask(read_of(0x40, 3, MemClient::kGlobal, MemOp::kWrite));
  bench.ask(read_of(0x40, 4, MemClient::kConstant));
  bench.finish();
  ASSERT_EQ(bench.memory.log.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.memory.log[i].request.id, i + 1);
    EXPECT_EQ(bench.memory.log[i].edge - bench.driver.sent[i], 1u);
  }
  EXPECT_EQ(bench.l2.counters().hits + bench.l2.counters().misses, 0u);
}

TEST_F(TextureL2Test, IsIdleWhenEveryReplyIsHandedOver) {
  TextureL2Bench bench(small_config());
  for (unsigned i = 0; i < 8; ++i) bench.ask(read_of(0x40 + i / 4 * 0x100, i));
  for (int edges = 0; edges < 400; ++edges) {
    bench.run(1);
    if (bench.l2.idle() && bench.driver.sent.size() == 8) {
      ASSERT_EQ(bench.driver.received.size(), 8u) << edges;
    }
  }
  EXPECT_EQ(bench.driver.received.size(), 8u);
}

TEST_F(TextureL2Test, ReadsOfALineOnItsWayAskThePartitionOnce) {
  TextureL2Bench bench(small_config(64));
  for (unsigned i = 0; i < 6; ++i) bench.ask(read_of(0x80 + (i + 1) % 2 * 32, i));
  bench.finish();
  ASSERT_EQ(bench.memory.log.size(), 1u);
  EXPECT_EQ(bench.memory.log[0].request.bytes, 64);
  EXPECT_EQ(bench.memory.log[0].request.address, 0x80u);
  EXPECT_EQ(bench.memory.log[0].request.virtual_address, 0x1000080u);
  EXPECT_EQ(bench.l2.counters().merges, 5u);
  for (const MemReply& reply : bench.driver.replies) bench.expect_memory(reply);
}

TEST_F(TextureL2Test, NoWakeUpIsLost) {
  TextureL2Bench bench(small_config());
  const SleepCheck check({&bench.domain});
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned i = 0; i < 20; ++i)
      bench.ask(read_of(0x40 * (i % 7) + 0x100 * round, i, i % 3 == 0 ? MemClient::kGlobal : MemClient::kTexture));
    bench.finish();
    bench.run(200);
  }
  EXPECT_GT(check.probes(), 100u);
}

TEST_F(TextureL2Test, WithoutRequestsItSleeps) {
  TextureL2Bench bench(small_config());
  testing::StepCount steps({&bench.l2});
  bench.ask(read_of(0x40, 1));
  bench.finish();
  steps.restart();
  bench.run(300);
  steps.expect_none("without requests");
  bench.ask(read_of(0x40, 1));
  bench.finish();
  steps.expect_at_most(7 + 3, "answers one read from the cache");
  bench.ask(read_of(0x40, 1, MemClient::kGlobal, MemOp::kWrite));
  bench.finish();
  steps.expect_at_most(4, "hands one write on");
}

TEST_F(TextureL2Test, AReplyFromTheCacheIsThatOfItsRequest) {
  TextureL2Bench bench(small_config(64));
  MemRequest first;
  for (unsigned i = 0; i < 3; ++i) {  // the first misses, the second merges, the third hits
    MemRequest request = read_of(0x100 + 32 * (i % 2), 7 + i);
    request.half = (i + 1) % 2;
    request.lanes = static_cast<HalfMask>(0x11 << i);
    request.sm_in_tpc = static_cast<std::uint8_t>(i + 1);
    request.origin.tag.bits = 0x1000 + i;
    request.origin.pc = 8 * i;
    if (i == 2) bench.finish();
    bench.ask(request);
    if (i == 0) first = bench.driver.todo.back(), first.valid = true;
  }
  bench.finish();
  ASSERT_EQ(bench.memory.log.size(), 1u);
  MemRequest line = first;  // of the whole line, and with the number of the miss
  line.bytes = 64;
  line.id = 0;
  EXPECT_EQ(bench.memory.log[0].request, line);
  for (unsigned i = 0; i < 3; ++i) {
    const MemReply& reply = bench.driver.replies[i];
    EXPECT_EQ(reply.client, MemClient::kTexture);
    EXPECT_EQ(reply.id, 7 + i);
    EXPECT_EQ(reply.half, (i + 1) % 2);
    EXPECT_EQ(reply.lanes, 0x11 << i);
    EXPECT_EQ(reply.sm_in_tpc, i + 1);
    EXPECT_EQ(reply.bytes, 32);
    EXPECT_EQ(reply.origin.tag.bits, 0x1000 + i);
    EXPECT_EQ(reply.origin.pc, 8 * i);
    bench.expect_memory(reply);
  }
}

// A line is written through the port that a hit would read, and at that edge its waiter is answered: of a stream of
// hits, one edge is lost.
TEST_F(TextureL2Test, ALineTakesTheWordsPortForAnEdge) {
  for (const bool with_miss : {false, true}) {
    renew_context();
    TextureL2Bench bench(small_config());
    bench.ask(read_of(0x40, 0));
    bench.finish();
    bench.ask(read_of(with_miss ? 0x400 : 0x40, 1));
    for (unsigned i = 2; i < 82; ++i) bench.ask(read_of(0x40, i));
    bench.finish();
    std::vector<Cycle> hits;
    for (std::size_t i = 0; i < bench.driver.replies.size(); ++i) {
      bench.expect_memory(bench.driver.replies[i]);
      if (bench.driver.replies[i].id >= 2) hits.push_back(bench.driver.received[i]);
    }
    EXPECT_EQ(hits.back() - hits.front(), 79u + (with_miss ? 1u : 0u));
    EXPECT_EQ(bench.l2.counters().hits, with_miss ? 80u : 81u);
  }
}

// Reads that find no miss register wait in front of the tags; the lines that free one pass them there.
TEST_F(TextureL2Test, LinesComeInWhileAReadWaitsForAMissRegister) {
  Config config = small_config();
  config.tex.l2_mshrs = 1;
  TextureL2Bench bench(config);
  for (unsigned i = 0; i < 20; ++i) bench.ask(read_of(0x100 * i, i));
  bench.finish();
  EXPECT_EQ(bench.l2.counters().misses, 20u);
  // The memory's 30 edges, one for the line to come, one for its waiter to leave and the read that waits to take the
  // register, one for the miss to go.
  for (unsigned i = 1; i < 20; ++i) EXPECT_EQ(bench.memory.log[i].edge - bench.memory.log[i - 1].edge, 30u + 3);
  for (const MemReply& reply : bench.driver.replies) bench.expect_memory(reply);
}

// While the reads of a full DRAM window go over the data bus, the cache asks for as many lines again.
TEST_F(TextureL2Test, MissesOfAChipKeepTheDataBusOfTheirPartitionBusy) {
  for (const char* const chip : {"8800gtx", "8600gts", "gtx280"}) {
    renew_context();
    const Config config = load_config(chip);
    const double edges_of_line = config.dram.burst_cycles * config.clock.core_mhz / config.clock.dram_mhz;
    const auto latency = static_cast<unsigned>(config.dram.window * edges_of_line);
    TextureL2Bench bench(config, false, 0, latency);
    constexpr unsigned kLines = 400;
    for (unsigned i = 0; i < kLines; ++i) bench.ask(read_of(0x20 * i, i));
    bench.finish();
    EXPECT_EQ(bench.l2.counters().misses, kLines);
    const Cycle took = bench.driver.received.back() - bench.driver.received.front();
    EXPECT_LT(static_cast<double>(took), 1.2 * std::max(edges_of_line, 1.0) * kLines) << chip;
  }
}

// Of three lines on their way to a set of two ways the first one has lost its way: it is not kept.
TEST_F(TextureL2Test, ALineThatLosesItsWayIsNotKept) {
  TextureL2Bench bench(small_config());
  for (unsigned i = 0; i < 3; ++i) bench.ask(read_of(0x80 * i, i));
  bench.finish();
  EXPECT_EQ(bench.l2.counters().misses, 3u);
  for (const unsigned line : {1u, 2u}) bench.ask(read_of(0x80 * line, 3 + line));
  bench.finish();
  EXPECT_EQ(bench.l2.counters().hits, 2u);
  bench.ask(read_of(0, 9));
  bench.finish();
  EXPECT_EQ(bench.l2.counters().misses, 4u);
  for (const MemReply& reply : bench.driver.replies) bench.expect_memory(reply);
}

// Hits that are due and replies that pass share the output: each goes every other edge.
TEST_F(TextureL2Test, CachedAndPassingRepliesTakeTurns) {
  TextureL2Bench bench(small_config());
  bench.ask(read_of(0x40, 0));
  bench.finish();
  for (unsigned i = 0; i < 40; ++i) bench.ask(read_of(0x40, i, i % 2 == 0 ? MemClient::kTexture : MemClient::kGlobal));
  bench.finish();
  const auto& replies = bench.driver.replies;
  unsigned alternating = 0;
  for (std::size_t i = 2; i < replies.size(); ++i) alternating += replies[i].client != replies[i - 1].client ? 1u : 0u;
  EXPECT_GE(alternating, 6u);
  EXPECT_EQ(bench.l2.counters().hits, 20u);
}

// A reader that takes a reply now and then has both kinds before it all the time.
TEST_F(TextureL2Test, NeitherKindOfReplyKeepsTheOtherFromABusyReceiver) {
  TextureL2Bench bench(small_config());
  bench.ask(read_of(0x40, 0));
  bench.finish();
  bench.driver.takes_one_in = 8;
  for (unsigned i = 0; i < 60; ++i) bench.ask(read_of(0x40, i, i % 2 == 0 ? MemClient::kTexture : MemClient::kGlobal));
  bench.finish();
  const auto& replies = bench.driver.replies;
  for (std::size_t i = 20; i < 50; ++i) EXPECT_NE(replies[i].client, replies[i - 1].client) << i;
}

// Random replacement would take a way that holds nothing for one that does.
TEST_F(TextureL2Test, AfterAResetEachWayIsEmpty) {
  Config config = small_config();
  config.tex.l2_replacement = *from_text<ReplacementPolicy>("random");
  TextureL2Bench bench(config);
  const auto ask_all = [&bench](unsigned first) {
    for (unsigned line = first; line < first + 8; ++line) bench.ask(read_of(0x20 * line, line)), bench.finish();
  };
  ask_all(0);
  bench.l2.hold_reset();
  bench.l2.commit();
  bench.l2.wake();
  ask_all(8);
  EXPECT_EQ(bench.l2.counters().misses, 16u);
  ask_all(8);
  EXPECT_EQ(bench.l2.counters().misses, 16u);
  EXPECT_EQ(bench.l2.counters().hits, 8u);
}

TEST_F(TextureL2Test, AResetInTheMiddleLeavesNothing) {
  TextureL2Bench bench(small_config());
  const testing::ResetCheck check({&bench.l2});
  for (unsigned i = 0; i < 30; ++i)
    bench.ask(read_of(0x40 * i, i, i % 3 == 0 ? MemClient::kGlobal : MemClient::kTexture));
  bench.run(20);
  EXPECT_FALSE(bench.l2.idle());
  check.expect_fresh();
  EXPECT_TRUE(bench.l2.idle());
}

TEST_F(TextureL2Test, AFaultIsHandedOnAndNotKept) {
  TextureL2Bench bench(small_config());
  bench.memory.unmapped_from = 0x1000;
  bench.ask(read_of(0x1000, 1));
  bench.finish();
  bench.ask(read_of(0x1000, 2));
  bench.finish();
  EXPECT_EQ(bench.driver.replies[0].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.driver.replies[1].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.memory.log.size(), 2u);
}

TEST_F(TextureL2Test, AFlushShowsNewContentAndDropsOldLinesOnTheirWay) {
  TextureL2Bench bench(small_config());
  bench.ask(read_of(0x40, 0));
  bench.finish();
  bench.ask(read_of(0x100, 1));
  bench.run(10);
  bench.memory.version = 1;
  bench.flush.write(1);
  bench.finish();
  bench.ask(read_of(0x40, 2));
  bench.ask(read_of(0x100, 3));
  bench.finish();
  for (const MemReply& reply : bench.driver.replies) bench.expect_memory(reply, reply.id >= 2 ? 1 : 0);
  EXPECT_EQ(bench.l2.counters().flushes, 1u);
}

TEST_F(TextureL2Test, RepliesWaitForABusyReceiver) {
  TextureL2Bench bench(small_config());
  bench.driver.takes_one_in = 7;
  for (unsigned i = 0; i < 100; ++i) {
    const bool other = i % 9 == 8;
    bench.ask(read_of(other ? 0x400 + 0x20 * i : 0x40 + i % 2 * 0x20, i,
                      i % 5 == 4 ? MemClient::kGlobal : MemClient::kTexture));
  }
  bench.finish();
  EXPECT_GT(bench.l2.counters().hits, 50u);
  std::vector<unsigned> count(100);
  for (const MemReply& reply : bench.driver.replies) {
    bench.expect_memory(reply);
    ASSERT_EQ(++count[reply.id], 1u);
  }
}

// Wherever the line is at that edge: on its way, in front of the tags, of the words.
TEST_F(TextureL2Test, ALineThatNobodyAskedForIsAModelError) {
  TextureL2Bench bench(small_config());
  bench.ask(read_of(0x100, 0));
  while (!bench.from_partition.read().valid) bench.run(1);
  testing::flip(bench.memory, "reply.id", 1);
  EXPECT_THROW(bench.run(1), sc_core::sc_report);
}

TEST_F(TextureL2Test, AFlushAtAnyEdgeDropsTheOldLine) {
  for (unsigned edges = 0; edges < 60; ++edges) {
    renew_context();
    TextureL2Bench bench(small_config());
    bench.ask(read_of(0x100, 0));
    bench.run(edges);
    bench.memory.version = 1;
    bench.flush.write(1);
    bench.run(1 + kControlWay);
    bench.ask(read_of(0x100, 1));  // it may come before the old line
    bench.finish();
    bench.ask(read_of(0x100, 2));
    bench.finish();
    for (const MemReply& reply : bench.driver.replies) {
      if (reply.id != 0) bench.expect_memory(reply, 1);
    }
  }
}

TEST_F(TextureL2Test, LinesAreFetchedExactlyAsOftenAsThePolicySays) {
  const unsigned seed = random_seed() + 51;
  SCOPED_TRACE(seed);
  for (const std::string policy : {"lru", "fifo"}) {
    SCOPED_TRACE(policy);
    renew_context();
    std::mt19937 random(seed);
    Config config = small_config();
    config.tex.l2_replacement = *from_text<ReplacementPolicy>(policy);
    TextureL2Bench bench(config);
    testing::LruModel model(4, 2, policy);
    std::uint64_t misses = 0;
    for (unsigned i = 0; i < 400; ++i) {
      const std::uint32_t line = random() % 12;
      bench.ask(read_of(line * 32, i));
      bench.finish();
      misses += !model.use(line);
    }
    EXPECT_EQ(bench.l2.counters().misses, misses);
    EXPECT_EQ(bench.memory.log.size(), misses);
  }
}

// Addresses here are those inside the partition, so consecutive ones use every set: the cache holds as many as it has.
TEST_F(TextureL2Test, APartitionsShareOfMemoryFillsTheWholeCache) {
  Config config = small_config();
  config.tex.l2_bytes = 4096;
  config.tex.l2_ways = 4;
  TextureL2Bench bench(config);
  for (unsigned round = 0; round < 2; ++round) {
    for (std::uint32_t local = 0; local < 4096; local += 32) bench.ask(read_of(0x10000 + local, local / 32));
    bench.finish();
  }
  EXPECT_EQ(bench.l2.counters().misses, 128u);
  EXPECT_EQ(bench.l2.counters().hits, 128u);
  for (const MemReply& reply : bench.driver.replies) bench.expect_memory(reply);
}

TEST_F(TextureL2Test, RandomTrafficIsAnsweredOnceEachAndSleepChangesNothing) {
  const unsigned seed = random_seed() + 52;
  SCOPED_TRACE(seed);
  for (const unsigned line_bytes : {32u, 128u}) {
    std::vector<Cycle> first;
    for (const bool no_sleep : {false, true}) {
      renew_context();
      std::mt19937 random(seed);
      TextureL2Bench bench(small_config(line_bytes), no_sleep, 60);
      bench.memory.busy_one_in = 3;
      testing::StepCount steps({&bench.l2});
      std::map<std::uint64_t, int> open;
      for (unsigned i = 0; i < 2000; ++i) {
        const MemClient client = random() % 3 ? MemClient::kTexture : MemClient::kGlobal;
        const MemOp op = client == MemClient::kGlobal && random() % 2 ? MemOp::kWrite : MemOp::kRead;
        const MemRequest request = read_of(random() % 48 * 32, i, client, op);
        bench.ask(request);
        if (op == MemOp::kRead)
          ++open[std::uint64_t{request.virtual_address} << 16 | request.id << 8 | unsigned(client)];
        if (i % 100 == 99) {
          bench.finish();
          bench.run(random() % 50);
        }
      }
      bench.finish();
      for (const MemReply& reply : bench.driver.replies) {
        bench.expect_memory(reply);
        --open[std::uint64_t{reply.virtual_address} << 16 | reply.id << 8 | unsigned(reply.client)];
      }
      for (const auto& [key, count] : open) EXPECT_EQ(count, 0) << std::hex << key;
      if (no_sleep) {
        EXPECT_EQ(bench.driver.received, first);
      } else if (seed == 1 + 52) {
        steps.expect({line_bytes == 32 ? 23857u : 10665u});
      }
      first = bench.driver.received;
    }
  }
}

}  // namespace
}  // namespace g80
