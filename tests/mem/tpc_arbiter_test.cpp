// SPDX-License-Identifier: Apache-2.0
// The TPC's arbiter is fair and loses nothing; the reply router finds every client.
#include "hw/mem/tpc_arbiter.h"

#include <memory>
#include <random>

#include "hw/mem/reply_router.h"
#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/support/flip.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

TEST(PickRequester, TakesTurns) {
  EXPECT_EQ(pick_requester(0b111, 0), 1u);
  EXPECT_EQ(pick_requester(0b111, 1), 2u);
  EXPECT_EQ(pick_requester(0b111, 2), 0u);
  EXPECT_EQ(pick_requester(0b100, 2), 2u);
}

// Offers numbered requests in a share of the cycles and holds each until it is taken.
class Requester final : public Clocked<NoRegs> {
 public:
  Requester(const sc_core::sc_module_name& name, unsigned id, unsigned percent, unsigned seed)
      : Clocked(name), id_(id), percent_(percent), random_(seed) {}
  sc_core::sc_out<MemRequest> out_o{"out_o"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  unsigned sent = 0;
  bool same = false;  // the same bits each time: no change of the wire says that another one came

 private:
  void next() override {
    if (request_.valid && ready_i.read()) {
      request_.valid = false;
      ++sent;
    }
    if (request_.valid || random_() % 100 >= percent_) return;
    request_.valid = true;
    request_.id = static_cast<std::uint8_t>(id_);
    request_.virtual_address = same ? 0 : sent;
  }
  void drive() override { out_o.write(request_); }
  const unsigned id_, percent_;
  std::mt19937 random_;
  MemRequest request_;
};

class Sink final : public Clocked<NoRegs> {
 public:
  Sink(const sc_core::sc_module_name& name, unsigned percent) : Clocked(name), percent_(percent), random_(7) {}
  sc_core::sc_in<MemRequest> in_i{"in_i"};
  sc_core::sc_out<bool> ready_o{"ready_o"};
  std::vector<MemRequest> got;

 private:
  void next() override {
    if (in_i.read().valid && ready_) got.push_back(in_i.read());
    ready_ = random_() % 100 < percent_;
  }
  void drive() override { ready_o.write(ready_); }
  const unsigned percent_;
  std::mt19937 random_;
  bool ready_ = false;
};

struct TpcArbiterTest : testing::SystemCTest {
  Config config = load_config("gtx280");  // three SMs and the texture unit
  Domain core{"core", 0, 1000, 2, false};
  TpcArbiter arbiter{"arbiter", config};
  Wire<MemRequest> out{"out"};
  Wire<bool> out_ready{"out_ready"}, idle{"idle"};
  std::vector<std::unique_ptr<Requester>> requesters;
  std::vector<std::unique_ptr<Wire<MemRequest>>> wires;
  std::vector<std::unique_ptr<Wire<bool>>> ready;
  std::unique_ptr<Sink> sink;
  std::optional<RandomState> random_state;

  void build(unsigned offer_percent, unsigned take_percent, std::uint32_t who = ~0u) {
    for (unsigned k = 0; k < config.gpu.sms_per_tpc + 1; ++k) {
      requesters.push_back(std::make_unique<Requester>(fmt::format("r{}", k).c_str(), k,
                                                       (who >> k & 1) != 0 ? offer_percent : 0, 100 + k));
      wires.push_back(std::make_unique<Wire<MemRequest>>(fmt::format("w{}", k).c_str()));
      ready.push_back(std::make_unique<Wire<bool>>(fmt::format("b{}", k).c_str()));
      requesters[k]->out_o(*wires[k]);
      requesters[k]->ready_i(*ready[k]);
      arbiter.requester_i[k](*wires[k]);
      arbiter.requester_ready_o[k](*ready[k]);
      core.add(*requesters[k]);
    }
    sink = std::make_unique<Sink>("sink", take_percent);
    arbiter.request_o(out);
    arbiter.request_ready_i(out_ready);
    arbiter.idle_o(idle);
    sink->in_i(out);
    sink->ready_o(out_ready);
    core.add(arbiter);
    core.add(*sink);
    random_state.emplace(std::vector<Domain*>{&core}, 7, false);  // what holds nothing holds any bits
  }
};

TEST_F(TpcArbiterTest, BusyRequestersShareTheFullRateEqually) {
  build(100, 100);
  sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_NS));
  EXPECT_GT(sink->got.size(), 990u);
  for (std::size_t i = 100; i + 4 <= sink->got.size(); ++i) {
    unsigned seen = 0;
    for (unsigned k = 0; k < 4; ++k) seen |= 1u << sink->got[i + k].id;
    ASSERT_EQ(seen, 0b1111u);  // any four in a row are all four
  }
}

