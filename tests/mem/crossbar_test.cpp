// SPDX-License-Identifier: Apache-2.0
// The crossbar loses nothing, keeps order, is fair, and moves flits at the configured rates.
#include "hw/mem/crossbar.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>

#include "hw/common/round_robin.h"
#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/support/flip.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

TEST(RoundRobin, TheNextRequesterAfterTheLastGoes) {
  EXPECT_EQ(pick_round_robin(0b1011, 0), 1u);
  EXPECT_EQ(pick_round_robin(0b1011, 1), 3u);
  EXPECT_EQ(pick_round_robin(0b1011, 3), 0u);
  EXPECT_EQ(pick_round_robin(0b0100, 2), 2u);
  EXPECT_EQ(pick_round_robin(1u << 31 | 1, 31), 0u);
}

TEST(Flits, HeadersAndDataAreCounted) {
  MemRequest request;
  request.bytes = 64;
  EXPECT_EQ(request_flits(request, 32), 1u);
  request.op = MemOp::kWrite;
  EXPECT_EQ(request_flits(request, 32), 3u);
  EXPECT_EQ(request_flits(request, 16), 5u);
  request.op = MemOp::kAtomic;
  EXPECT_EQ(request_flits(request, 32), 2u);
  MemReply reply;
  reply.bytes = 128;
  EXPECT_EQ(reply_flits(reply, 32), 5u);
  reply.op = MemOp::kAtomic;
  EXPECT_EQ(reply_flits(reply, 32), 2u);
  reply.fault = MemFault::kPageNotPresent;
  EXPECT_EQ(reply_flits(reply, 32), 1u);
}

MemRequest random_write(std::mt19937& random, unsigned bytes) {
  MemRequest request;
  request.valid = true;
  request.op = MemOp::kWrite;
  request.bytes = static_cast<std::uint8_t>(bytes);
  request.address = static_cast<std::uint32_t>(random()) & ~127u;
  for (unsigned i = 0; i < bytes / 4; ++i) request.data[i] = static_cast<std::uint32_t>(random());
  return request;
}

