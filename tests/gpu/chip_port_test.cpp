// SPDX-License-Identifier: Apache-2.0
// The chip's crossbar port: requests of two sides take turns, each reply finds its client, refused writes are counted.
#include "hw/gpu/chip_port.h"

#include <deque>
#include <map>
#include <random>

#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

TEST(TakeTurns, TheOneThatDidNotGoLastGoes) {
  EXPECT_EQ(take_turns(true, true, true), Contender::kSecond);
  EXPECT_EQ(take_turns(true, true, false), Contender::kFirst);
  for (const bool first_went_last : {false, true}) {
    EXPECT_EQ(take_turns(true, false, first_went_last), Contender::kFirst);
    EXPECT_EQ(take_turns(false, true, first_went_last), Contender::kSecond);
    EXPECT_EQ(take_turns(false, false, first_went_last), Contender::kNone);
  }
}

/// A handshake of which the test is one side.
template <class Bundle>
struct Link {
  explicit Link(const std::string& name) : bundle(name.c_str()), ready((name + "_ready").c_str()) {}
  Wire<Bundle> bundle;
  Wire<bool> ready;
};

struct ChipPortTest : testing::SystemCTest {
  Domain core{"core", 0, 1000, 2, false};
  ChipPort port{"port"};
  // The test drives these ...
  Link<MemRequest> command{"command"}, line{"line"}, translated{"translated"}, copy{"copy"};
  Link<MemReply> reply{"reply"}, refusal{"refusal"};
  // ... and takes these
  Link<MemRequest> tlb{"tlb"}, request{"request"};
  Link<MemReply> line_reply{"line_reply"}, walk_reply{"walk_reply"};
  Wire<MemReply> copy_reply{"copy_reply"};
  Wire<bool> idle{"idle"};
  RandomState random_state{{&core}, 7, false};  // what holds nothing holds any bits

  ChipPortTest() {
    const auto in = [](auto& link, auto& bundle_i, auto& ready_o) { bundle_i(link.bundle), ready_o(link.ready); };
    const auto out = [](auto& link, auto& bundle_o, auto& ready_i) { bundle_o(link.bundle), ready_i(link.ready); };
    in(command, port.command_i, port.command_ready_o);
    in(line, port.line_i, port.line_ready_o);
    in(translated, port.translated_i, port.translated_ready_o);
    in(copy, port.copy_i, port.copy_ready_o);
    in(reply, port.reply_i, port.reply_ready_o);
    in(refusal, port.refusal_i, port.refusal_ready_o);
    out(tlb, port.tlb_o, port.tlb_ready_i);
    out(request, port.request_o, port.request_ready_i);
    out(line_reply, port.line_reply_o, port.line_reply_ready_i);
    out(walk_reply, port.walk_reply_o, port.walk_reply_ready_i);
    port.copy_reply_o(copy_reply);
    port.idle_o(idle);
    core.add(port);
  }
  /// Runs the edges of reset, to a moment between two edges.
  static void begin() { sc_core::sc_start(sc_core::sc_time(2500, sc_core::SC_PS)); }
  static void edge(unsigned count = 1) { sc_core::sc_start(sc_core::sc_time(count, sc_core::SC_NS)); }
  void take_everything() {
    for (Wire<bool>* ready : {&tlb.ready, &request.ready, &line_reply.ready, &walk_reply.ready}) ready->write(true);
  }
  static MemRequest request_of(std::uint8_t id) {
    MemRequest request;
    request.valid = true;
    request.id = id;
    request.address = 0x1000u + id;
    request.data[31] = 0xabcd0000u + id;
    return request;
  }
  static MemReply reply_for(MemClient client, std::uint8_t id, MemOp op = MemOp::kRead) {
    MemReply reply;
    reply.valid = true;
    reply.client = client;
    reply.op = op;
    reply.id = id;
    reply.virtual_address = 0x8000u + id;
    reply.data[31] = 0xdcba0000u + id;
    return reply;
  }
  /// Offers one bundle for one edge; the port has a place for it.
  template <class Bundle>
  void send(Link<Bundle>& link, const Bundle& bundle) {
    EXPECT_TRUE(link.ready.read());
    link.bundle.write(bundle);
    edge();
    link.bundle.write(Bundle{});
  }
};