TEST_F(TpcArbiterTest, AFaultInWhatIsReadyIsOnTheWiresAtOnce) {
  build(0, 100);
  EXPECT_EQ(arbiter.texture_requester(), config.gpu.sms_per_tpc);
  sc_core::sc_start(sc_core::sc_time(10'500, sc_core::SC_PS));
  for (unsigned k = 0; k < ready.size(); ++k) {
    testing::flip(arbiter, "ready", k);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_FALSE(ready[k]->read()) << k;
    sc_core::sc_start(sc_core::sc_time(3, sc_core::SC_NS));
    EXPECT_TRUE(ready[k]->read()) << k;
  }
}

TEST_F(TpcArbiterTest, ALoneRequesterGetsTheFullRate) {
  build(100, 100, 0b0100);
  sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_NS));
  EXPECT_GT(sink->got.size(), 990u);
  EXPECT_EQ(arbiter.counters().granted[0], 0u);
}

TEST_F(TpcArbiterTest, WithoutRequestsItIsIdleAndSleeps) {
  build(0, 100);
  testing::StepCount steps({&arbiter});
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS));
  steps.restart();
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  steps.expect_none("without requests");
  EXPECT_TRUE(sink->got.empty());
  EXPECT_TRUE(idle.read());
}

TEST_F(TpcArbiterTest, NothingIsLostOrReorderedUnderBackPressure) {
  build(40, 60);
  sc_core::sc_start(sc_core::sc_time(5000, sc_core::SC_NS));
  std::array<unsigned, 4> next{};
  for (const MemRequest& request : sink->got) ASSERT_EQ(request.virtual_address, next[request.id]++);
  for (unsigned k = 0; k < 4; ++k) {
    EXPECT_GT(next[k], 500u);
    EXPECT_LE(requesters[k]->sent - next[k], 2u);  // still queued
  }
}

TEST_F(TpcArbiterTest, RequestsOfTheSameBitsAreNotTakenForOne) {
  build(60, 60);
  for (auto& requester : requesters) requester->same = true;
  const SleepCheck check({&core});
  sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_NS));
  unsigned sent = 0;
  for (const auto& requester : requesters) sent += requester->sent;
  EXPECT_GT(sent, 1000u);
  EXPECT_LE(sent - sink->got.size(), 8u);
}

TEST_F(TpcArbiterTest, NoWakeUpIsLostAndIdleMeansEmpty) {
  build(3, 50);
  const SleepCheck check({&core});
  unsigned rests = 0;
  for (int i = 0; i < 2000; ++i) {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    if (!idle.read()) continue;
    ++rests;
    unsigned taken = 0;
    for (const auto& requester : requesters) taken += requester->sent;
    EXPECT_EQ(taken, sink->got.size());
  }
  EXPECT_GT(rests, 100u);
  EXPECT_GT(check.probes(), 100u);
}

TEST_F(TpcArbiterTest, AResetInTheMiddleLeavesNothing) {
  build(100, 20);
  const testing::ResetCheck check({&arbiter});
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  EXPECT_GT(arbiter.counters().granted[0], 0u);
  check.expect_fresh();
  testing::expect_none_counted(arbiter.counters());
}