// Sends a prepared list of requests as fast as its port takes them.
class Sender final : public Clocked<NoRegs> {
 public:
  explicit Sender(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_out<MemRequest> out_o{"out_o"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  std::deque<MemRequest> list;
  std::vector<Cycle> sent_at;

 private:
  void next() override {
    if (offered_ && ready_i.read()) {
      sent_at.push_back(edge());
      list.pop_front();
      offered_ = false;
    }
    offered_ = !list.empty();
  }
  void drive() override { out_o.write(offered_ ? list.front() : MemRequest{}); }
  bool offered_ = false;
};

// Takes requests in a share of the cycles.
class Receiver final : public Clocked<NoRegs> {
 public:
  Receiver(const sc_core::sc_module_name& name, unsigned percent, unsigned seed)
      : Clocked(name), percent_(percent), random_(seed) {}
  sc_core::sc_in<MemRequest> in_i{"in_i"};
  sc_core::sc_out<bool> ready_o{"ready_o"};
  std::vector<MemRequest> got;
  std::vector<Cycle> when;

 private:
  void next() override {
    if (in_i.read().valid && ready_) {
      got.push_back(in_i.read());
      when.push_back(edge());
    }
    ready_ = random_() % 100 < percent_;
  }
  void drive() override { ready_o.write(ready_); }
  const unsigned percent_;
  std::mt19937 random_;
  bool ready_ = false;
};

// What crosses at an edge, output by output, against the rules in words.
TEST(CrossbarWord, IsThatOfTheRules) {
  const unsigned seed = random_seed() + 3;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (unsigned trial = 0; trial < 20'000; ++trial) {
    const CrossbarRules rules{1 + static_cast<unsigned>(random() % 8), 1 + static_cast<unsigned>(random() % 8),
                              1 + static_cast<unsigned>(random() % 4), 5};
    CrossbarRegs now;
    std::uint32_t crossing = 0;
    for (unsigned output = 0; output < rules.outputs; ++output) {
      now.last[output] = static_cast<std::uint8_t>(random() % rules.inputs);
      now.credits[output] = static_cast<std::uint16_t>(random() % 10);
      if (random() % 2 == 0 || (crossing >> now.last[output] & 1) != 0) continue;
      crossing |= 1u << now.last[output];
      now.taken |= 1u << output;
      now.flits_left[output] = static_cast<std::uint8_t>(1 + random() % 6);
    }
    now.sending = crossing;
    now.asking = static_cast<std::uint32_t>(random()) & ((1u << rules.inputs) - 1);
    for (unsigned input = 0; input < rules.inputs; ++input) {
      now.wanted[input] = static_cast<std::uint8_t>(random() % rules.outputs);
      now.flits[input] = static_cast<std::uint8_t>(1 + random() % 5);
    }
    const CrossbarWord word = crossbar_word(now, rules);
    std::uint32_t waiting = 0;
    std::array<unsigned, kMaxXbarPorts> free;  // flits of an input's word
    free.fill(rules.flits_per_cycle);
    for (unsigned output = 0; output < rules.outputs; ++output) {
      if ((now.taken >> output & 1) != 0)
        free[now.last[output]] -= std::min<unsigned>(now.flits_left[output], rules.flits_per_cycle);
    }
    for (unsigned input = 0; input < rules.inputs; ++input) {
      if ((now.asking >> input & 1) != 0 && free[input] != 0) waiting |= 1u << input;
    }
    const std::uint32_t asking = waiting;
    for (unsigned output = 0; output < rules.outputs; ++output) {
      const bool taken = (now.taken >> output & 1) != 0;
      const unsigned used = taken ? std::min<unsigned>(now.flits_left[output], rules.flits_per_cycle) : 0;
      const bool ends = taken && now.flits_left[output] <= rules.flits_per_cycle;
      ASSERT_EQ((word.ended >> output & 1) != 0, ends);
      unsigned granted = ~0u, begun = 0;
      if ((!taken || ends) && used < rules.flits_per_cycle && now.credits[output] >= rules.largest) {
        for (unsigned k = 1; k <= rules.inputs && granted == ~0u; ++k) {
          const unsigned input = (now.last[output] + k) % rules.inputs;
          if ((asking >> input & 1) != 0 && now.wanted[input] == output) granted = input;
        }
      }
      if (granted != ~0u) {
        begun = std::min({unsigned{now.flits[granted]}, free[granted], rules.flits_per_cycle - used});
        if (ends && begun == now.flits[granted]) granted = ~0u;  // a word ends one packet at most
      }
      ASSERT_EQ((word.granted >> output & 1) != 0, granted != ~0u) << trial;
      if (granted == ~0u) continue;
      ASSERT_EQ(word.input[output], granted);
      ASSERT_EQ(word.begun[output], begun);
      waiting &= ~(1u << granted);
    }
    ASSERT_EQ(word.waiting, waiting) << trial;
  }
}

struct CrossbarTest : testing::SystemCTest {
  Config config = load_config("8600gts");
  unsigned seed = random_seed() + 1;
  std::unique_ptr<Domain> core;
  std::unique_ptr<RequestCrossbar> crossbar;
  std::vector<std::unique_ptr<Sender>> senders;
  std::vector<std::unique_ptr<Receiver>> receivers;
  std::vector<std::unique_ptr<Wire<MemRequest>>> wires;
  std::vector<std::unique_ptr<Wire<bool>>> ready;
  std::unique_ptr<RandomState> random_state;

  void build(unsigned percent, bool no_sleep = false) {
    core = std::make_unique<Domain>("core", 0, 1000, 2, no_sleep);
    crossbar = std::make_unique<RequestCrossbar>("crossbar", config);
    core->add(*crossbar);
    const auto connect = [&](auto& data, auto& data2, auto& ready1, auto& ready2) {
      wires.push_back(std::make_unique<Wire<MemRequest>>(sc_core::sc_gen_unique_name("data")));
      ready.push_back(std::make_unique<Wire<bool>>(sc_core::sc_gen_unique_name("ready")));
      data(*wires.back());
      data2(*wires.back());
      ready1(*ready.back());
      ready2(*ready.back());
    };
    for (unsigned i = 0; i <= config.gpu.num_tpcs; ++i) {
      senders.push_back(std::make_unique<Sender>(fmt::format("sender{}", i).c_str()));
      connect(senders[i]->out_o, crossbar->in_i[i], crossbar->in_ready_o[i], senders[i]->ready_i);
      core->add(*senders[i]);
    }
    for (unsigned i = 0; i <= config.gpu.num_partitions; ++i) {
      receivers.push_back(std::make_unique<Receiver>(fmt::format("receiver{}", i).c_str(), percent, seed + i));
      connect(crossbar->out_o[i], receivers[i]->in_i, receivers[i]->ready_o, crossbar->out_ready_i[i]);
      core->add(*receivers[i]);
    }
    ready.push_back(std::make_unique<Wire<bool>>("idle"));
    crossbar->idle_o(*ready.back());
    random_state =
        std::make_unique<RandomState>(std::vector<Domain*>{core.get()}, 7, false);  // what holds nothing holds any bits
  }
  void start_anew() {
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext();
    sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
    random_state.reset(), senders.clear(), receivers.clear(), wires.clear(), ready.clear();
  }
  void run(unsigned edges) {
    while (edges-- != 0) {
      sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
      crossbar->count_places([](const char* what, unsigned port, int lost) { EXPECT_EQ(lost, 0) << what << port; });
    }
  }
  /// Packets and flits of each port are what was sent into it, or came out of it, counted packet by packet.
  void expect_counted(const std::vector<MemRequest>& sent) const {
    const auto& counted = crossbar->counters();
    std::array<std::uint64_t, kMaxXbarPorts> input_packets{}, input_flits{}, output_packets{}, output_flits{};
    std::uint64_t packets = 0, flits = 0;
    for (const MemRequest& request : sent) {
      ++input_packets[request.port];
      input_flits[request.port] += request_flits(request, config.xbar.flit_bytes);
    }
    for (unsigned output = 0; output < receivers.size(); ++output) {
      for (const MemRequest& request : receivers[output]->got) {
        ++output_packets[output], ++packets;
        output_flits[output] += request_flits(request, config.xbar.flit_bytes);
        flits += request_flits(request, config.xbar.flit_bytes);
      }
    }
    EXPECT_EQ(counted.input_packets, input_packets);
    EXPECT_EQ(counted.input_flits, input_flits);
    EXPECT_EQ(counted.output_packets, output_packets);
    EXPECT_EQ(counted.output_flits, output_flits);
    EXPECT_EQ(counted.packets, packets);
    EXPECT_EQ(counted.flits, flits);
  }
  static MemRequest request_to(std::uint32_t address, MemOp op = MemOp::kRead, unsigned bytes = 32) {
    MemRequest request;
    request.valid = true;
    request.op = op;
    request.address = address;
    request.bytes = static_cast<std::uint8_t>(bytes);
    return request;
  }
};

TEST_F(CrossbarTest, AnUnloadedReadTakesTheConfiguredLatency) {
  for (const unsigned latency : {4u, 5u, 6u, 12u, 74u, 300u}) {
    start_anew();
    config.xbar.request_latency = latency;
    build(100);
    senders[1]->list.push_back(request_to(0x100));
    run(500);
    const unsigned to = locate_partition(AddressMap(config), 0x100).partition;
    ASSERT_EQ(receivers[to]->got.size(), 1u);
    EXPECT_EQ(receivers[to]->when[0] - senders[1]->sent_at.at(0), latency);
  }
}

// What changes in the place of a packet on its way comes out changed. The divider's result is that of its last stage.
TEST_F(CrossbarTest, AFaultOnTheWayReachesThePacketThatIsThere) {
  config = load_config("8800gtx");
  build(100);
  const AddressMap map(config);
  ASSERT_EQ(crossbar->input_way() + divider_stages(6), 9u);
  const std::uint32_t address = physical_address(map, 2, 0x400);
  senders[1]->list.push_back(request_to(address, MemOp::kWrite));
  run(6);
  testing::flip(*crossbar, "input[1].packets.front.address", 8);  // the next block
  run(16);
  const PartitionAddress to = locate_partition(map, address ^ 0x100);
  ASSERT_NE(to.partition, 2u);
  EXPECT_TRUE(receivers[to.partition]->got.empty()) << "it is on the way behind the switch";
  testing::flip(*crossbar, fmt::format("output[{}].packets.front.data[3]", to.partition), 5);
  run(300);
  ASSERT_EQ(receivers[to.partition]->got.size(), 1u);
  EXPECT_EQ(receivers[to.partition]->got[0].address, to.local);
  EXPECT_EQ(receivers[to.partition]->got[0].data[3], 1u << 5);
}

// A stage has the packet for one edge, and the next stage has what it made of it.
TEST_F(CrossbarTest, AFaultInAStageOfTheDividerTurnsThePacketAside) {
  const auto hits = [this](const char* field) {
    std::vector<unsigned> edges;
    for (unsigned edge = 2; edge < 20; ++edge) {
      start_anew();
      config = load_config("8800gtx");
      build(100);
      const AddressMap map(config);
      senders[1]->list.push_back(request_to(physical_address(map, 2, 0x400)));
      run(edge);
      testing::flip(*crossbar, fmt::format("divider[1].{}", field), 0);
      try {
        run(300);
        if (receivers[2]->got.empty() || receivers[2]->got[0].address != 0x400) edges.push_back(edge);
      } catch (const ModelError&) {
        edges.push_back(edge);
      }
    }
    return edges;
  };
  const std::vector<unsigned> first = hits("rest.rest");
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(hits("product.product"), (std::vector<unsigned>{first[0] + 1}));
  EXPECT_EQ(hits("product.rest"), (std::vector<unsigned>{first[0] + 1}));
  EXPECT_EQ(hits("quotient.quotient"), (std::vector<unsigned>{first[0] + 2}));
  EXPECT_EQ(hits("quotient.address"), (std::vector<unsigned>{first[0] + 2}));
}

// Whether a port has packets is a flop of its own.
TEST_F(CrossbarTest, AFaultInWhatIsOccupiedStopsAPacketOrTheRun) {
  build(100);
  senders[1]->list.push_back(request_to(0x100));
  run(6);
  testing::flip(*crossbar, "occupied.filled", 1);
  run(300);
  for (const auto& receiver : receivers) EXPECT_TRUE(receiver->got.empty());
  testing::flip(*crossbar, "occupied.filled", 0);  // of an input without a packet
  run(10);
  testing::flip(*crossbar, "occupied.holding", 0);
  run(10);
  EXPECT_FALSE(ready.back()->read()) << "idle, although a packet is said to be behind the switch";
}

TEST_F(CrossbarTest, HostMemoryHasAnOutputBehindThePartitions) {
  build(100);
  senders[1]->list.push_back(request_to(page_table::kHostBit | 0x100));
  run(500);
  EXPECT_EQ(receivers.back()->got.size(), 1u);
}

TEST_F(CrossbarTest, WriteDataOccupiesThePort) {
  config.xbar.request_flits_per_cycle = 2;
  build(100);
  for (int i = 0; i < 100; ++i) senders[0]->list.push_back(request_to(0, MemOp::kWrite, 64));  // 3 flits each
  run(500);
  ASSERT_EQ(receivers[0]->when.size(), 100u);
  EXPECT_EQ(receivers[0]->when.back() - receivers[0]->when[1], 147u);  // 98 packets, one and a half words each
  EXPECT_EQ(crossbar->counters().input_flits[0], 300u);
  EXPECT_EQ(crossbar->counters().output_packets[0], 100u);
}

TEST_F(CrossbarTest, ReadsPassOnePerCycle) {
  build(100);
  for (int i = 0; i < 200; ++i) senders[0]->list.push_back(request_to(0));
  run(500);
  ASSERT_EQ(receivers[0]->when.size(), 200u);
  EXPECT_EQ(receivers[0]->when.back() - receivers[0]->when.front(), 199u);
}

TEST_F(CrossbarTest, ContendingInputsShareAnOutputEqually) {
  build(100);
  for (int i = 0; i < 300; ++i) {
    for (auto& sender : senders) sender->list.push_back(request_to(0));
  }
  run(300);
  const auto& packets = crossbar->counters().input_packets;
  EXPECT_GT(packets[0], 60u);
  for (unsigned i = 1; i < senders.size(); ++i) {
    EXPECT_LE(packets[i], packets[0] + 1);
    EXPECT_GE(packets[i] + 1, packets[0]);
  }
  EXPECT_GT(crossbar->counters().stalls[0], 100u);
}

// Packets of three flits at two flits a cycle: the word that ends one begins the next.
TEST_F(CrossbarTest, NeitherAnInputNorAnOutputPassesMoreFlitsThanItsRate) {
  config = load_config("8600gts", {"xbar.flit_bytes=16", "xbar.request_flits_per_cycle=2", "gpu.num_tpcs=2"});
  build(100);
  const AddressMap map(config);
  const auto write_to = [&](unsigned output, std::uint32_t local) {
    return request_to(physical_address(map, output, local), MemOp::kWrite);
  };
  ASSERT_EQ(request_flits(write_to(0, 0), 16), 3u);
  // Two inputs share an output; one input feeds two outputs.
  for (unsigned i = 0; i < 60; ++i) {
    senders[0]->list.push_back(write_to(0, 32 * i));
    senders[1]->list.push_back(write_to(0, 32 * i));
    senders[2]->list.push_back(write_to(1, 32 * i));
  }
  run(600);
  ASSERT_EQ(receivers[0]->got.size(), 120u);
  const Cycle shared = receivers[0]->when.back() - receivers[0]->when.front();
  EXPECT_GE(shared, 119u * 3 / 2);
  EXPECT_LE(shared, 119u * 3 / 2 + 4) << "and no less";
  const std::size_t before = receivers[1]->got.size();
  for (unsigned i = 0; i < 120; ++i) senders[2]->list.push_back(write_to(i % 2, 32 * i));
  run(600);
  ASSERT_EQ(receivers[1]->got.size(), before + 60);
  const Cycle alternating = std::max(receivers[0]->when.back(), receivers[1]->when.back()) -
                            std::min(receivers[0]->when[120], receivers[1]->when[before]);
  EXPECT_GE(alternating, 119u * 3 / 2 - 1);
}

TEST_F(CrossbarTest, AnOutputGrantsAtOnceHoweverLongThePacketOfItsNeighbour) {
  for (const unsigned output : {0u, 1u}) {
    start_anew();
    config = load_config("8600gts", {"xbar.flit_bytes=16", "xbar.request_flits_per_cycle=1", "gpu.num_tpcs=2"});
    build(100);
    const AddressMap map(config);
    senders[1]->list.push_back(request_to(physical_address(map, 1 - output, 0)));  // what it wanted last
    for (unsigned i = 0; i < 40; ++i) {
      senders[0]->list.push_back(request_to(physical_address(map, 1 - output, 64 * i), MemOp::kWrite, 64));
      senders[1]->list.push_back(request_to(physical_address(map, output, 64 * i)));
    }
    run(400);
    ASSERT_EQ(receivers[output]->when.size(), 40u);
    for (unsigned i = 0; i < 40; ++i) {
      EXPECT_EQ(receivers[output]->when[i] - senders[1]->sent_at[i + 1], config.xbar.request_latency) << i;
    }
  }
}

TEST_F(CrossbarTest, TheAccountOfPlacesNamesThePortThatLostOne) {
  build(100);
  run(20);
  testing::expect_loss_named(*crossbar, "places of input", config.gpu.num_tpcs + 1, "input[{}].held");
  testing::expect_loss_named(*crossbar, "credits of output", config.gpu.num_partitions + 1, "credits[{}]");
}

// A reset forgets the packets inside, and what is sent afterwards takes as long as in a new one.
TEST_F(CrossbarTest, AfterAResetInTheMiddleItBehavesAsANewOne) {
  std::vector<Cycle> when[2];
  for (const bool reset : {false, true}) {
    start_anew();
    build(100);
    const AddressMap map(config);
    const auto send = [&](unsigned rounds) {
      for (unsigned i = 0; i < rounds * senders.size(); ++i)
        senders[i % senders.size()]->list.push_back(
            request_to(physical_address(map, i % 2, 128 * i), MemOp::kWrite, 32u << i % 3));
    };
    run(20);
    for (const unsigned edges : {4u, 9u, 14u, 22u}) {
      if (!reset) break;
      send(1);
      run(edges);
      for (const auto& sender : senders) ASSERT_TRUE(sender->list.empty());
      crossbar->hold_reset();
      crossbar->commit();
      crossbar->wake();
      for (auto& receiver : receivers) receiver->got.clear(), receiver->when.clear();
      run(200);
      for (const auto& receiver : receivers) EXPECT_TRUE(receiver->got.empty()) << edges;
    }
    const Cycle begin = core->edge();
    send(8);
    run(400);
    for (const auto& receiver : receivers) {
      for (const Cycle edge : receiver->when) when[reset].push_back(edge - begin);
    }
  }
  EXPECT_EQ(when[0], when[1]);
}

TEST_F(CrossbarTest, RandomTrafficIsDeliveredInOrderAsleepOrNot) {
  SCOPED_TRACE(seed);
  std::vector<Cycle> when[2];
  std::uint64_t stalls[2] = {};
  config = load_config("8800gtx");
  for (const bool no_sleep : {false, true}) {
    start_anew();
    build(40, no_sleep);
    const AddressMap map(config);
    std::mt19937 random(seed);
    std::map<std::pair<unsigned, unsigned>, std::deque<std::uint32_t>> expected;
    unsigned total = 0;
    std::vector<MemRequest> sent;
    for (unsigned group = 0; group < 3; ++group) {
      for (unsigned input = 0; input < senders.size(); ++input) {
        for (unsigned i = 0; i < 200; ++i) {
          MemRequest request = request_to(static_cast<std::uint32_t>(random() % (1u << 20)) & ~127u,
                                          static_cast<MemOp>(random() % 4), 32u << random() % 3);
          request.port = static_cast<std::uint8_t>(input);
          request.origin.tag.bits = total++;
          expected[{input, locate_partition(map, request.address).partition}].push_back(request.origin.tag.bits);
          senders[input]->list.push_back(request);
          sent.push_back(request);
        }
      }
      run(4000);  // drains, so that it sleeps in between
    }
    unsigned delivered = 0;
    for (unsigned output = 0; output < receivers.size(); ++output) {
      for (const MemRequest& request : receivers[output]->got) {
        auto& queue = expected[{request.port, output}];
        ASSERT_FALSE(queue.empty());
        ASSERT_EQ(queue.front(), request.origin.tag.bits);
        queue.pop_front();
        ++delivered;
      }
      when[no_sleep].insert(when[no_sleep].end(), receivers[output]->when.begin(), receivers[output]->when.end());
    }
    EXPECT_EQ(delivered, total);
    expect_counted(sent);
    EXPECT_TRUE(ready.back()->read());
    stalls[no_sleep] = crossbar->counters().stalls[0];
  }
  EXPECT_EQ(when[0], when[1]);
  EXPECT_EQ(stalls[0], stalls[1]);
}

// Every packet arrives as it was sent, whatever waits where.
TEST_F(CrossbarTest, DataSurviveFlitsAndBackpressure) {
  SCOPED_TRACE(seed);
  for (const unsigned latency : {1u, 3u, 20u}) {
    start_anew();
    config.xbar.request_latency = latency;
    config.xbar.request_flits_per_cycle = 1 + latency % 3;
    config.xbar.queue = 1;
    build(30);
    const SleepCheck check({core.get()});
    std::mt19937 random(seed);
    std::map<std::uint32_t, MemRequest> sent;
    for (unsigned i = 0; i < 300; ++i) {
      MemRequest request = random_write(random, 32u << random() % 3);
      request.address %= 1u << 20;
      request.origin.tag.bits = i;
      request.port = static_cast<std::uint8_t>(i % senders.size());
      sent[i] = request;
      senders[request.port]->list.push_back(request);
    }
    run(6000);
    std::size_t delivered = 0;
    for (const auto& receiver : receivers) {
      for (const MemRequest& got : receiver->got) {
        const MemRequest& one = sent.at(got.origin.tag.bits);
        EXPECT_EQ(got.data, one.data);
        EXPECT_EQ(got.bytes, one.bytes);
        EXPECT_EQ(got.port, one.port);
        ++delivered;
      }
    }
    EXPECT_EQ(delivered, sent.size());
  }
}

// What an output does not take rests in its far queue and behind it; then the inputs wait. The way itself never stops.
TEST_F(CrossbarTest, ABlockedOutputHoldsWhatItsQueuesHold) {
  for (const unsigned latency : {4u, 10u, 61u}) {
    start_anew();
    config.xbar.request_latency = latency;
    build(0);
    for (int i = 0; i < 200; ++i) senders[0]->list.push_back(request_to(0));
    run(400);
    // Credits for a packet of the largest size, five flits, are kept back.
    const unsigned before = crossbar->input_way(), behind = crossbar->output_way();
    EXPECT_EQ(before, std::min(kWayRegisters / 2, (latency - 2) / 2));
    EXPECT_EQ(behind, std::min(kWayRegisters / 2, latency - 2 - before));
    EXPECT_EQ(crossbar->far_flits(), (2 * behind + 1) * 2 + 2 * 5);
    EXPECT_EQ(crossbar->places(), std::max(config.xbar.queue, 2 * before + 2));
    const unsigned padding = latency - 2 - before - behind;
    EXPECT_EQ(senders[0]->sent_at.size(), crossbar->far_flits() - 4 + padding + config.xbar.queue + crossbar->places());
    EXPECT_TRUE(receivers[0]->got.empty());
  }
}

// The queues cover the loops of places and credits: the rate does not depend on the lengths of the ways.
TEST_F(CrossbarTest, CreditsCoverTheLoopAtFullRate) {
  for (const unsigned latency : {2u, 3u, 14u, 61u}) {
    for (const unsigned bytes : {0u, 32u, 64u, 128u}) {
      start_anew();
      config.xbar.request_latency = latency;
      build(100);
      const MemRequest packet = bytes == 0 ? request_to(0) : request_to(0, MemOp::kWrite, bytes);
      for (int i = 0; i < 200; ++i) senders[0]->list.push_back(packet);
      run(1000);
      ASSERT_EQ(receivers[0]->when.size(), 200u);
      const unsigned flits = request_flits(packet, config.xbar.flit_bytes);
      const auto cycles = receivers[0]->when.back() - receivers[0]->when.front();
      EXPECT_LE(cycles, 199 * std::max(2u, flits) / 2 + 1) << latency << ", " << bytes;
    }
  }
}

// A packet's output and its address there are known the stages of the divider later; the padding is shorter by them.
TEST_F(CrossbarTest, TheDividerTakesItsStagesOfTheLatency) {
  for (const auto& [latency, expected] : {std::pair{61u, 61u}, std::pair{2u, 7u}}) {
    start_anew();
    config = load_config("8800gtx");
    config.xbar.request_latency = latency;
    build(100);
    const AddressMap map(config);
    ASSERT_EQ(map.num_partitions, 6u);
    senders[1]->list.push_back(request_to(0x12340));
    run(500);
    const PartitionAddress at = locate_partition(map, 0x12340);
    ASSERT_EQ(receivers[at.partition]->got.size(), 1u);
    EXPECT_EQ(receivers[at.partition]->got[0].address, at.local);
    EXPECT_EQ(receivers[at.partition]->when[0] - senders[1]->sent_at.at(0), expected);
  }
}

}  // namespace
}  // namespace g80