TEST_F(ChipPortTest, ARequestIsOnItsOutputAtTheEdgeAfterItsAcceptance) {
  begin();
  EXPECT_TRUE(idle.read());
  for (auto [from, to] : {std::pair{&command, &tlb}, {&line, &tlb}, {&copy, &request}, {&translated, &request}}) {
    const std::uint64_t forwarded = port.counters().requests;
    send(*from, request_of(9));
    EXPECT_FALSE(idle.read());
    EXPECT_FALSE(to->bundle.read().valid);
    edge();
    EXPECT_EQ(to->bundle.read(), request_of(9));
    edge(3);  // held until it is taken
    EXPECT_EQ(to->bundle.read(), request_of(9));
    EXPECT_FALSE(idle.read());
    to->ready.write(true);
    edge();
    EXPECT_FALSE(to->bundle.read().valid);
    EXPECT_TRUE(idle.read());
    to->ready.write(false);
    EXPECT_EQ(port.counters().requests - forwarded, to == &request ? 1u : 0u) << "those that reach the crossbar";
  }
}

TEST_F(ChipPortTest, EachReplyReachesItsClientAtTheEdgeAfterItsAcceptance) {
  begin();
  const auto sees = [&](MemClient client, Wire<MemReply>& output) {
    for (Link<MemReply>* from : {&reply, &refusal}) {
      const std::uint64_t replies = port.counters().replies;
      send(*from, reply_for(client, 5));
      EXPECT_FALSE(output.read().valid);
      EXPECT_FALSE(idle.read());
      edge();
      for (Wire<MemReply>* wire : {&line_reply.bundle, &walk_reply.bundle, &copy_reply})
        EXPECT_EQ(wire->read().valid, wire == &output) << wire->name();
      EXPECT_EQ(output.read(), reply_for(client, 5));
      EXPECT_FALSE(idle.read());
      take_everything();
      edge();
      EXPECT_FALSE(output.read().valid);
      EXPECT_TRUE(idle.read());
      for (Wire<bool>* ready : {&line_reply.ready, &walk_reply.ready}) ready->write(false);
      EXPECT_EQ(port.counters().replies - replies, from == &reply ? 1u : 0u) << "those that the crossbar brought";
    }
  };
  sees(MemClient::kConstant, line_reply.bundle);
  sees(MemClient::kInstruction, line_reply.bundle);
  sees(MemClient::kPageTable, walk_reply.bundle);
  sees(MemClient::kCopy, copy_reply);
  EXPECT_EQ(port.counters().refused_writes, 0u);
}

TEST_F(ChipPortTest, AReplyToAWriteIsARefusalThatIsCountedAndGoesToNobody) {
  begin();
  take_everything();
  send(reply, reply_for(MemClient::kCopy, 3, MemOp::kWrite));
  send(refusal, reply_for(MemClient::kConstant, 4, MemOp::kWrite));
  for (int i = 0; i < 3; ++i) {
    for (Wire<MemReply>* wire : {&line_reply.bundle, &walk_reply.bundle, &copy_reply})
      EXPECT_FALSE(wire->read().valid) << wire->name();
    edge();
  }
  EXPECT_TRUE(idle.read());
  EXPECT_EQ(port.counters().refused_writes, 2u);
  EXPECT_EQ(port.counters().last_refused_address, 0x8004u);
}

TEST_F(ChipPortTest, AClientThatTakesNothingHoldsBackTwoRepliesAndThoseBehind) {
  begin();
  // On the output, two in the queue; then the queue is full.
  for (std::uint8_t id = 0; id < 3; ++id) send(reply, reply_for(MemClient::kPageTable, id));
  edge(2);
  EXPECT_FALSE(reply.ready.read());
  EXPECT_TRUE(refusal.ready.read());
  // What the TLB refuses has its own queue and passes those.
  send(refusal, reply_for(MemClient::kConstant, 9));
  edge();
  EXPECT_EQ(line_reply.bundle.read().id, 9);
  walk_reply.ready.write(true);
  for (std::uint8_t id = 0; id < 3; ++id) {
    EXPECT_EQ(walk_reply.bundle.read(), reply_for(MemClient::kPageTable, id));
    edge();
  }
  EXPECT_FALSE(walk_reply.bundle.read().valid);
  EXPECT_TRUE(reply.ready.read());
}

