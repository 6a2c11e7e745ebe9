// SPDX-License-Identifier: Apache-2.0
// Second and third level together: SMs of two TPCs ask for lines, memory answers; hits cost what is configured.
#include <deque>
#include <map>

#include "hw/cache/second_level_cache.h"
#include "hw/cache/third_level_cache.h"
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

class LineClient final : public Clocked<NoRegs> {
 public:
  explicit LineClient(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_port<CrossingWriteIf<LineRequest>> line_o{"line_o"};
  sc_core::sc_port<CrossingReadIf<LineReply>> line_i{"line_i"};
  std::deque<LineRequest> todo;
  std::vector<LineReply> replies;
  std::vector<Cycle> sent, received;
  bool holds = false;  // it takes no line

 private:
  void next() override {
    if (!holds && line_i->available()) {
      replies.push_back(line_i->front());
      received.push_back(edge());
      line_i->pop();
    }
    if (!todo.empty() && line_o->can_push()) {
      line_o->push(todo.front());
      sent.push_back(edge());
      todo.pop_front();
    }
  }
  void drive() override {}
};

Config small_line_levels_config(const std::string& second_policy, const std::string& third_policy) {
  Config config;
  config.ccache.l2_replacement = *from_text<ReplacementPolicy>(second_policy);
  config.ccache.l3_replacement = *from_text<ReplacementPolicy>(third_policy);
  config.gpu.num_tpcs = 2;
  config.gpu.sms_per_tpc = 2;
  config.ccache.line_bytes = 64;
  config.ccache.l2_bytes = 4 * 2 * 64;
  config.ccache.l2_ways = 2;
  config.ccache.l2_latency = 5;
  config.ccache.l3_bytes = 8 * 2 * 64;
  config.ccache.l3_ways = 2;
  config.ccache.l3_latency = 9;
  config.ccache.mshrs = 4;
  return config;
}

LineRequest line_of(std::uint32_t address, unsigned id = 0) {
  LineRequest request;
  request.valid = true;
  request.client = id % 2 ? MemClient::kConstant : MemClient::kInstruction;
  request.id = static_cast<std::uint8_t>(id);
  request.address = address;
  return request;
}

// The reads are physical here: no TLB lies between.
struct Identity final : Clocked<NoRegs> {
  explicit Identity(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_in<MemRequest> in_i{"in_i"};
  sc_core::sc_out<MemRequest> out_o{"out_o"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  sc_core::sc_out<bool> ready_o{"ready_o"};
  MemRequest out;
  bool full = false;
  void next() override {
    if (full && ready_i.read()) full = false;
    if (ready && in_i.read().valid) {
      out = in_i.read();
      out.address = out.virtual_address;
      full = true;
    }
    ready = !full;
    out.valid = full;
  }
  void drive() override {
    out_o.write(out);
    ready_o.write(ready);
  }
  bool ready = true;
};

struct LineLevelsBench {
  const bool no_sleep;
  Domain domain;
  std::vector<std::unique_ptr<CrossingFifo<LineRequest>>> requests;
  std::vector<std::unique_ptr<CrossingFifo<LineReply>>> lines;
  std::vector<std::unique_ptr<LineClient>> sm;
  std::vector<std::unique_ptr<SecondLevelCache>> second;
  ThirdLevelCache third;
  Identity identity{"identity"};
  testing::MemServer memory;
  Wire<LineRequest> miss0{"miss0"}, miss1{"miss1"};
  Wire<LineReply> line0{"line0"}, line1{"line1"};
  Wire<MemRequest> virtual_request{"virtual_request"}, request{"request"};
  Wire<bool> idle0{"idle0"}, idle1{"idle1"}, third_idle{"third_idle"};
  Wire<bool> virtual_ready{"virtual_ready"}, ready{"ready"}, reply_ready{"reply_ready"};
  Wire<MemReply> reply{"reply"}, walk{"walk"};
  Wire<std::uint32_t> flush{"flush"};
  RandomState random_state{{&domain}, 7, false};  // what holds nothing holds any bits

  explicit LineLevelsBench(bool no_sleep = false, unsigned jitter = 0, const std::string& second_policy = "lru",
                           const std::string& third_policy = "lru")
      : no_sleep(no_sleep),
        domain("domain", 0, 1000, 2, no_sleep),
        third("third", small_line_levels_config(second_policy, third_policy)),
        memory("memory", 30, jitter, 3) {
    const Config config = small_line_levels_config(second_policy, third_policy);
    for (unsigned i = 0; i < 4; ++i) {
      const std::string n = std::to_string(i);
      requests.push_back(std::make_unique<CrossingFifo<LineRequest>>(("requests" + n).c_str(), &domain, &domain, 4, 1));
      lines.push_back(std::make_unique<CrossingFifo<LineReply>>(("lines" + n).c_str(), &domain, &domain, 4, 1));
      sm.push_back(std::make_unique<LineClient>(("sm" + n).c_str()));
      sm[i]->line_o(*requests[i]);
      sm[i]->line_i(*lines[i]);
      domain.add(*sm[i]);
    }
    for (unsigned t = 0; t < 2; ++t) {
      second.push_back(std::make_unique<SecondLevelCache>(("second" + std::to_string(t)).c_str(), config, t));
      for (unsigned s = 0; s < 2; ++s) {
        second[t]->sm_i[s](*requests[2 * t + s]);
        second[t]->sm_o[s](*lines[2 * t + s]);
      }
      second[t]->miss_o(t ? miss1 : miss0);
      second[t]->line_i(t ? line1 : line0);
      second[t]->flush_i(flush);
      second[t]->idle_o(t ? idle1 : idle0);
      third.request_i[t](t ? miss1 : miss0);
      third.reply_o[t](t ? line1 : line0);
      domain.add(*second[t]);
    }
    third.memory_o(virtual_request);
    third.memory_ready_i(virtual_ready);
    third.memory_i(reply);
    third.memory_ready_o(reply_ready);
    third.flush_i(flush);
    third.idle_o(third_idle);
    identity.in_i(virtual_request);
    identity.ready_o(virtual_ready);
    identity.out_o(request);
    identity.ready_i(ready);
    memory.request_i(request);
    memory.ready_o(ready);
    memory.reply_o(reply);
    memory.reply_ready_i(reply_ready);
    memory.walk_o(walk);
    domain.add(third);
    domain.add(identity);
    domain.add(memory);
  }
  void run(unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); }
  bool done() const {
    for (const auto& one : sm) {
      if (!one->todo.empty() || one->sent.size() != one->replies.size()) return false;
    }
    return true;
  }
  void finish() {
    for (int i = 0; i < 4000 && !done(); ++i) run(25);
    ASSERT_TRUE(done());
    run(25);
    EXPECT_TRUE(third.idle() && second[0]->idle() && second[1]->idle());
    EXPECT_TRUE(third_idle.read() && idle0.read() && idle1.read());
    if (memory.busy_one_in == 0) {
      EXPECT_EQ(third.awake() || second[0]->awake() || second[1]->awake(), no_sleep);
    }
  }
};

void expect_memory(const LineReply& reply, std::uint32_t version = 0) {
  ASSERT_EQ(reply.fault, MemFault::kNone);
  for (unsigned i = 0; i < 64 / 4; ++i) ASSERT_EQ(reply.data[i], testing::memory_word(reply.address + 4 * i, version));
}

using LineLevelsTest = testing::SystemCTest;

TEST_F(LineLevelsTest, NoWakeUpIsLost) {
  LineLevelsBench bench(false, 40);
  const SleepCheck check({&bench.domain});
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned i = 0; i < 40; ++i) bench.sm[i % 4]->todo.push_back(line_of(0x1000 + 0x40 * (i % 11), i / 4));
    bench.finish();
    bench.run(100);
  }
  EXPECT_GT(check.probes(), 100u);
}

