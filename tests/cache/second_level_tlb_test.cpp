// SPDX-License-Identifier: Apache-2.0
// The second level of the TLB answers as an LRU model by sets does, after its latency; what it knows no TLB walks for,
// and what was read before a flush nobody sees after it.
#include "hw/cache/second_level_tlb.h"

#include <map>

#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/cache/lru_model.h"
#include "tests/cache/tlb_harness.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

namespace pt = page_table;

constexpr unsigned kReachPages = 2;
constexpr std::uint32_t kReach = kReachPages * pt::kPageBytes;

Config config_of(unsigned entries, unsigned ways, unsigned latency, unsigned first_level = 2, unsigned walkers = 1) {
  Config config;
  config.gpu.num_tpcs = 1;  // and the chip's own TLB: two requesters
  config.tlb.entries = first_level;
  config.tlb.reach_bytes = kReach;
  config.tlb.walkers = walkers;
  config.tlb.hit_latency = 2;
  config.tlb.l2_entries = entries;
  config.tlb.l2_ways = ways;
  config.tlb.l2_latency = latency;
  return config;
}

// --- the second level alone

/// Sends questions and fills as fast as they are taken, and notes the answers.
struct AskerRegs {
  TlbQuestion question;
  G80_FIELDS(question);
};
class Asker final : public Clocked<AskerRegs> {
 public:
  explicit Asker(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_out<TlbQuestion> question_o{"question_o"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  sc_core::sc_in<TlbAnswer> answer_i{"answer_i"};

  std::vector<TlbQuestion> todo;
  std::size_t next_todo = 0;
  std::vector<TlbAnswer> answers;
  std::vector<Cycle> sent, answered;
  std::uint8_t flushes = 0;  // that it has seen

  void ask(std::uint32_t reach, unsigned walker = 0) { todo.push_back(about(reach, walker)); }
  void fill(std::uint32_t reach, std::uint64_t physical) {
    TlbQuestion question = about(reach, 0);
    question.fill = true;
    question.flush = flushes;
    question.reach.page[0] = {true, physical};
    todo.push_back(question);
  }

 private:
  static TlbQuestion about(std::uint32_t reach, unsigned walker) {
    TlbQuestion question;
    question.valid = true;
    question.walker = static_cast<std::uint8_t>(walker);
    question.virtual_address = reach * kReach + 0x40;
    return question;
  }
  void next() override {
    if (answer_i.read().valid) {
      answers.push_back(answer_i.read());
      answered.push_back(edge());
    }
    if (q_.question.valid && ready_i.read()) {
      sent.push_back(edge());
      d_.question.valid = false;
    }
    if (!d_.question.valid && next_todo < todo.size()) d_.question = todo[next_todo++];
  }
  void drive() override { question_o.write(q_.question); }
};

struct LevelBench {
  Domain domain;
  Asker a{"a"}, b{"b"};
  SecondLevelTlb level;
  Wire<TlbQuestion> question_a{"question_a"}, question_b{"question_b"};
  Wire<bool> ready_a{"ready_a"}, ready_b{"ready_b"}, idle{"idle"};
  Wire<TlbAnswer> answer_a{"answer_a"}, answer_b{"answer_b"};
  Wire<std::uint32_t> flush{"flush"};
  RandomState random_state{{&domain}, 7, false};  // what holds nothing holds any bits

  explicit LevelBench(const Config& config) : domain("domain", 0, 1000, 2, false), level("level", config) {
    connect(a, 0, question_a, ready_a, answer_a);
    connect(b, 1, question_b, ready_b, answer_b);
    level.flush_i(flush);
    level.idle_o(idle);
    domain.add(a);
    domain.add(b);
    domain.add(level);
  }
  void connect(Asker& asker, unsigned requester, Wire<TlbQuestion>& question, Wire<bool>& ready,
               Wire<TlbAnswer>& answer) {
    asker.question_o(question);
    asker.ready_i(ready);
    asker.answer_i(answer);
    level.question_i[requester](question);
    level.question_ready_o[requester](ready);
    level.answer_o[requester](answer);
  }
  void run(unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); }
};

using SecondLevelTlbTest = testing::SystemCTest;

TEST_F(SecondLevelTlbTest, AResetInTheMiddleLeavesNothing) {
  LevelBench bench(config_of(4, 2, 11, 2, 2));
  const testing::ResetCheck check({&bench.level});
  for (unsigned i = 0; i < 8; ++i) bench.a.ask(i, i);
  bench.run(9);
  EXPECT_FALSE(bench.idle.read());
  check.expect_fresh();
  EXPECT_TRUE(bench.idle.read());
}

// One question or fill at a time, so that each stage and register is the only one that holds something.
TEST_F(SecondLevelTlbTest, AResetWithdrawsTheAnswerOnTheWire) {
  LevelBench bench(config_of(8, 2, 9));
  bench.a.ask(3);
  while (!bench.answer_a.read().valid) bench.run(1);
  bench.level.hold_reset();
  bench.level.commit();
  EXPECT_FALSE(bench.answer_a.read().valid);
  EXPECT_TRUE(bench.level.idle());
}

// Nothing on the wire tells a question from the one before it.
TEST_F(SecondLevelTlbTest, EqualQuestionsBehindEachOtherAreEachTaken) {
  LevelBench bench(config_of(8, 2, 60));
  for (unsigned i = 0; i < 6; ++i) bench.a.ask(3);
  bench.run(40);
  EXPECT_EQ(bench.a.sent.size(), 6u);
  bench.run(100);
  EXPECT_EQ(bench.a.answers.size(), 6u);
}

TEST_F(SecondLevelTlbTest, IsNotIdleBetweenAQuestionAndItsAnswer) {
  for (const unsigned latency : {7u, 17u}) {
    renew_context();
    LevelBench bench(config_of(4, 2, latency));
    bench.run(20);
    for (unsigned i = 0; i < 6; ++i) {
      ASSERT_TRUE(bench.idle.read());
      i % 3 == 0 ? bench.a.fill(i, 0x10000) : bench.a.ask(i);
      while (bench.a.sent.size() == i) bench.run(1);
      for (unsigned edges = 1; i % 3 == 0 ? bench.level.counters().fills == i / 3 : !bench.answer_a.read().valid;
           ++edges) {
        ASSERT_FALSE(bench.idle.read()) << edges << " edges after question " << i;
        ASSERT_LE(edges, latency);
        bench.run(1);
      }
      EXPECT_FALSE(bench.answer_a.read().valid && bench.idle.read()) << "while it shows the answer";
      bench.run(20);
    }
    EXPECT_EQ(bench.a.answers.size(), 4u);
  }
}

TEST_F(SecondLevelTlbTest, NoWakeUpIsLost) {
  LevelBench bench(config_of(4, 2, 11, 2, 2));
  const SleepCheck check({&bench.domain});
  for (unsigned i = 0; i < 20; ++i) {
    bench.a.ask(i % 5, i % 16);
    bench.b.fill(i % 7, 0x10000 * i);
    if (i % 3 == 0) bench.run(40);
    if (i == 10) bench.flush.write(1);
  }
  bench.run(100);
  EXPECT_EQ(bench.a.answers.size(), 20u);
  EXPECT_GT(check.probes(), 100u);
}

TEST_F(SecondLevelTlbTest, SleepsWhileAnAnswerIsOnItsWayAndWithoutQuestions) {
  LevelBench bench(config_of(4, 2, 200, 2, 2));
  testing::StepCount steps({&bench.level});
  bench.run(10);
  steps.restart();
  bench.run(300);
  steps.expect_none("without questions");
  bench.a.ask(1);
  bench.run(600);
  EXPECT_EQ(bench.a.answers.size(), 1u);
  steps.expect_at_most(10, "it comes, four stages, its place is free, the answer, its end, and an edge without work");
}

TEST_F(SecondLevelTlbTest, AnAnswerNamesItsQuestion) {
  LevelBench bench(config_of(4, 2, 11, 2, 2));
  bench.a.fill(3, 0x770000);
  bench.run(10);
  bench.a.ask(3, 1);
  bench.a.ask(2, 0);
  for (TlbQuestion& question : bench.a.todo) question.origin.tag.bits = 0x1000 + question.virtual_address / kReach;
  bench.run(60);
  ASSERT_EQ(bench.a.answers.size(), 2u);
  for (const TlbAnswer& answer : bench.a.answers) {
    EXPECT_EQ(answer.origin.tag.bits, 0x1000 + answer.virtual_address / kReach);
    EXPECT_EQ(answer.virtual_address, (answer.walker == 1 ? 3 : 2) * kReach + 0x40);
    EXPECT_EQ(answer.hit, answer.walker == 1);
  }
  EXPECT_EQ(bench.a.answers[0].reach.page[0].address, 0x770000u);
}

TEST_F(SecondLevelTlbTest, TheLargestChipHasAPlaceForEachRequester) {
  Config config = config_of(4, 2, 11);
  config.gpu.num_tpcs = kMaxTpcs;
  LevelBench bench(config);
  Wire<TlbQuestion> no_question{"no_question"};
  std::vector<std::unique_ptr<Wire<bool>>> ready;
  std::vector<std::unique_ptr<Wire<TlbAnswer>>> answer;
  for (unsigned i = 2; i <= kMaxTpcs; ++i) {
    bench.level.question_i[i](no_question);
    ready.push_back(std::make_unique<Wire<bool>>(("ready" + std::to_string(i)).c_str()));
    bench.level.question_ready_o[i](*ready.back());
    answer.push_back(std::make_unique<Wire<TlbAnswer>>(("answer" + std::to_string(i)).c_str()));
    bench.level.answer_o[i](*answer.back());
  }
  bench.b.fill(3, 0x770000);
  bench.run(10);
  bench.a.ask(3);
  bench.run(60);
  ASSERT_EQ(bench.a.answers.size(), 1u);
  EXPECT_TRUE(bench.a.answers[0].hit);
  for (const auto& wire : ready) EXPECT_TRUE(wire->read());
  for (const auto& wire : answer) EXPECT_FALSE(wire->read().valid);
}

TEST_F(SecondLevelTlbTest, AnswersComeAfterTheConfiguredLatencyOneAnEdge) {
  for (const unsigned latency : {7u, 8u, 9u, 17u, 255u}) {
    renew_context();
    LevelBench bench(config_of(8, 2, latency));
    bench.a.fill(5, 0x770000);
    bench.run(20);
    for (unsigned i = 0; i < 10; ++i) bench.a.ask(i % 2 ? 5 : 6, i);
    bench.run(30 + latency);
    ASSERT_EQ(bench.a.answers.size(), 10u);
    for (unsigned i = 0; i < 10; ++i) {
      EXPECT_EQ(bench.a.answered[i] - bench.a.sent[1 + i], latency) << latency;
      EXPECT_EQ(bench.a.answers[i].walker, i);
      EXPECT_EQ(bench.a.answers[i].hit, i % 2 != 0);
      if (i > 0) {
        EXPECT_EQ(bench.a.sent[1 + i] - bench.a.sent[i], 1u);
      }
    }
    EXPECT_EQ(bench.a.answers[1].reach.page[0].address, 0x770000u);
    EXPECT_TRUE(bench.b.answers.empty());
    EXPECT_TRUE(bench.level.idle());
    EXPECT_EQ(bench.level.counters().hits, 5u);
    EXPECT_EQ(bench.level.counters().misses, 5u);
    EXPECT_EQ(bench.level.counters().fills, 1u);
  }
}

TEST_F(SecondLevelTlbTest, TheLeastRecentlyUsedWayOfASetLeaves) {
  LevelBench bench(config_of(8, 2, 7));  // 4 sets: reaches 1, 5, 9 share one
  bench.a.fill(1, 0x10000);
  bench.a.fill(5, 0x50000);
  bench.a.fill(2, 0x20000);
  bench.a.ask(1);  // used after 5
  bench.a.fill(9, 0x90000);
  for (const unsigned reach : {1u, 5u, 9u, 2u}) bench.a.ask(reach);
  bench.run(60);
  std::vector<bool> hits;
  for (const TlbAnswer& answer : bench.a.answers) hits.push_back(answer.hit);
  EXPECT_EQ(hits, (std::vector<bool>{true, true, false, true, true}));
  EXPECT_EQ(bench.a.answers[3].reach.page[0].address, 0x90000u);
}

TEST_F(SecondLevelTlbTest, AFillTakesThePortOfTheTagsForThreeEdges) {
  LevelBench bench(config_of(8, 2, 7));
  bench.a.fill(1, 0x10000);
  bench.run(10);
  for (unsigned i = 0; i < 20; ++i) bench.a.ask(1, i % 16);
  bench.run(6);
  bench.b.fill(2, 0x20000);
  bench.b.ask(2);  // behind the fill: it finds what that writes
  bench.run(60);
  ASSERT_EQ(bench.a.answers.size(), 20u);
  std::map<Cycle, unsigned> gaps;
  for (unsigned i = 1; i < 20; ++i) ++gaps[bench.a.answered[i] - bench.a.answered[i - 1]];
  EXPECT_EQ(gaps, (std::map<Cycle, unsigned>{{1, 17}, {2, 1}, {4, 1}}))
      << "one for the other's question, one for its fill";
  ASSERT_EQ(bench.b.answers.size(), 1u);
  EXPECT_TRUE(bench.b.answers[0].hit);
  EXPECT_EQ(bench.b.answers[0].reach.page[0].address, 0x20000u);
}

TEST_F(SecondLevelTlbTest, TwoFillsOfOneReachTakeOneEntry) {
  LevelBench bench(config_of(2, 2, 7));
  bench.a.fill(7, 0x70000);
  bench.b.fill(8, 0x80000);
  bench.b.fill(7, 0x70000);
  for (const unsigned reach : {8u, 7u}) bench.a.ask(reach);
  bench.run(60);
  ASSERT_EQ(bench.a.answers.size(), 2u);
  EXPECT_TRUE(bench.a.answers[0].hit);
  EXPECT_TRUE(bench.a.answers[1].hit);
}

TEST_F(SecondLevelTlbTest, RequestersTakeTurns) {
  LevelBench bench(config_of(8, 2, 7));
  bench.a.fill(1, 0x10000);
  bench.run(10);
  for (unsigned i = 0; i < 20; ++i) {
    bench.a.ask(1, i % 16);
    bench.b.ask(1, i % 16);
  }
  bench.run(80);
  ASSERT_EQ(bench.a.answers.size(), 20u);
  ASSERT_EQ(bench.b.answers.size(), 20u);
  for (unsigned i = 1; i < 20; ++i) {
    EXPECT_EQ(bench.a.answered[i] - bench.a.answered[i - 1], 2u);
    EXPECT_EQ(bench.b.answered[i] - bench.b.answered[i - 1], 2u);
    EXPECT_EQ(bench.b.answers[i].walker, i % 16);
  }
}

TEST_F(SecondLevelTlbTest, AFlushEmptiesItAndFillsThatWaitThenAreNotKept) {
  LevelBench bench(config_of(8, 2, 7));
  bench.a.fill(1, 0x10000);
  bench.run(10);
  // Three fills an edge apart from each side: at the flush one is on its wire and others wait for their turn.
  for (const unsigned reach : {2u, 3u, 4u}) {
    bench.a.fill(reach, 0x10000);
    bench.b.fill(reach + 4, 0x10000);
  }
  while (bench.b.sent.size() < 2) bench.run(1);
  const std::uint64_t kept = bench.level.counters().fills;
  bench.flush.write(1);
  bench.run(30);
  EXPECT_EQ(bench.level.counters().fills, kept) << "those sent later were walked for before it too";
  EXPECT_TRUE(bench.idle.read());
  bench.a.flushes = 1;
  bench.a.fill(3, 0x10000);
  for (unsigned reach = 1; reach <= 8; ++reach) bench.a.ask(reach);
  bench.run(60);
  ASSERT_EQ(bench.a.answers.size(), 8u);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(bench.a.answers[i].hit, i == 2) << i;
}

// --- both levels

/// One first level with its requests and its memory, and the wires on which it asks the second.
struct First : testing::TlbHarness {
  First(const std::string& name, const Config& config, unsigned jitter, SecondLevelTlb& level, unsigned requester,
        Wire<std::uint32_t>& flush, Domain& domain)
      : TlbHarness(name, config, jitter, 9 + requester) {
    level.question_i[requester](question);
    level.question_ready_o[requester](question_ready);
    level.answer_o[requester](answer);
    join(domain, flush);
  }
  void access(std::uint32_t address, unsigned id = 0, MemOp op = MemOp::kRead) {
    driver.todo.push_back(testing::access_of(address, id, op));
  }
};

struct SecondLevelTlbBench {
  const bool no_sleep;
  Domain domain;
  Wire<std::uint32_t> flush{"flush"}, flush_of_tpc{"flush_of_tpc"};  // a TPC sees it behind the way
  Wire<bool> idle{"idle"};
  SecondLevelTlb level;
  First a, b;
  RandomState random_state{{&domain}, 7, false};  // what holds nothing holds any bits