TEST_F(ChipPortTest, EachInputHasTwoPlacesOfItsOwn) {
  begin();
  for (Link<MemRequest>* link : {&command, &line, &copy, &translated}) {
    unsigned taken = 0;
    for (std::uint8_t id = 0; id < 6; ++id) {
      link->bundle.write(request_of(id));
      taken += link->ready.read() ? 1u : 0u;
      edge();
    }
    link->bundle.write(MemRequest{});
    // The first of each pair also fills the output that both use.
    EXPECT_EQ(taken, link == &command || link == &copy ? 3u : 2u) << link->bundle.name();
    EXPECT_FALSE(link->ready.read()) << link->bundle.name();
  }
  take_everything();
  edge(7);  // 2 + 2 places behind the output of each pair
  EXPECT_TRUE(idle.read());
  for (Link<MemRequest>* link : {&command, &line, &copy, &translated}) EXPECT_TRUE(link->ready.read());
}

TEST_F(ChipPortTest, AReplyForAnSmIsAModelError) {
  begin();
  send(reply, reply_for(MemClient::kGlobal, 1));
  EXPECT_THROW(edge(), sc_core::sc_report);
}

TEST_F(ChipPortTest, WithoutTrafficItSleeps) {
  begin();
  take_everything();
  edge(4);
  const std::uint64_t before = core.activations();
  edge(1000);
  EXPECT_EQ(core.activations(), before);
  // Accepted, on the output, taken, asleep: nothing is added by the length of the pause.
  send(copy, request_of(1));
  edge(1000);
  EXPECT_LE(core.activations() - before, 4u);
}

/// Traffic on every link, with random pauses on both sides.
struct ChipPortTraffic : ChipPortTest {
  std::mt19937 random{random_seed()};
  std::map<const void*, std::deque<std::uint8_t>> sent;  // by stream, in order: not yet seen at an output
  std::uint8_t next_id = 0;
  unsigned seen_requests = 0, seen_replies = 0;
  std::map<const void*, std::vector<const void*>> served;  // by output of requests: the inputs, in order

  bool draw(unsigned percent) { return random() % 100 < percent; }

  template <class Bundle, class Make>
  void offer(Link<Bundle>& link, unsigned percent, const Make& make) {
    if (link.bundle.read().valid) return;  // held until it is taken
    if (draw(percent)) link.bundle.write(make(next_id++));
  }
  template <class Bundle>
  void taken(Link<Bundle>& link) {
    if (!link.bundle.read().valid || !link.ready.read()) return;
    sent[stream_of(link)].push_back(link.bundle.read().id);
  }
  // What has to stay in order: the requests of an input, the replies for a client.
  const void* stream_of(const Link<MemRequest>& link) const { return &link; }
  const void* stream_of(const Link<MemReply>& link) const { return &output_of(link.bundle.read().client); }
  const Wire<MemReply>& output_of(MemClient client) const {
    if (client == MemClient::kCopy) return copy_reply;
    return client == MemClient::kPageTable ? walk_reply.bundle : line_reply.bundle;
  }
  /// The input that a request or reply with this number is the next of.
  const void* arrived(std::uint8_t id, std::initializer_list<const void*> inputs) {
    for (const void* input : inputs) {
      auto& queue = sent[input];
      if (queue.empty() || queue.front() != id) continue;
      queue.pop_front();
      return input;
    }
    ADD_FAILURE() << "request or reply " << unsigned{id} << " arrived out of order, or twice, or in the wrong place";
    return nullptr;
  }
  /// One edge; everything is compared just before it.
  void step(unsigned offer_percent, unsigned take_percent) {
    for (Link<MemRequest>* link : {&command, &line, &copy, &translated}) offer(*link, offer_percent, request_of);
    offer(reply, offer_percent, [&](std::uint8_t id) {
      constexpr MemClient kClients[] = {MemClient::kCopy, MemClient::kPageTable, MemClient::kConstant};
      return reply_for(kClients[random() % 3], id);
    });
    for (Wire<bool>* ready : {&tlb.ready, &request.ready, &line_reply.ready, &walk_reply.ready})
      ready->write(draw(take_percent));
    const auto was_taken = [](auto& link) { return link.bundle.read().valid && link.ready.read(); };
    const bool held[] = {was_taken(command), was_taken(line), was_taken(copy), was_taken(translated), was_taken(reply)};
    for (Link<MemRequest>* link : {&command, &line, &copy, &translated}) taken(*link);
    taken(reply);
    const auto check = [&](Link<MemRequest>& output, std::initializer_list<const void*> inputs) {
      if (!was_taken(output)) return;
      const MemRequest& out = output.bundle.read();
      EXPECT_EQ(out, request_of(out.id));
      served[&output].push_back(arrived(out.id, inputs));
      ++seen_requests;
    };
    check(tlb, {&command, &line});
    check(request, {&copy, &translated});
    for (const Wire<MemReply>* out : {&line_reply.bundle, &walk_reply.bundle, &copy_reply}) {
      if (!out->read().valid) continue;
      if (out != &copy_reply && !(out == &line_reply.bundle ? line_reply : walk_reply).ready.read()) continue;
      EXPECT_EQ(out->read(), reply_for(out->read().client, out->read().id));
      arrived(out->read().id, {out});
      ++seen_replies;
    }
    edge();
    unsigned i = 0;
    for (Link<MemRequest>* link : {&command, &line, &copy, &translated}) {
      if (held[i++]) link->bundle.write(MemRequest{});
    }
    if (held[i]) reply.bundle.write(MemReply{});
  }
};