TEST_F(LineLevelsTest, ALevelThatOwesALineIsNotIdle) {
  LineLevelsBench bench(false, 40);
  const unsigned seed = random_seed() + 5;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 300; ++i)
    bench.sm[random() % 4]->todo.push_back(line_of(0x1000 + 0x40 * (random() % 40), i % 32));
  unsigned third_owes = 0, busy = 0;
  while (!bench.done()) {
    for (unsigned t = 0; t < 2; ++t) {
      unsigned owes = 0;
      for (unsigned s = 2 * t; s < 2 * t + 2; ++s) {
        owes += static_cast<unsigned>(bench.sm[s]->sent.size() - bench.sm[s]->replies.size()) -
                bench.requests[s]->size() - bench.lines[s]->size();
      }
      ASSERT_FALSE(owes > 0 && bench.second[t]->idle());
    }
    ASSERT_FALSE(third_owes > 0 && bench.third.idle());
    busy += third_owes > 0;
    // What is on a wire changes hands at the next edge.
    third_owes += bench.miss0.read().valid + bench.miss1.read().valid;
    third_owes -= bench.line0.read().valid + bench.line1.read().valid;
    bench.run(1);
  }
  EXPECT_GT(busy, 1000u);
}

TEST_F(LineLevelsTest, LevelsWithoutWorkSleep) {
  LineLevelsBench bench;
  testing::StepCount steps({bench.second[0].get(), bench.second[1].get(), &bench.third});
  bench.sm[0]->todo.push_back(line_of(0x1000, 1));
  bench.finish();
  steps.restart();
  bench.run(300);
  steps.expect_none("without work");
  bench.sm[1]->todo.push_back(line_of(0x1000, 1));
  bench.finish();
  EXPECT_LE(steps.of(0), 5u + 2u) << "a hit of the second level";
  EXPECT_EQ(steps.of(1), 0u) << "the other TPC";
  EXPECT_EQ(steps.of(2), 0u) << "the third level";
}