struct ReplyRouterTest : testing::SystemCTest {
  Config config = load_config("8600gts");
  Domain core{"core", 0, 1000, 2, false};
  ReplyRouter router{"router", config};
  Wire<MemReply> reply{"reply"}, refused{"refused"}, texture{"texture"}, walk{"walk"};
  Wire<bool> reply_ready{"reply_ready"}, refused_ready{"refused_ready"}, texture_ready{"texture_ready"},
      walk_ready{"walk_ready"}, idle{"idle"};
  CrossingFifo<MemReply> sm0{"sm0", &core, nullptr, 2, 1}, sm1{"sm1", &core, nullptr, 2, 1};
  RandomState random_state{{&core}, 7, false};

  ReplyRouterTest() {
    router.reply_i(reply);
    router.reply_ready_o(reply_ready);
    router.refused_i(refused);
    router.refused_ready_o(refused_ready);
    router.sm_o[0](sm0);
    router.sm_o[1](sm1);
    router.texture_o(texture);
    router.texture_ready_i(texture_ready);
    router.walk_o(walk);
    router.walk_ready_i(walk_ready);
    router.idle_o(idle);
    core.add(router);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
  }
  void edge() { sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS)); }
  static MemReply reply_for(MemClient client, unsigned sm, unsigned id, MemFault fault = MemFault::kNone) {
    MemReply reply;
    reply.valid = true;
    reply.client = client;
    reply.sm_in_tpc = static_cast<std::uint8_t>(sm);
    reply.id = static_cast<std::uint8_t>(id);
    reply.fault = fault;
    return reply;
  }
  // Offers a reply until it is taken, as the crossbar does.
  void send(Wire<MemReply>& wire, Wire<bool>& ready, const MemReply& item) {
    wire.write(item);
    for (int i = 0; i < 100; ++i) {
      const bool taken = ready.read();
      edge();
      if (taken) break;
    }
    wire.write(MemReply{});
  }
};

TEST_F(ReplyRouterTest, RepliesReachTheirClients) {
  send(reply, reply_ready, reply_for(MemClient::kGlobal, 1, 11));
  send(reply, reply_ready, reply_for(MemClient::kLocal, 0, 12));
  send(reply, reply_ready, reply_for(MemClient::kTexture, 0, 13));
  send(reply, reply_ready, reply_for(MemClient::kPageTable, 0, 14));
  for (int i = 0; i < 5; ++i) edge();
  ASSERT_TRUE(sm1.available());
  EXPECT_EQ(sm1.front().id, 11);
  ASSERT_TRUE(sm0.available());
  EXPECT_EQ(sm0.front().id, 12);
  EXPECT_TRUE(texture.read().valid);
  EXPECT_EQ(texture.read().id, 13);
  EXPECT_TRUE(walk.read().valid);
  EXPECT_EQ(walk.read().id, 14);
  texture_ready.write(true);
  edge();
  EXPECT_FALSE(texture.read().valid);
  EXPECT_EQ(router.counters().replies, 4u);
}

// Whoever is always ready sees each reply for one edge, and a reply for another client shows him none.
TEST_F(ReplyRouterTest, AReplyIsOnTheWireOfAReadyClientForOneEdge) {
  texture_ready.write(true);
  walk_ready.write(true);
  for (const MemClient client : {MemClient::kTexture, MemClient::kPageTable, MemClient::kGlobal}) {
    for (const bool is_refused : {false, true}) {
      const MemFault fault = is_refused ? MemFault::kBeyondMemory : MemFault::kNone;
      (is_refused ? refused : reply).write(reply_for(client, 0, 7, fault));
      unsigned of_texture = 0, of_walk = 0;
      for (int i = 0; i < 10; ++i) {
        edge();
        (is_refused ? refused : reply).write(MemReply{});
        of_texture += texture.read().valid;
        of_walk += walk.read().valid;
        if (sm0.available()) sm0.pop();
      }
      EXPECT_EQ(of_texture, client == MemClient::kTexture ? 1u : 0u);
      EXPECT_EQ(of_walk, client == MemClient::kPageTable ? 1u : 0u);
    }
  }
}

