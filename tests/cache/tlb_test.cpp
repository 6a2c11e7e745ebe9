// SPDX-License-Identifier: Apache-2.0
// The TLB translates as the page table in memory says, in order, and walks as often as an LRU model does.
#include "hw/cache/tlb.h"

#include <algorithm>

#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/cache/lru_model.h"
#include "tests/cache/tlb_harness.h"
#include "tests/support/flip.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

namespace pt = page_table;

TEST(PageTable, EntriesKeepAddressAndPresence) {
  const pt::Entry page = pt::decode_page_entry(pt::encode_page_entry({true, 0x12'3456'0000}));
  EXPECT_TRUE(page.present);
  EXPECT_EQ(page.address, 0x12'3456'0000u);
  EXPECT_FALSE(pt::decode_page_entry(pt::encode_page_entry({false, 0x10000})).present);
  EXPECT_EQ(pt::decode_directory_entry(pt::encode_directory_entry({true, 0x7f000})).address, 0x7f000u);
}

TEST(PageTable, BitsFiveAndFourOfAnEntryAreItsTarget) {
  EXPECT_EQ(pt::encode_page_entry({true, 0x1'0003'0000, true}), 0x1'0003'0000u | 0x20 | 1);
  EXPECT_TRUE(pt::decode_page_entry(0x1'0003'0021).host);
  EXPECT_EQ(pt::decode_page_entry(0x1'0003'0021).address, 0x1'0003'0000u);
  EXPECT_FALSE(pt::decode_page_entry(0x1'0003'0001).host);
}

TEST(PageTable, ADirectoryEntryCovers512MegabytesAndATableEntry64Kilobytes) {
  EXPECT_EQ(pt::directory_offset(0x1fffffff), 0u);
  EXPECT_EQ(pt::directory_offset(0x20000000), 8u);
  EXPECT_EQ(pt::table_offset(0x0001ffff), 8u);
  EXPECT_EQ(pt::table_offset(0x2001ffff), 8u);
  EXPECT_EQ(pt::kTableBytes, 65536u);
}

TEST(Translate, AnAbsentPageAndOneBeyondTheAddressRangeFault) {
  TlbReach reach;
  reach.page[1] = {true, 0x40000};
  reach.page[2] = {true, std::uint64_t{1} << 33};
  EXPECT_EQ(translate(reach, 0x10004, 0x40000).address, 0x40004u);
  EXPECT_EQ(translate(reach, 0x00004, 0x40000).fault, MemFault::kPageNotPresent);
  EXPECT_EQ(translate(reach, 0x20004, 0x40000).fault, MemFault::kBeyondMemory);
}

TEST(Translate, APageOfTheHostHasTheUppermostBitInTheMemoryNetwork) {
  TlbReach reach;
  reach.page[0] = {true, pt::kHostWindow + 0x30000, true};
  reach.page[1] = {true, pt::kHostWindow + pt::kHostWindowBytes, true};
  reach.page[2] = {true, 0x30000, true};
  const Translation translation = translate(reach, 0x00004, 0x40000);
  EXPECT_EQ(translation.fault, MemFault::kNone);
  EXPECT_TRUE(pt::is_host(translation.address));
  EXPECT_EQ(pt::bus_address(translation.address), pt::kHostWindow + 0x30004);
  EXPECT_EQ(translate(reach, 0x10004, 0x40000).fault, MemFault::kBeyondMemory);
  EXPECT_EQ(translate(reach, 0x20004, 0x40000).fault, MemFault::kBeyondMemory);
  reach.page[3] = {true, 0x7fff'0000};
  EXPECT_FALSE(pt::is_host(translate(reach, 0x3ffff, 0x40000).address));
  reach.page[3] = {true, 0x8000'0000};
  EXPECT_EQ(translate(reach, 0x30000, 0x40000).fault, MemFault::kBeyondMemory);
}

Config small_tlb_config(unsigned entries = 3, unsigned pages = 4, unsigned walkers = 1, unsigned latency = 4) {
  Config config;
  config.tlb.entries = entries;
  config.tlb.reach_bytes = pages * pt::kPageBytes;
  config.tlb.walkers = walkers;
  config.tlb.hit_latency = latency;
  config.tlb.l2_entries = 0;
  return config;
}

MemRequest access(std::uint32_t address, unsigned id, MemOp op = MemOp::kRead) {
  return testing::access_of(address, id, op, 5);
}

// Alone in its domain, without a second level.
struct TlbBench : testing::TlbHarness {
  const bool no_sleep;
  Domain domain;
  Wire<std::uint32_t> flush{"flush"};
  RandomState random_state{{&domain}, 7, false};  // what holds nothing holds any bits

  explicit TlbBench(const Config& config, bool no_sleep = false, unsigned jitter = 0)
      : TlbHarness("first", config, jitter, 9), no_sleep(no_sleep), domain("domain", 0, 1000, 2, no_sleep) {
    join(domain, flush);
  }
  void run(unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); }
  void finish() {
    for (int i = 0; i < 5000 && !done(); ++i) run(50);
    run(100);
    ASSERT_TRUE(done() && idle.read());
    if (memory.busy_one_in == 0) {
      EXPECT_EQ(tlb.awake(), no_sleep);
    }
  }
};

using TlbTest = testing::SystemCTest;

TEST_F(TlbTest, NoWakeUpIsLost) {
  TlbBench bench(small_tlb_config(), false, 30);
  const SleepCheck check({&bench.domain});
  for (unsigned i = 0; i < 8; ++i) bench.memory.map_page(0x50000 + 0x10000 * i, i % 3 != 0, 0x990000 + 0x10000 * i);
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned i = 0; i < 20; ++i) bench.driver.todo.push_back(access(0x50000 + 0x10000 * (i % 8), i));
    bench.finish();
    bench.run(100);
  }
  EXPECT_GT(check.probes(), 100u);
}