TEST_F(LineLevelsTest, RequestersTakeTurns) {
  LineLevelsBench bench;
  bench.sm[0]->todo.push_back(line_of(0x1000));
  bench.sm[2]->todo.push_back(line_of(0x1000));
  bench.finish();
  for (unsigned i = 0; i < 40; ++i) {
    for (auto& sm : bench.sm) sm->todo.push_back(line_of(0x1000, i));
  }
  bench.finish();
  for (const auto& sm : bench.sm) {
    for (std::size_t i = sm->received.size() - 30; i < sm->received.size(); ++i)
      EXPECT_EQ(sm->received[i] - sm->received[i - 1], 2u) << "two SMs share a second level that answers one an edge";
  }
}

TEST_F(LineLevelsTest, AReadOfMemoryNamesTheRequestThatMissed) {
  LineLevelsBench bench;
  LineRequest request = line_of(0x1040, 1);
  request.bytes = 64;
  request.origin.tag.bits = 0x7654321;
  request.origin.pc = 0x1044;
  bench.sm[3]->todo.push_back(request);
  bench.finish();
  ASSERT_EQ(bench.memory.log.size(), 1u);
  const MemRequest& read = bench.memory.log[0].request;
  EXPECT_EQ(read.op, MemOp::kRead);
  EXPECT_EQ(read.client, MemClient::kConstant);
  EXPECT_EQ(read.bytes, 64);
  EXPECT_EQ(read.virtual_address, 0x1040u);
  EXPECT_EQ(read.origin, request.origin);
  const LineReply& reply = bench.sm[3]->replies.at(0);
  EXPECT_EQ(reply.client, MemClient::kConstant);
  EXPECT_EQ(reply.id, 1);
  EXPECT_EQ(reply.address, 0x1040u);
  EXPECT_EQ(reply.tpc, 1);
  EXPECT_EQ(reply.sm_in_tpc, 1);
  EXPECT_EQ(reply.origin, request.origin);
}

TEST_F(LineLevelsTest, AFaultOfMemoryReachesTheSmAndIsNotKept) {
  LineLevelsBench bench;
  bench.memory.unmapped_from = 0x2000;
  for (unsigned i = 0; i < 2; ++i) bench.sm[i]->todo = {line_of(0x1fc0, 0), line_of(0x2000, 1)};
  bench.finish();
  for (unsigned i = 0; i < 2; ++i) {
    for (const LineReply& reply : bench.sm[i]->replies)
      EXPECT_EQ(reply.fault, reply.address == 0x2000 ? MemFault::kPageNotPresent : MemFault::kNone);
  }
  bench.memory.unmapped_from = 0;
  bench.sm[3]->todo = {line_of(0x1fc0, 0)};
  bench.finish();
  EXPECT_EQ(bench.sm[3]->replies.at(0).fault, MemFault::kNone) << "a line that is kept";
  bench.memory.unmapped_from = ~0u;
  bench.sm[3]->todo = {line_of(0x2000, 1)};
  bench.finish();
  expect_memory(bench.sm[3]->replies.at(1));
}