TEST_F(ReplyRouterTest, IsBusyWhereverAReplyIs) {
  for (const MemClient client : {MemClient::kTexture, MemClient::kPageTable, MemClient::kGlobal}) {
    for (Wire<MemReply>* source : {&reply, &refused}) {
      EXPECT_TRUE(idle.read());
      source->write(reply_for(client, 0, 7));
      edge();
      source->write(MemReply{});
      EXPECT_FALSE(idle.read()) << "it has come";
      edge();
      EXPECT_EQ(idle.read(), client == MemClient::kGlobal) << "it is delivered, or waits for its client";
      texture_ready.write(true), walk_ready.write(true);
      for (int i = 0; i < 5; ++i) edge();
      if (sm0.available()) sm0.pop();
      texture_ready.write(false), walk_ready.write(false);
    }
  }
}

TEST_F(ReplyRouterTest, RefusedRequestsReturnAsFaults) {
  send(refused, refused_ready, reply_for(MemClient::kGlobal, 0, 5, MemFault::kPageNotPresent));
  for (int i = 0; i < 3; ++i) edge();
  ASSERT_TRUE(sm0.available());
  EXPECT_EQ(sm0.front().fault, MemFault::kPageNotPresent);
  EXPECT_EQ(router.counters().faults, 1u);
}

TEST_F(ReplyRouterTest, AnSmGetsOneReplyAnEdgeThoughBothSourcesHaveOne) {
  for (const unsigned sm : {0u, 1u}) {
    SCOPED_TRACE(sm);
    auto& replies = sm == 0 ? sm0 : sm1;
    reply.write(reply_for(MemClient::kGlobal, sm, 1));
    refused.write(reply_for(MemClient::kLocal, sm, 2, MemFault::kBeyondMemory));
    edge();
    reply.write(MemReply{});
    refused.write(MemReply{});
    unsigned got = 0;
    for (unsigned edges = 0; edges < 20 && got < 2; ++edges) {
      edge();
      ASSERT_LE(replies.size(), edges + 1);
      if (replies.available()) replies.pop(), ++got;
    }
    EXPECT_EQ(got, 2u);
  }
}

TEST_F(ReplyRouterTest, AFullClientLosesNothing) {
  unsigned got = 0;
  for (unsigned id = 0; id < 20; ++id) {
    reply.write(reply_for(MemClient::kGlobal, 0, id));
    for (int i = 0; i < 100; ++i) {
      if (i % 7 == 6 && sm0.available()) {
        EXPECT_EQ(sm0.front().id, got++);
        sm0.pop();
      }
      const bool taken = reply_ready.read();
      edge();
      if (taken) break;
    }
  }
  reply.write(MemReply{});
  for (int i = 0; i < 50; ++i) {
    edge();
    if (!sm0.available()) continue;
    EXPECT_EQ(sm0.front().id, got++);
    sm0.pop();
  }
  EXPECT_EQ(got, 20u);
  EXPECT_GT(router.counters().held_back, 0u);
}

TEST_F(ReplyRouterTest, AResetInTheMiddleLeavesNothing) {
  const testing::ResetCheck check({&router});
  for (unsigned id = 0; id < 3; ++id) send(reply, reply_ready, reply_for(MemClient::kPageTable, 0, id));
  for (unsigned id = 0; id < 3; ++id)
    send(refused, refused_ready, reply_for(MemClient::kTexture, 0, id, MemFault::kBeyondMemory));
  for (int i = 0; i < 5; ++i) edge();
  EXPECT_FALSE(idle.read());
  check.expect_fresh();
  EXPECT_TRUE(idle.read());
  EXPECT_FALSE(texture.read().valid || walk.read().valid);
  testing::expect_none_counted(router.counters());
}

TEST_F(ReplyRouterTest, WithoutRepliesItSleepsAndOneReplyWakesItForAFewEdges) {
  testing::StepCount steps({&router});
  for (int i = 0; i < 5; ++i) edge();
  steps.restart();
  for (int i = 0; i < 50; ++i) edge();
  steps.expect_none("without replies");
  send(reply, reply_ready, reply_for(MemClient::kTexture, 0, 1));
  for (int i = 0; i < 50; ++i) edge();
  steps.expect_at_most(5, "offers one reply that nobody takes");
  EXPECT_TRUE(texture.read().valid);
  EXPECT_FALSE(idle.read());
  texture_ready.write(true);
  for (int i = 0; i < 50; ++i) edge();
  steps.expect_at_most(3, "hands it over");
  EXPECT_TRUE(idle.read());
}