  explicit SecondLevelTlbBench(const Config& config, bool no_sleep = false, unsigned jitter = 0)
      : no_sleep(no_sleep),
        domain("domain", 0, 1000, 2, no_sleep),
        level("level", config),
        a("a", config, jitter, level, 0, flush_of_tpc, domain),
        b("b", config, jitter, level, 1, flush, domain) {
    level.flush_i(flush);
    level.idle_o(idle);
    domain.add(level);
  }
  /// In both memories: they stand for one.
  void map_page(std::uint32_t virtual_address, bool present, std::uint64_t physical) {
    a.memory.map_page(virtual_address, present, physical);
    b.memory.map_page(virtual_address, present, physical);
  }
  void run(unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); }
  void flush_all(std::uint32_t count) {
    flush.write(count);
    run(kControlWay);
    flush_of_tpc.write(count);
    run(1);
  }
  bool done() const { return a.done() && b.done() && level.idle(); }
  void finish() {
    for (int i = 0; i < 20000 && !done(); ++i) run(20);
    run(40);
    ASSERT_TRUE(done());
    if (a.memory.busy_one_in == 0) {
      EXPECT_EQ(level.awake() || a.tlb.awake() || b.tlb.awake(), no_sleep);
    }
  }
};

std::uint64_t physical_of(std::uint32_t page, unsigned version = 0) {
  return std::uint64_t{page * 7 + 100 + 1000 * version} << 16;
}