TEST_F(LineLevelsTest, AResetInTheMiddleLeavesNothing) {
  LineLevelsBench bench;
  const testing::ResetCheck check({bench.second[0].get(), bench.second[1].get(), &bench.third});
  for (unsigned i = 0; i < 40; ++i) bench.sm[i % 4]->todo.push_back(line_of(0x1000 + 0x40 * i, i / 4));
  bench.run(12);
  EXPECT_FALSE(bench.second[0]->idle() || bench.second[1]->idle() || bench.third.idle());
  check.expect_fresh();
  EXPECT_TRUE(bench.second[0]->idle() && bench.second[1]->idle() && bench.third.idle());
}

TEST_F(LineLevelsTest, AResetWithdrawsTheLineOnTheWireAndNothingIsFoundBehindIt) {
  LineLevelsBench bench;
  for (const unsigned s : {0u, 1u}) bench.sm[s]->todo.push_back(line_of(0x1000));
  while (!bench.line0.read().valid) bench.run(1);
  EXPECT_FALSE(bench.third.idle());
  bench.third.hold_reset();
  bench.third.commit();
  EXPECT_FALSE(bench.line0.read().valid);
  EXPECT_TRUE(bench.third.idle());
  bench.memory.version = 1;
  bench.sm[2]->todo.push_back(line_of(0x1000));
  while (bench.sm[2]->replies.empty()) bench.run(1);
  expect_memory(bench.sm[2]->replies[0], 1);
}

TEST_F(LineLevelsTest, ALineThatNobodyAskedForIsAModelError) {
  for (const unsigned level : {2u, 3u}) {
    renew_context();
    LineLevelsBench bench;
    bench.sm[0]->todo.push_back(line_of(0x1000));
    if (level == 3) {
      while (!bench.reply.read().valid) bench.run(1);
      testing::flip(bench.memory, "reply.id", 1);
    } else {
      while (!bench.miss0.read().valid) bench.run(1);
      testing::flip(*bench.second[0], "miss.id", 1);
    }
    EXPECT_THROW(bench.run(level == 3 ? 1 : 100), sc_core::sc_report) << level;  // at once, where it is taken
  }
}

TEST_F(LineLevelsTest, HitsOfEachLevelTakeWhatIsConfigured) {
  LineLevelsBench bench;
  auto round_trip = [&](unsigned sm, std::uint32_t address) {
    bench.sm[sm]->todo.push_back(line_of(address, 6));
    bench.finish();
    EXPECT_EQ(bench.sm[sm]->replies.back().id, 6);
    expect_memory(bench.sm[sm]->replies.back());
    return bench.sm[sm]->received.back() - bench.sm[sm]->sent.back();
  };
  EXPECT_GT(round_trip(0, 0x1000), 30u);
  EXPECT_EQ(round_trip(0, 0x1000), 1 + 5 + 1u);  // two crossings around the second level
  EXPECT_EQ(round_trip(1, 0x1000), 1 + 5 + 1u);  // the other SM of the TPC
  // The other TPC: third level with its ways, a register each way, and in front of it tags and miss register of the
  // second level.
  EXPECT_EQ(round_trip(2, 0x1000), 1 + 2 + 1 + 9 + 1 + 5 + 1u);
  EXPECT_EQ(bench.memory.log.size(), 1u);
  EXPECT_EQ(bench.third.counters().hits, 1u);
  EXPECT_EQ(bench.memory.log[0].request.port, 2);  // the chip-level port
  EXPECT_EQ(bench.memory.log[0].request.client, MemClient::kInstruction);
}