TEST_F(ChipPortTraffic, NothingIsLostDoubledOrReordered) {
  const SleepCheck check({&core});
  begin();
  for (const auto& [offered, taken_share] : {std::pair{100u, 100u}, {100u, 30u}, {20u, 90u}, {50u, 50u}}) {
    for (int i = 0; i < 2000; ++i) step(offered, taken_share);
  }
  for (int i = 0; i < 20; ++i) step(0, 100);
  for (const auto& [input, left] : sent) EXPECT_TRUE(left.empty()) << left.size() << " left";
  EXPECT_TRUE(idle.read());
  EXPECT_GT(seen_requests, 8000u);
  EXPECT_GT(seen_replies, 3000u);
  EXPECT_EQ(port.counters().replies, seen_replies);
}

TEST_F(ChipPortTraffic, TakesTheStepsThatItNeeds) {
  testing::StepCount steps({&port});
  random.seed(1);
  begin();
  for (const auto& [offered, taken_share] : {std::pair{2u, 20u}, {2u, 90u}, {20u, 50u}}) {
    for (int i = 0; i < 2000; ++i) step(offered, taken_share);
  }
  steps.expect({5113});
}

TEST_F(ChipPortTraffic, BusySidesTakeTurnsAtTheFullRate) {
  begin();
  for (int i = 0; i < 400; ++i) step(100, 100);
  for (const auto& [output, inputs] : served) {
    EXPECT_GE(inputs.size(), 398u);
    for (std::size_t i = 1; i < inputs.size(); ++i) ASSERT_NE(inputs[i], inputs[i - 1]) << i;
  }
  EXPECT_EQ(served.size(), 2u);
  // A side alone gets all of it.
  for (Link<MemRequest>* link : {&command, &line, &copy, &translated}) link->bundle.write(MemRequest{});
  edge(10);
  unsigned passed = 0;
  for (std::uint8_t id = 0; id < 100; ++id) {
    passed += tlb.bundle.read().valid ? 1u : 0u;
    send(line, request_of(id));
  }
  EXPECT_EQ(passed, 98u);
}

TEST_F(ChipPortTraffic, AResetLeavesNothingBehind) {
  const testing::ResetCheck check({&port});
  begin();
  for (int i = 0; i < 200; ++i) step(90, 40);
  send(refusal, reply_for(MemClient::kPageTable, 1, MemOp::kWrite));
  for (int i = 0; i < 20; ++i) step(100, 0);
  for (Link<MemReply>* link : {&reply, &refusal}) {  // every queue is full in the end
    link->bundle.write(reply_for(MemClient::kConstant, 2));
    edge(5);
    EXPECT_FALSE(link->ready.read());
  }
  check.expect_fresh();
  testing::expect_none_counted(port.counters());
}

}  // namespace
}  // namespace g80