TEST_F(SecondLevelTlbTest, WhatItKnowsTakesItsLatencyAndReadsNoPageTable) {
  for (const unsigned latency : {7u, 13u, 60u}) {
    renew_context();
    SecondLevelTlbBench bench(config_of(8, 2, latency));
    for (std::uint32_t page = 0; page < 8; ++page) bench.map_page(page << 16, true, physical_of(page));
    bench.a.access(0x20000);
    bench.finish();
    EXPECT_EQ(bench.a.page_table_reads(), 2u);
    bench.b.access(0x30040);  // another page of the same reach, through the other TLB
    bench.finish();
    EXPECT_EQ(bench.b.page_table_reads(), 0u);
    EXPECT_EQ(bench.b.tlb.counters().misses, 1u);
    EXPECT_EQ(bench.b.tlb.counters().walks, 0u);
    ASSERT_EQ(bench.b.translated_requests().size(), 1u);
    const auto seen = bench.b.translated_requests()[0];
    EXPECT_EQ(seen.request.address, physical_of(3) + 0x40);
    // Lookup, walker, question; and behind the answer walker, fill, lookup, translation.
    EXPECT_EQ(seen.edge - bench.b.driver.sent[0], 3 + latency + 4);
    bench.b.access(0x30080);  // now the first level has it
    bench.finish();
    EXPECT_EQ(bench.b.translated_requests()[1].edge - bench.b.driver.sent[1], 2u);
    EXPECT_EQ(bench.level.counters().hits, 1u);
    EXPECT_EQ(bench.level.counters().misses, 1u);
  }
}