TEST_F(LineLevelsTest, FourSmsThatWantOneLineReadMemoryOnce) {
  LineLevelsBench bench;
  for (unsigned s = 0; s < 4; ++s) bench.sm[s]->todo.push_back(line_of(0x2000, s));
  bench.finish();
  EXPECT_EQ(bench.memory.log.size(), 1u);
  for (unsigned s = 0; s < 4; ++s) {
    EXPECT_EQ(bench.sm[s]->replies[0].id, s);
    EXPECT_EQ(bench.sm[s]->replies[0].client, s % 2 ? MemClient::kConstant : MemClient::kInstruction);
    expect_memory(bench.sm[s]->replies[0]);
  }
}

TEST_F(LineLevelsTest, AFlushMakesNewContentSeenAndOldLinesOnTheirWayAreNotKept) {
  LineLevelsBench bench;
  bench.sm[0]->todo.push_back(line_of(0x2000, 0));
  bench.finish();
  bench.sm[0]->todo.push_back(line_of(0x3000, 1));
  bench.run(30);
  bench.memory.version = 1;
  bench.flush.write(1);
  bench.finish();
  bench.sm[0]->todo = {line_of(0x2000, 2), line_of(0x3000, 3)};
  bench.finish();
  EXPECT_EQ(bench.second[0]->counters().flushes, 1u);
  EXPECT_EQ(bench.third.counters().flushes, 1u);
  for (const LineReply& reply : bench.sm[0]->replies) expect_memory(reply, reply.id >= 2 ? 1 : 0);
}

// What comes takes the port of the tags when it comes and when it gets its slot, and then the turn of an answer.
TEST_F(LineLevelsTest, ALineThatComesTakesThePortOfTheLookups) {
  LineLevelsBench bench;
  bench.sm[0]->todo.push_back(line_of(0x1000));
  bench.finish();
  const std::size_t first = bench.sm[0]->received.size();
  for (unsigned i = 0; i < 120; ++i) bench.sm[0]->todo.push_back(line_of(0x1000, i));
  bench.run(10);
  bench.sm[1]->todo.push_back(line_of(0x2000));
  bench.finish();
  std::map<Cycle, unsigned> gaps;
  const std::vector<Cycle>& received = bench.sm[0]->received;
  for (std::size_t i = first + 1; i < received.size(); ++i) ++gaps[received[i] - received[i - 1]];
  EXPECT_EQ(gaps, (std::map<Cycle, unsigned>{{1, 117}, {2, 1}, {3, 1}}))
      << "one for the other SM's request, one for its line";
}

TEST_F(LineLevelsTest, RepliesThatAreHeldUpHoldUpTheStagesAndLoseNothing) {
  for (const unsigned hits : {258u, 259u, 260u, 261u, 262u, 300u}) {  // some of them just fill all places for replies
    SCOPED_TRACE(hits);
    renew_context();
    LineLevelsBench bench;
    bench.sm[0]->todo.push_back(line_of(0x1000));
    bench.finish();
    bench.memory.busy_one_in = 1;
    bench.sm[1]->todo.push_back(line_of(0x2000));
    bench.run(20);
    bench.sm[0]->holds = true;
    for (unsigned i = 0; i < hits; ++i) bench.sm[0]->todo.push_back(line_of(0x1000, i));
    bench.run(400);
    EXPECT_EQ(bench.sm[0]->todo.empty(), hits < 300);
    bench.memory.busy_one_in = 0;
    bench.run(100);
    EXPECT_TRUE(bench.sm[1]->replies.empty()) << "its line comes behind those replies";
    bench.sm[0]->holds = false;
    bench.finish();
    ASSERT_EQ(bench.sm[0]->replies.size(), 1 + hits);
    for (unsigned i = 0; i < hits; ++i) EXPECT_EQ(bench.sm[0]->replies[1 + i].id, i % 256);
    expect_memory(bench.sm[1]->replies.at(0));
  }
}