// Both sources wait for their clients: nothing can happen, and nothing is stepped.
TEST_F(ReplyRouterTest, SleepsWhileItsClientsTakeNothing) {
  for (unsigned id = 0; id < 5; ++id) send(reply, reply_ready, reply_for(MemClient::kPageTable, 0, id));
  for (unsigned id = 0; id < 5; ++id)
    send(refused, refused_ready, reply_for(MemClient::kTexture, 0, id, MemFault::kBeyondMemory));
  for (int i = 0; i < 5; ++i) edge();
  EXPECT_FALSE(reply_ready.read() || refused_ready.read());
  testing::StepCount steps({&router});
  for (int i = 0; i < 50; ++i) edge();
  steps.expect_none("while nobody takes a reply");
  walk_ready.write(true);
  for (unsigned taken = 0; taken < 2; ++taken) {
    EXPECT_TRUE(walk.read().valid);
    edge();
  }
  reply.write(reply_for(MemClient::kPageTable, 0, 9));
  for (int i = 0; i < 3; ++i) edge();
  EXPECT_TRUE(reply_ready.read());
  reply.write(MemReply{});
  for (int i = 0; i < 20; ++i) edge();
  EXPECT_FALSE(walk.read().valid);
  EXPECT_GE(router.counters().replies, 5u);
}

TEST_F(ReplyRouterTest, AClientThatTakesNothingHoldsBackOthersOfItsSourceAlone) {
  for (unsigned id = 0; id < 3; ++id) send(reply, reply_ready, reply_for(MemClient::kPageTable, 0, id));
  send(reply, reply_ready, reply_for(MemClient::kGlobal, 0, 9));
  for (int i = 0; i < 5; ++i) edge();
  EXPECT_FALSE(sm0.available()) << "two page-table replies wait at their client, one in front of this one";
  EXPECT_EQ(router.counters().held_back, 1u) << "counted once, however long it takes";
  send(refused, refused_ready, reply_for(MemClient::kLocal, 0, 5, MemFault::kBeyondMemory));
  for (int i = 0; i < 5; ++i) edge();
  ASSERT_TRUE(sm0.available());
  EXPECT_EQ(sm0.front().id, 5);
  sm0.pop();
  walk_ready.write(true);
  for (int i = 0; i < 10; ++i) edge();
  ASSERT_TRUE(sm0.available());
  EXPECT_EQ(sm0.front().id, 9);
  EXPECT_EQ(router.counters().replies, 5u);
  EXPECT_EQ(router.counters().held_back, 1u);
}

TEST_F(ReplyRouterTest, IsNeverIdleAgainAfterARefusedAccessButAfterARefusedPageTableRead) {
  walk_ready.write(true);
  send(reply, reply_ready, reply_for(MemClient::kPageTable, 0, 1, MemFault::kBeyondMemory));
  for (int i = 0; i < 4; ++i) edge();
  EXPECT_EQ(router.counters().faults, 1u);
  EXPECT_TRUE(idle.read());
  send(reply, reply_ready, reply_for(MemClient::kStack, 1, 1, MemFault::kBeyondMemory));
  for (int i = 0; i < 4; ++i) edge();
  EXPECT_EQ(router.counters().faults, 2u);
  EXPECT_TRUE(sm1.available());
  EXPECT_FALSE(idle.read()) << "the fault is on its way to the host";
}

TEST_F(ReplyRouterTest, AReplyForNobodyIsAModelError) {
  // SystemC turns what a process throws into a report of its own.
  EXPECT_THROW(
      {
        send(reply, reply_ready, reply_for(MemClient::kCopy, 0, 1));
        for (int i = 0; i < 3; ++i) edge();
      },
      sc_core::sc_report);
}

}  // namespace
}  // namespace g80