TEST_F(SecondLevelTlbTest, AFlushDuringAQuestionCostsOneWalk) {
  for (unsigned at = 0; at < 20; ++at) {
    renew_context();
    SCOPED_TRACE(at);
    SecondLevelTlbBench bench(config_of(8, 2, 7));
    for (std::uint32_t page = 0; page < 8; ++page) bench.map_page(page << 16, true, physical_of(page));
    bench.b.access(0x20000);
    bench.finish();
    bench.a.access(0x20000);  // the second level has it until the flush
    bench.run(at);
    bench.flush_all(1);
    bench.b.access(0x40000);
    bench.finish();
    const std::uint64_t walks = bench.a.tlb.counters().walks;
    bench.a.access(0x40000);
    bench.finish();
    EXPECT_EQ(bench.a.tlb.counters().walks, walks);
  }
}

TEST_F(SecondLevelTlbTest, AnAbsentPageFaultsTheSameFromTheSecondLevelAsFromAWalk) {
  SecondLevelTlbBench bench(config_of(8, 2, 7));
  bench.map_page(0x20000, true, physical_of(2));
  bench.map_page(0x30000, false, 0);
  bench.map_page(0x5000'0000, true, std::uint64_t{1} << 33);
  for (First* first : {&bench.a, &bench.b}) {
    first->access(0x30000, 1);
    first->access(0x30020, 2, MemOp::kWrite);
    first->access(0x5000'0000, 3);
    first->access(0x20000, 4);
    bench.finish();
    ASSERT_EQ(first->driver.replies.size(), 3u);
    EXPECT_EQ(first->driver.replies[0].fault, MemFault::kPageNotPresent);
    EXPECT_EQ(first->driver.replies[0].id, 1);
    EXPECT_EQ(first->driver.replies[1].fault, MemFault::kPageNotPresent);
    EXPECT_EQ(first->driver.replies[1].op, MemOp::kWrite);
    EXPECT_EQ(first->driver.replies[1].virtual_address, 0x30020u);
    EXPECT_EQ(first->driver.replies[2].fault, MemFault::kBeyondMemory);
    EXPECT_EQ(first->translated_requests().size(), 1u);
    EXPECT_EQ(first->tlb.counters().faults, 3u);
  }
  EXPECT_EQ(bench.a.tlb.counters().walks, 2u);
  EXPECT_EQ(bench.b.tlb.counters().walks, 0u);
}

TEST_F(SecondLevelTlbTest, NoMappingOfBeforeAFlushIsSeenAfterItWheneverItComes) {
  unsigned slowest = 0;
  for (unsigned at = 0; at < 90; ++at) {
    renew_context();
    SCOPED_TRACE(at);
    SecondLevelTlbBench bench(config_of(8, 2, 7, 8, 2));
    for (std::uint32_t page = 0; page < 8; ++page) bench.map_page(page << 16, true, physical_of(page));
    bench.run(5);
    // Two reaches walked for on one side; on the other one that the second level has by then, and one more.
    bench.a.access(0x00000);
    bench.a.access(0x20000);
    bench.run(at % 3 * 40);
    bench.b.access(0x20000);
    bench.b.access(0x40000);
    bench.run(at);
    for (std::uint32_t page = 0; page < 8; ++page) bench.map_page(page << 16, true, physical_of(page, 1));
    bench.flush_all(1);
    const std::size_t before_a = bench.a.driver.todo.size(), before_b = bench.b.driver.todo.size();
    for (std::uint32_t reach = 0; reach < 4; ++reach) {
      bench.a.access(reach * kReach);
      bench.b.access((3 - reach) * kReach);
    }
    bench.finish();
    for (const auto& [first, before] : {std::pair{&bench.a, before_a}, std::pair{&bench.b, before_b}}) {
      const auto seen = first->translated_requests();
      ASSERT_EQ(seen.size(), before + 4);
      for (std::size_t i = before; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].request.address, physical_of(seen[i].request.virtual_address >> 16, 1));
      }
      slowest = std::max(slowest, static_cast<unsigned>(seen[before - 1].edge));
    }
  }
  EXPECT_GT(slowest, 90u) << "the flush never met a walk";
}