// Each memory has one read port, and the address that was read stands in a register for an edge.
TEST_F(TlbTest, TheLookupReadsTheAddressesAndTheTranslationTheRequests) {
  struct Flip {
    const char* field;
    bool read;  // the address has been read
    bool seen;  // by the lookup
  };
  for (const Flip& flip : {Flip{"queue.front.virtual_address", false, false},
                           {"addresses.front.virtual_address", false, true},
                           {"addresses.front.virtual_address", true, false},
                           {"sought.virtual_address", true, true}}) {
    SCOPED_TRACE(flip.field);
    renew_context();
    TlbBench bench(small_tlb_config(3, 4, 1, 20));
    bench.memory.map_page(0x50000, true, 0x990000);
    bench.driver.todo.push_back(access(0x50000, 0));
    bench.finish();
    bench.driver.todo.push_back(access(0x50040, 1));
    bench.run(10);
    EXPECT_FALSE(testing::value_of(bench.tlb, "sought.valid"));
    for (int i = 0; flip.read && i < 20 && !testing::value_of(bench.tlb, "sought.valid"); ++i) bench.run(1);
    EXPECT_EQ(testing::value_of(bench.tlb, "ahead"), 0u) << "not looked up yet";
    testing::flip(bench.tlb, flip.field, 20);  // above what an entry covers
    if (!flip.seen) testing::flip(bench.tlb, "queue.front.virtual_address", 3);
    bench.finish();
    EXPECT_EQ(bench.tlb.counters().walks, flip.seen ? 2u : 1u);
    EXPECT_EQ(bench.tlb.counters().faults, flip.seen && !flip.read ? 1u : 0u) << "the page beside it is absent";
    if (flip.seen) continue;
    ASSERT_EQ(bench.translated_requests().size(), 2u);
    EXPECT_EQ(bench.translated_requests()[1].request.address, 0x990048u);
  }
}

TEST_F(TlbTest, AnAddressThatFindsNoneWaitingGoesPastItsQueueAndWithoutLatencyPastItsRegister) {
  for (const unsigned latency : {2u, 3u}) {
    SCOPED_TRACE(latency);
    renew_context();
    TlbBench bench(small_tlb_config(3, 4, 1, latency));
    bench.driver.todo.push_back(access(0x50000, 0));
    for (int i = 0; i < 20 && !testing::value_of(bench.tlb, "queue.count"); ++i) bench.run(1);
    EXPECT_EQ(testing::value_of(bench.tlb, "sought.valid"), latency == 3);
    EXPECT_EQ(testing::value_of(bench.tlb, "ahead"), latency == 2) << "looked up";
    bench.run(1);
    EXPECT_EQ(testing::value_of(bench.tlb, "ahead"), 1u);
    EXPECT_FALSE(testing::value_of(bench.tlb, "sought.valid"));
  }
}