TEST_F(LineLevelsTest, WithoutAFreeMissRegisterARequestWaitsAndThoseBehindItWithIt) {
  LineLevelsBench bench;
  bench.sm[1]->todo.push_back(line_of(0x4000));
  bench.finish();
  for (unsigned i = 0; i < 5; ++i) bench.sm[0]->todo.push_back(line_of(0x8000 + 0x40 * i, i));
  bench.run(10);
  bench.sm[1]->todo.push_back(line_of(0x4000));
  bench.finish();
  EXPECT_EQ(bench.memory.log.size(), 6u);
  for (unsigned s = 0; s < 2; ++s) {
    for (const LineReply& reply : bench.sm[s]->replies) expect_memory(reply);
  }
  EXPECT_GT(bench.sm[1]->received.back(), bench.sm[0]->received.front()) << "a hit behind the fifth miss";
  EXPECT_LT(bench.sm[1]->received.back(), bench.sm[0]->received.back()) << "but no miss itself";
}

// One request at a time, so that the order of uses is the order of requests.
TEST_F(LineLevelsTest, BothLevelsMissExactlyAsOftenAsTheirPoliciesSay) {
  const unsigned seed = random_seed() + 14;
  SCOPED_TRACE(seed);
  for (const std::string policy : {"lru", "fifo"}) {
    SCOPED_TRACE(policy);
    renew_context();
    std::mt19937 random(seed);
    const std::string other = policy == "lru" ? "fifo" : "lru";
    LineLevelsBench bench(false, 0, policy, other);
    testing::LruModel second[2] = {{4, 2, policy}, {4, 2, policy}}, third(8, 2, other);
    std::uint64_t second_misses[2] = {}, third_misses = 0;
    for (unsigned i = 0; i < 400; ++i) {
      const unsigned sm = static_cast<unsigned>(random() % 4), tpc = sm / 2;
      const auto line = static_cast<std::uint32_t>(random() % 24);
      bench.sm[sm]->todo.push_back(line_of(line * 64, i));
      bench.finish();
      if (second[tpc].use(line)) continue;
      ++second_misses[tpc];
      if (!third.use(line)) ++third_misses;
    }
    for (unsigned t = 0; t < 2; ++t) EXPECT_EQ(bench.second[t]->counters().misses, second_misses[t]);
    EXPECT_EQ(bench.third.counters().misses, third_misses);
    EXPECT_EQ(bench.memory.log.size(), third_misses);
  }
}

TEST_F(LineLevelsTest, RandomTrafficEqualsMemoryAndSleepChangesNothing) {
  const unsigned seed = random_seed() + 1;
  SCOPED_TRACE(seed);
  std::vector<std::uint64_t> first;
  for (const bool no_sleep : {false, true}) {
    renew_context();
    std::mt19937 random(seed);
    LineLevelsBench bench(no_sleep, 40);
    bench.memory.busy_one_in = 4;
    testing::StepCount steps({bench.second[0].get(), &bench.third});
    std::array<std::map<std::uint32_t, int>, 4> open;
    for (unsigned round = 0; round < 20; ++round) {
      for (unsigned i = 0; i < 80; ++i) {
        const unsigned s = random() % 4;
        const LineRequest request = line_of(random() % 24 * 64, random() % 16);
        ++open[s][request.address << 8 | request.id];
        bench.sm[s]->todo.push_back(request);
        if (round % 2 == 0) bench.run(random() % 20);
      }
      bench.finish();
    }
    std::vector<std::uint64_t> record;
    for (unsigned s = 0; s < 4; ++s) {
      for (const LineReply& reply : bench.sm[s]->replies) {
        expect_memory(reply);
        EXPECT_EQ(reply.client, reply.id % 2 ? MemClient::kConstant : MemClient::kInstruction);
        --open[s][reply.address << 8 | reply.id];
      }
      for (const auto& [key, count] : open[s]) EXPECT_EQ(count, 0) << key;
      record.insert(record.end(), bench.sm[s]->received.begin(), bench.sm[s]->received.end());
    }
    const auto& third = bench.third.counters();
    EXPECT_EQ(third.misses, bench.memory.log.size());
    record.insert(record.end(), {third.hits, third.misses, third.merges});
    if (no_sleep) {
      EXPECT_EQ(record, first);
    } else if (seed == 1 + 1) {
      steps.expect({5198, 6592});
    }
    first = record;
  }
}

}  // namespace
}  // namespace g80