TEST_F(SecondLevelTlbTest, FillsThatCrowdBeforeItAtAFlushAreNotKept) {
  constexpr unsigned kReaches = 12;  // of each side, all walked for at once
  std::uint64_t crowded = 0;
  for (unsigned at = 30; at < 80; ++at) {
    renew_context();
    SCOPED_TRACE(at);
    Config config = config_of(32, 4, 7, 16, 16);
    config.tlb.hit_latency = 16;  // as many requests in the queue
    SecondLevelTlbBench bench(config);
    const auto map_all = [&](unsigned version) {
      for (std::uint32_t page = 0; page < 2 * kReaches * kReachPages; ++page) {
        bench.map_page(page << 16, true, physical_of(page, version));
      }
    };
    map_all(0);
    bench.run(5);
    for (std::uint32_t reach = 0; reach < kReaches; ++reach) {
      bench.a.access(reach * kReach);
      bench.b.access((kReaches + reach) * kReach);
    }
    // The memories wait until every walk has a read to send: so both sides bring one at every edge.
    bench.a.memory.busy_one_in = bench.b.memory.busy_one_in = 1;
    bench.run(60);
    bench.a.memory.busy_one_in = bench.b.memory.busy_one_in = 0;
    bench.run(at);
    for (const unsigned requester : {0, 1})  // more than are on the shortest ways
      crowded += bench.level.registers().held[requester] > 2 * bench.level.way() + 2;
    map_all(1);
    bench.flush_all(1);
    for (std::uint32_t reach = 0; reach < kReaches; ++reach) {  // now what the other side walked for
      bench.a.access((kReaches + reach) * kReach);
      bench.b.access(reach * kReach);
    }
    bench.finish();
    for (const First* first : {&bench.a, &bench.b}) {
      const auto seen = first->translated_requests();
      ASSERT_EQ(seen.size(), 2 * kReaches);
      for (std::size_t i = kReaches; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].request.address, physical_of(seen[i].request.virtual_address >> 16, 1));
      }
    }
  }
  EXPECT_GT(crowded, 4u) << "no fill had to wait for its turn";
}