TEST_F(TlbTest, WithoutRequestsItSleepsAndAHitWakesItForItsLatency) {
  TlbBench bench(small_tlb_config());
  testing::StepCount steps({&bench.tlb});
  bench.memory.map_page(0x50000, true, 0x990000);
  bench.driver.todo.push_back(access(0x50000, 0));
  bench.finish();
  steps.restart();
  bench.run(300);
  steps.expect_none("without requests");
  bench.driver.todo.push_back(access(0x50000, 0));
  bench.finish();
  steps.expect_at_most(small_tlb_config().tlb.hit_latency + 3, "translates one request");
  bench.flush.write(1);
  bench.run(300);
  steps.expect_at_most(2, "flushes");
}

TEST_F(TlbTest, AResetInTheMiddleLeavesNothing) {
  TlbBench bench(small_tlb_config());
  const testing::ResetCheck check({&bench.tlb});
  for (unsigned i = 0; i < 40; ++i) bench.driver.todo.push_back(access(0x50000 + 0x10000 * i, i));
  bench.run(20);
  EXPECT_FALSE(bench.tlb.idle());
  check.expect_fresh();
  EXPECT_TRUE(bench.tlb.idle());
}

// Nothing of a walk is left for the next one of the same walker, and each read names the request that missed.
TEST_F(TlbTest, AWalkThatCouldNotReadIsForgottenByTheNextOne) {
  Config config = small_tlb_config();
  config.tlb.walkers = 1;
  TlbBench bench(config);
  bench.memory.map_page(0x50000, true, 0x990000);
  for (const std::uint32_t unmapped_from : {0u, ~0u}) {
    bench.memory.unmapped_from = unmapped_from;
    bench.memory.log.clear();
    bench.flush.write(bench.flush.read() + 1);
    MemRequest request = access(0x50000, 1);
    request.origin.pc = 0x48 + unmapped_from % 3;
    bench.driver.todo.push_back(request);
    bench.finish();
    EXPECT_EQ(bench.driver.replies.size(), 1u) << "the fault of the first one";
    EXPECT_EQ(bench.translated_requests().size(), unmapped_from == 0 ? 0u : 1u);
    for (const auto& seen : bench.memory.log) EXPECT_EQ(seen.request.origin, request.origin);
  }
}

TEST_F(TlbTest, AHitTakesTheConfiguredLatencyAtOneRequestAnEdge) {
  for (const unsigned latency : {2u, 3u, 4u, 9u}) {
    SCOPED_TRACE(latency);
    renew_context();
    TlbBench bench(small_tlb_config(3, 4, 1, latency));
    bench.memory.map_page(0x50000, true, 0x990000);
    bench.driver.todo.push_back(access(0x50000, 0));
    bench.finish();
    for (unsigned i = 1; i <= 20; ++i) bench.driver.todo.push_back(access(0x50000 + 32 * i, i));
    bench.finish();
    const auto seen = bench.translated_requests();
    ASSERT_EQ(seen.size(), 21u);
    for (unsigned i = 1; i <= 20; ++i) {
      EXPECT_EQ(seen[i].request.address, 0x990000 + 32 * i);
      EXPECT_EQ(seen[i].request.virtual_address, 0x50000 + 32 * i);
      EXPECT_EQ(seen[i].edge - bench.driver.sent[i], latency);
      if (i > 1) {
        EXPECT_EQ(bench.driver.sent[i] - bench.driver.sent[i - 1], 1u);
      }
    }
    EXPECT_EQ(bench.tlb.counters().walks, 1u);
    EXPECT_EQ(bench.tlb.counters().hits, 20u);
  }
}