TEST_F(SecondLevelTlbTest, TheAccountOfPlacesNamesTheRequesterThatLostOne) {
  SecondLevelTlbBench bench(config_of(8, 2, 9));
  bench.run(20);
  testing::expect_loss_named(bench.level, "places of requester", 2, "held[{}]");
}

TEST_F(SecondLevelTlbTest, BothLevelsHitAndWalkExactlyAsTheirPoliciesSay) {
  const unsigned seed = random_seed() + 3;
  SCOPED_TRACE(seed);
  for (const std::string policy : {"lru", "fifo"}) {
    SCOPED_TRACE(policy);
    renew_context();
    std::mt19937 random(seed);
    Config config = config_of(8, 2, 9);  // the first level stays lru
    config.tlb.l2_replacement = *from_text<ReplacementPolicy>(policy);
    SecondLevelTlbBench bench(config);
    for (std::uint32_t page = 0; page < 24; ++page) bench.map_page(page << 16, page % 5 != 0, physical_of(page));
    testing::LruModel level(4, 2, policy), model_a(1, 2), model_b(1, 2);
    std::uint64_t hits = 0, walks_a = 0, walks_b = 0;
    unsigned flushes = 0;
    for (unsigned i = 0; i < 600; ++i) {
      if (random() % 50 == 0) {
        bench.flush_all(++flushes);
        level = testing::LruModel(4, 2, policy);
        model_a = model_b = testing::LruModel(1, 2);
      }
      const bool on_a = random() % 2 != 0;
      const std::uint32_t address = random() % (24u << 16) & ~31u, reach = address / kReach;
      (on_a ? bench.a : bench.b).access(address, i);
      bench.finish();  // one at a time: requests behind a miss are looked up before it is done
      if ((on_a ? model_a : model_b).use(reach)) continue;
      ++(level.use(reach) ? hits : on_a ? walks_a : walks_b);
    }
    EXPECT_EQ(bench.level.counters().hits, hits);
    EXPECT_EQ(bench.level.counters().misses, walks_a + walks_b);
    EXPECT_EQ(bench.level.counters().fills, walks_a + walks_b);
    EXPECT_EQ(bench.a.tlb.counters().walks, walks_a);
    EXPECT_EQ(bench.b.tlb.counters().walks, walks_b);
    EXPECT_GT(hits, 30u);
  }
}