// The walk of a later request ends while those in front of it leave, one an edge.
TEST_F(TlbTest, AFillTakesTheLookupsPortForAnEdge) {
  TlbBench bench(small_tlb_config(3, 4, 2, 20));
  bench.memory.map_page(0x50000, true, 0x990000);
  bench.memory.map_page(0x150000, true, 0x770000);
  for (unsigned i = 0; i < 20; ++i) bench.driver.todo.push_back(access(0x50000 + 32 * i, i));
  bench.driver.todo.insert(bench.driver.todo.begin() + 15, access(0x150000, 30));
  bench.finish();
  const auto seen = bench.translated_requests();
  ASSERT_EQ(seen.size(), 21u);
  std::vector<Cycle> gaps;
  for (unsigned i = 1; i < 15; ++i) gaps.push_back(seen[i].edge - seen[i - 1].edge);
  EXPECT_EQ(std::count(gaps.begin(), gaps.end(), 1u), 13) << ::testing::PrintToString(gaps);
  EXPECT_EQ(std::count(gaps.begin(), gaps.end(), 2u), 1) << ::testing::PrintToString(gaps);
  EXPECT_EQ(bench.tlb.counters().walks, 2u);
  EXPECT_EQ(bench.tlb.counters().misses, 21u) << "all of them came before the first walk was done";
}

// Walks that end at the same time would evict each other's entries for ever.
TEST_F(TlbTest, TheRequestInFrontFindsWhatWasWalkedForItBeforeAnotherFill) {
  TlbBench bench(small_tlb_config(1, 1, 4, 8));
  for (unsigned page = 0; page < 4; ++page) bench.memory.map_page(page << 16, true, (page + 100) << 16);
  for (unsigned i = 0; i < 40; ++i) bench.driver.todo.push_back(access((i % 4) << 16, i));
  bench.finish();
  const auto seen = bench.translated_requests();
  ASSERT_EQ(seen.size(), 40u);
  for (unsigned i = 0; i < 40; ++i) EXPECT_EQ(seen[i].request.address, (i % 4 + 100) << 16);
  EXPECT_LE(bench.tlb.counters().walks, 160u);
}

TEST_F(TlbTest, ASlotThatWasFoundIsNotFilledBeforeItsRequestHasLeft) {
  TlbBench bench(small_tlb_config(1, 1, 2, 8));
  for (unsigned page = 0; page < 2; ++page) bench.memory.map_page(page << 16, true, (page + 100) << 16);
  for (unsigned i = 0; i < 6; ++i) bench.driver.todo.push_back(access((i / 3) << 16 | 32 * i, i));
  while (bench.memory.log.size() < 4) bench.run(1);  // both walks have read; nobody takes what they translate
  bench.memory.busy_one_in = 1;
  bench.run(60);
  bench.memory.busy_one_in = 0;
  bench.finish();
  const auto seen = bench.translated_requests();
  ASSERT_EQ(seen.size(), 6u);
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(seen[i].request.address, (i / 3 + 100) << 16 | 32 * i);
}

TEST_F(TlbTest, AWalkReadsADirectoryEntryAndOneChunkOfTheTable) {
  TlbBench bench(small_tlb_config());
  bench.memory.map_page(0x2005'0000, true, 0x990000);
  bench.driver.todo.push_back(access(0x2005'0040, 0));
  bench.finish();
  ASSERT_EQ(bench.memory.log.size(), 3u);
  EXPECT_EQ(bench.memory.log[0].request.address, 0u);
  EXPECT_EQ(bench.memory.log[0].request.bytes, 32);
  for (const auto& seen : bench.memory.log) EXPECT_EQ(seen.request.port, 5) << "of the request that missed";
  EXPECT_EQ(bench.memory.log[1].request.address, 0x10000 + pt::kTableBytes + 0x20);  // entries 4..7 of the second table
  EXPECT_EQ(bench.memory.log[1].request.bytes, 32);
  EXPECT_EQ(bench.memory.log[1].request.client, MemClient::kPageTable);
  EXPECT_EQ(bench.memory.log[2].request.address, 0x990040u);
}

TEST_F(TlbTest, AnEntryOfTheLargestReachHasSixteenPages) {
  TlbBench bench(small_tlb_config(3, 16));
  for (unsigned page = 0; page < 16; ++page)
    bench.memory.map_page(0x100000 + page * pt::kPageBytes, true, 0x800000 + (15 - page) * pt::kPageBytes);
  for (unsigned page = 0; page < 16; ++page)
    bench.driver.todo.push_back(access(0x100000 + page * pt::kPageBytes + 32 * page, page));
  bench.finish();
  const auto seen = bench.translated_requests();
  ASSERT_EQ(seen.size(), 16u);
  for (unsigned page = 0; page < 16; ++page)
    EXPECT_EQ(seen[page].request.address, 0x800000 + (15 - page) * pt::kPageBytes + 32 * page);
  EXPECT_EQ(bench.tlb.counters().walks, 1u);
}

TEST_F(TlbTest, AbsentPagesFaultForReadsAndWritesAndNothingIsSentOn) {
  TlbBench bench(small_tlb_config());
  bench.memory.map_page(0x50000, true, 0x990000);
  bench.driver.todo = {access(0x60000, 1), access(0x4000'0000, 2, MemOp::kWrite), access(0x50000, 3)};
  bench.memory.write64(pt::directory_offset(0x4000'0000), 0);
  bench.memory.write64(0x10000 + pt::table_offset(0x60000), 0);
  bench.finish();
  ASSERT_EQ(bench.driver.replies.size(), 2u);
  EXPECT_EQ(bench.driver.replies[0].fault, MemFault::kPageNotPresent);
  EXPECT_EQ(bench.driver.replies[0].id, 1);
  EXPECT_EQ(bench.driver.replies[0].port, 5);
  EXPECT_EQ(bench.driver.replies[1].id, 2);
  EXPECT_EQ(bench.driver.replies[1].op, MemOp::kWrite);
  EXPECT_EQ(bench.driver.replies[1].virtual_address, 0x4000'0000u);
  EXPECT_EQ(bench.translated_requests().size(), 1u);
  EXPECT_EQ(bench.tlb.counters().faults, 2u);
}

TEST_F(TlbTest, AWalkFindsPagesOfTheHostAndWhatLiesBeyondMemory) {
  TlbBench bench(small_tlb_config());
  bench.memory.map_page(0x50000, true, 0x990000);
  bench.memory.write64(0x10000 + pt::table_offset(0x60000),
                       pt::encode_page_entry({true, pt::kHostWindow + 0x30000, true}));
  bench.memory.write64(pt::directory_offset(0x4000'0000), pt::encode_directory_entry({true, pt::kHostBit}));
  bench.driver.todo = {access(0x60020, 1), access(0x4000'0000, 2)};
  bench.finish();
  const auto seen = bench.translated_requests();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].request.address, pt::kHostBit | 0x30020);
  ASSERT_EQ(bench.driver.replies.size(), 1u);
  EXPECT_EQ(bench.driver.replies[0].fault, MemFault::kBeyondMemory);
  EXPECT_EQ(bench.page_table_reads(), 3u) << "the second directory entry leads to no table";
}

// They wait in the queue, counted as hits; their memory takes nothing.
TEST_F(TlbTest, AResetForgetsEntriesAndRequests) {
  TlbBench bench(small_tlb_config());
  bench.memory.map_page(0x50000, true, 0x990000);
  bench.driver.todo.push_back(access(0x50000, 0));
  bench.finish();
  bench.memory.busy_one_in = 1;
  for (unsigned i = 1; i < 5; ++i) bench.driver.todo.push_back(access(0x50000, i));
  bench.run(20);
  const auto& counters = bench.tlb.counters();
  const std::uint64_t counted = counters.hits + counters.misses;
  EXPECT_GT(counted, 2u);
  bench.tlb.hold_reset();
  bench.tlb.commit();
  bench.memory.busy_one_in = 0;
  bench.run(2);
  for (unsigned i = 5; i < 8; ++i) bench.driver.todo.push_back(access(0x50000, i));
  bench.finish();
  EXPECT_EQ(counters.hits + counters.misses, counted + 3);
  EXPECT_EQ(counters.walks, 2u);
}

// Nothing on the wire tells a request from the one before it.
TEST_F(TlbTest, EqualRequestsBehindEachOtherAreEachTaken) {
  Config config = small_tlb_config(3, 4, 1, 2);
  TlbBench bench(config);
  bench.memory.map_page(0x50000, true, 0x990000);
  bench.driver.todo = {access(0x150000, 1), access(0x50000, 2), access(0x250000, 3), access(0x250000, 3)};
  bench.run(20);
  EXPECT_EQ(bench.driver.sent.size(), 4u) << "as many as it has places";
  bench.finish();
}

TEST_F(TlbTest, AFlushMakesTheNewMappingSeenEvenDuringAWalk) {
  TlbBench bench(small_tlb_config());
  bench.memory.map_page(0x50000, true, 0x990000);
  bench.driver.todo.push_back(access(0x50000, 0));
  bench.finish();
  bench.memory.map_page(0x50000, true, 0xaa0000);
  bench.driver.todo.push_back(access(0x50000, 1));
  bench.finish();
  bench.flush.write(1);
  bench.run(2);
  bench.driver.todo.push_back(access(0x50000, 2));
  for (int i = 0; i < 100 && bench.memory.log.size() < 6; ++i) bench.run(1);
  ASSERT_EQ(bench.memory.log.size(), 6u);  // the table has been read and its reply is on its way
  bench.run(2);
  bench.memory.map_page(0x50000, true, 0xbb0000);
  bench.flush.write(2);
  bench.finish();
  const auto seen = bench.translated_requests();
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].request.address, 0x990000u);
  EXPECT_EQ(seen[1].request.address, 0x990000u);  // not flushed: the old entry still holds
  EXPECT_EQ(seen[2].request.address, 0xbb0000u);
}

TEST_F(TlbTest, WalksBeginInTheOrderOfTheirRequests) {
  TlbBench bench(small_tlb_config(4, 1, 1, 8));
  for (unsigned page = 0; page < 4; ++page) bench.memory.map_page(page << 16, true, (page + 100) << 16);
  for (unsigned i = 0; i < 8; ++i) bench.driver.todo.push_back(access((3 - i / 2) << 16, i));
  bench.finish();
  std::vector<std::uint32_t> walked;
  for (const auto& seen : bench.memory.log) {
    if (seen.request.client == MemClient::kPageTable && seen.request.address < 0x10000)
      walked.push_back(seen.request.virtual_address >> 16);
  }
  EXPECT_EQ(walked, (std::vector<std::uint32_t>{3, 2, 1, 0}));
}

// An entry may be evicted before the walker that filled it has told the second level.
TEST_F(TlbTest, AWalkerThatStillTellsTheSecondLevelWorksForNoMiss) {
  Config config = small_tlb_config(1, 1, 3, 8);
  config.tlb.l2_entries = 8;
  TlbBench bench(config);
  for (unsigned page = 0; page < 3; ++page) bench.memory.map_page(page << 16, true, (page + 100) << 16);
  const auto take_question = [&bench] {
    for (int i = 0; i < 200 && !bench.question.read().valid; ++i) bench.run(1);
    const TlbQuestion question = bench.question.read();
    bench.question_ready.write(true);
    bench.run(1);
    bench.question_ready.write(false);
    return question;
  };
  const auto answer = [&bench](const TlbQuestion& question, bool hit) {
    TlbAnswer answer;
    answer.valid = true;
    answer.hit = hit;
    answer.walker = question.walker;
    answer.reach.page[0] = {true, ((question.virtual_address >> 16) + 100) << 16};
    bench.answer.write(answer);
    bench.run(1);
    bench.answer.write({});
  };
  for (unsigned page = 0; page < 3; ++page) {
    bench.driver.todo.push_back(access(page << 16, page));
    bench.driver.todo.back().origin.pc = 8 * page;
  }
  std::array<TlbQuestion, 3> asked;
  for (unsigned page = 0; page < 3; ++page) {
    asked[page] = take_question();
    EXPECT_EQ(asked[page].origin.pc, 8 * page);
  }
  answer(asked[0], false);
  answer(asked[1], false);
  bench.run(200);  // what the first walker learnt is on the wire, the second one waits behind it
  EXPECT_EQ(bench.translated_requests().size(), 2u);
  answer(asked[2], true);
  bench.run(20);
  bench.driver.todo.push_back(access(0x10000, 3));
  bench.run(20);
  std::vector<std::uint32_t> told;
  for (unsigned i = 0; i < 3; ++i) {
    const TlbQuestion question = take_question();
    ASSERT_TRUE(question.valid);
    if (question.fill) {
      told.push_back(question.virtual_address);
    } else {
      EXPECT_EQ(question.virtual_address, 0x10000u);
      answer(question, true);
    }
  }
  bench.finish();
  EXPECT_EQ(told, (std::vector<std::uint32_t>{0x00000, 0x10000}));
  EXPECT_EQ(bench.translated_requests().size(), 4u);
}

TEST_F(TlbTest, AFlushIsSeenByARequestThatWasFoundAndHasNotLeft) {
  TlbBench bench(small_tlb_config());
  bench.memory.map_page(0x50000, true, 0x990000);
  bench.driver.todo.push_back(access(0x50000, 0));
  bench.finish();
  bench.memory.busy_one_in = 1;
  for (unsigned i = 1; i < 4; ++i) bench.driver.todo.push_back(access(0x50000, i));
  bench.run(20);
  bench.memory.map_page(0x50000, true, 0xaa0000);
  bench.flush.write(1);
  bench.run(2);
  bench.memory.busy_one_in = 0;
  bench.finish();
  const auto seen = bench.translated_requests();
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen[1].request.address, 0x990000u) << "in the output register";
  EXPECT_EQ(seen[2].request.address, 0xaa0000u);
  EXPECT_EQ(seen[3].request.address, 0xaa0000u);
}

TEST_F(TlbTest, WalksHappenExactlyAsOftenAsThePolicySays) {
  const unsigned seed = random_seed() + 2;
  SCOPED_TRACE(seed);
  for (const std::string policy : {"lru", "fifo"}) {
    SCOPED_TRACE(policy);
    renew_context();
    std::mt19937 random(seed);
    Config config = small_tlb_config();
    config.tlb.replacement = *from_text<ReplacementPolicy>(policy);
    TlbBench bench(config);
    for (std::uint32_t page = 0; page < 32; ++page) bench.memory.map_page(page << 16, true, (page * 7 + 100) << 16);
    testing::LruModel model(1, 3, policy);
    unsigned walks = 0;
    for (unsigned i = 0; i < 400; ++i) {
      const std::uint32_t address = random() % (32u << 16) & ~31u, reach = address >> 18;
      bench.driver.todo.push_back(access(address, i));
      bench.finish();  // one at a time: requests behind a miss are looked up before it is done
      walks += !model.use(reach);
    }
    EXPECT_EQ(bench.tlb.counters().walks, walks);
  }
}

TEST_F(TlbTest, RandomRequestsAreTranslatedInOrderUnderBackPressureAndSleepChangesNothing) {
  const unsigned seed = random_seed() + 6;
  SCOPED_TRACE(seed);
  for (const unsigned walkers : {1u, 4u}) {
    std::vector<Cycle> first;
    for (const bool no_sleep : {false, true}) {
      renew_context();
      std::mt19937 random(seed);
      TlbBench bench(small_tlb_config(2, 2, walkers, 3), no_sleep, 50);
      testing::StepCount steps({&bench.tlb});
      bench.memory.busy_one_in = 3;
      for (std::uint32_t page = 0; page < 16; ++page)
        bench.memory.map_page(page << 16, page % 5 != 0, (page * 7 + 100) << 16);
      std::vector<MemRequest> mapped, absent;
      for (unsigned i = 0; i < 1000; ++i) {
        const MemRequest request = access(random() % (random() % 2 ? 2u << 16 : 16u << 16) & ~31u, i,
                                          random() % 2 ? MemOp::kRead : MemOp::kWrite);
        bench.driver.todo.push_back(request);
        ((request.virtual_address >> 16) % 5 != 0 ? mapped : absent).push_back(request);
      }
      bench.finish();
      const auto seen = bench.translated_requests();
      ASSERT_EQ(seen.size(), mapped.size());
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const std::uint32_t address = mapped[i].virtual_address;
        ASSERT_EQ(seen[i].request.virtual_address, address);
        ASSERT_EQ(seen[i].request.address, (((address >> 16) * 7 + 100) << 16) + address % 65536);
      }
      ASSERT_EQ(bench.driver.replies.size(), absent.size());
      for (std::size_t i = 0; i < absent.size(); ++i)
        ASSERT_EQ(bench.driver.replies[i].virtual_address, absent[i].virtual_address);
      EXPECT_EQ(bench.tlb.counters().hits + bench.tlb.counters().misses, 1000u);
      std::vector<Cycle> record;
      for (const auto& one : bench.memory.log) record.push_back(one.edge);
      if (no_sleep) {
        EXPECT_EQ(record, first);
      } else if (seed == 1 + 6) {
        steps.expect({walkers == 1 ? 26474u : 21721u});
      }
      first = record;
    }
  }
}

}  // namespace
}  // namespace g80