TEST_F(SecondLevelTlbTest, RandomRequestsAreTranslatedInOrderUnderBackPressureAndSleepChangesNothing) {
  const unsigned seed = random_seed() + 7;
  SCOPED_TRACE(seed);
  for (const unsigned walkers : {1u, 4u}) {
    std::vector<Cycle> before;
    for (const bool no_sleep : {false, true}) {
      renew_context();
      std::mt19937 random(seed);
      SecondLevelTlbBench bench(config_of(4, 2, 11, 2, walkers), no_sleep, 50);
      testing::StepCount steps({&bench.level, &bench.a.tlb});
      for (std::uint32_t page = 0; page < 16; ++page) bench.map_page(page << 16, page % 5 != 0, physical_of(page));
      std::vector<Cycle> record;
      for (First* first : {&bench.a, &bench.b}) {
        first->memory.busy_one_in = 3;
        for (unsigned i = 0; i < 1000; ++i) {
          const std::uint32_t address = random() % (random() % 2 ? 2u << 16 : 16u << 16) & ~31u;
          first->access(address, i, random() % 2 ? MemOp::kRead : MemOp::kWrite);
        }
      }
      for (unsigned edge = 0; edge < 3000; ++edge) {  // what it has taken is inside, has gone on, or was refused
        const std::size_t left = bench.a.memory.log.size() - bench.a.page_table_reads() + bench.a.driver.replies.size();
        ASSERT_FALSE(bench.a.tlb.idle() && (bench.a.driver.sent.size() != left || bench.a.question.read().valid));
        bench.run(1);
        bench.level.count_places([](const char*, unsigned requester, int lost) { ASSERT_EQ(lost, 0) << requester; });
      }
      bench.finish();
      for (const First* first : {&bench.a, &bench.b}) {
        std::vector<std::uint32_t> mapped, absent;
        for (const MemRequest& request : first->driver.todo) {
          ((request.virtual_address >> 16) % 5 != 0 ? mapped : absent).push_back(request.virtual_address);
        }
        const auto seen = first->translated_requests();
        ASSERT_EQ(seen.size(), mapped.size());
        for (std::size_t i = 0; i < seen.size(); ++i) {
          ASSERT_EQ(seen[i].request.virtual_address, mapped[i]);
          ASSERT_EQ(seen[i].request.address, physical_of(mapped[i] >> 16) + mapped[i] % 65536);
        }
        ASSERT_EQ(first->driver.replies.size(), absent.size());
        for (std::size_t i = 0; i < absent.size(); ++i) ASSERT_EQ(first->driver.replies[i].virtual_address, absent[i]);
        for (const auto& one : first->memory.log) record.push_back(one.edge);
        EXPECT_EQ(first->page_table_reads(), 2 * first->tlb.counters().walks);
      }
      EXPECT_GT(bench.level.counters().hits, 0u);
      EXPECT_EQ(bench.level.counters().misses, bench.a.tlb.counters().walks + bench.b.tlb.counters().walks);
      record.push_back(bench.level.counters().hits);
      if (no_sleep) {
        EXPECT_EQ(record, before);
      } else if (seed == 1 + 7) {
        steps.expect(walkers == 1 ? std::vector<std::uint64_t>{10227, 20383}
                                  : std::vector<std::uint64_t>{10836, 16322});
      }
      before = record;
    }
  }
}

}  // namespace
}  // namespace g80
