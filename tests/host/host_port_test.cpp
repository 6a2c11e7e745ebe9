// SPDX-License-Identifier: Apache-2.0
// The port of host memory does with transactions what a partition does, over the host link.
#include "hw/host/host_port.h"

#include <numeric>
#include <random>

#include "hw/bundles/page_table.h"
#include "hw/host/host_link.h"
#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

struct TransactionSourceRegs {
  MemRequest request;
  bool ready = false;
  G80_FIELDS(request, ready);
};

/// Offers transactions one after the other, and takes replies when it likes.
class TransactionSource : public Clocked<TransactionSourceRegs> {
 public:
  TransactionSource(const sc_core::sc_module_name& name, unsigned seed) : Clocked(name), random_(seed) {}
  Out<MemRequest> request_o{"request_o"};
  In<bool> request_ready_i{"request_ready_i"};
  In<MemReply> reply_i{"reply_i"};
  Out<bool> reply_ready_o{"reply_ready_o"};
  std::vector<MemRequest> requests;
  std::vector<MemReply> replies;
  std::size_t offered = 0;
  bool takes = true, slow = false;
  Cycle last_reply = 0;

 protected:
  void next() override {
    if (q_.request.valid && request_ready_i.read()) d_.request.valid = false;
    if (!d_.request.valid && offered < requests.size()) d_.request = requests[offered++];
    if (q_.ready && reply_i.read().valid) {
      replies.push_back(reply_i.read());
      last_reply = edge();
    }
    d_.ready = takes && (!slow || random_() % 8 == 0);
  }
  void drive() override {
    request_o.write(q_.request);
    reply_ready_o.write(q_.ready);
  }
  std::mt19937 random_;
};

struct HostPortRig {
  explicit HostPortRig(const Config& config, unsigned seed = 1, bool checked = true)
      : core("core", 1, config.clock.core_mhz, 2, false),
        source("source", seed),
        port("port", config, &log),
        link("link", config),
        bytes(1 << 17) {
    source.request_o(request);
    source.request_ready_i(request_ready);
    source.reply_i(reply);
    source.reply_ready_o(reply_ready);
    port.request_i(request);
    port.request_ready_o(request_ready);
    port.reply_o(reply);
    port.reply_ready_i(reply_ready);
    port.packet_o(packet);
    port.packet_ready_i(packet_ready);
    port.completion_i(completion);
    port.sent_i(sent);
    port.idle_o(idle);
    link.packet_i[0](no_packet);
    link.packet_ready_o[0](no_packet_ready);
    link.packet_i[1](packet);
    link.packet_ready_o[1](packet_ready);
    link.completion_o[1](completion);
    link.completion_o[0](no_completion);
    link.sent_o[0](nothing_sent);
    link.sent_o[1](sent);
    link.host_memory(host);
    core.add(source);
    core.add(port);
    core.add(link);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
    EXPECT_EQ(host.pin_pages(bytes.data(), bytes.size()), page_table::kHostWindow);
    if (checked) sleep_check.emplace(std::vector<Domain*>{&core});
  }
  static MemRequest access(MemOp op, std::uint32_t offset, unsigned size) {
    MemRequest request;
    request.valid = true;
    request.op = op;
    request.bytes = static_cast<std::uint8_t>(size);
    request.virtual_address = 0x50000 + offset;
    request.address = page_table::kHostBit | offset;
    for (unsigned i = 0; op != MemOp::kRead && i < size; ++i) request.byte_enable[i / 64] |= std::uint64_t{1} << i % 64;
    return request;
  }
  bool run(std::vector<MemRequest> requests, double microseconds = 50) {
    source.requests = std::move(requests);
    source.offered = 0;
    source.replies.clear();
    sc_core::sc_start(microseconds, sc_core::SC_US);
    return source.offered == source.requests.size() && idle.read();
  }

  PartitionLog log;
  Domain core;
  TransactionSource source;
  HostPort port;
  HostLink link;
  std::vector<std::uint8_t> bytes;
  HostMemory host{"host"};
  Wire<MemRequest> request{"request"};
  Wire<MemReply> reply{"reply"};
  Wire<LinkPacket> packet{"packet"}, completion{"completion"}, no_packet{"no_packet"}, no_completion{"no_completion"};
  Wire<bool> request_ready{"request_ready"}, reply_ready{"reply_ready"}, packet_ready{"packet_ready"};
  Wire<bool> no_packet_ready{"no_packet_ready"}, sent{"sent"}, nothing_sent{"nothing_sent"}, idle{"idle"};
  RandomState random_state{{&core}, 7, false};  // what holds nothing holds any bits
  std::optional<SleepCheck> sleep_check;
};

using HostPortTest = testing::SystemCTest;

TEST(FirstRun, IsTheFirstBytesThatAreEnabled) {
  EXPECT_EQ(first_run({0, 0}).count, 0u);
  EXPECT_EQ(first_run({0xf0, 0}).first, 4u);
  EXPECT_EQ(first_run({0xf0, 0}).count, 4u);
  EXPECT_EQ(first_run({std::uint64_t{3} << 62, 1}).first, 62u);
  EXPECT_EQ(first_run({std::uint64_t{3} << 62, 1}).count, 3u);
  EXPECT_EQ(first_run({~std::uint64_t{0}, ~std::uint64_t{0}}).count, 128u);
}

TEST_F(HostPortTest, RandomAccessesReadWhatWasWrittenBeforeThem) {
  const unsigned seed = random_seed();
  std::mt19937 random(seed);
  HostPortRig rig(load_config("tiny"), seed);
  rig.source.slow = true;
  std::vector<std::uint8_t> shadow = rig.bytes;
  std::vector<MemRequest> requests;
  std::vector<std::vector<std::uint8_t>> expected;
  for (unsigned i = 0; i < 300; ++i) {
    const unsigned size = 32u << random() % 3, offset = random() % (2048 / size) * size;
    MemRequest request = HostPortRig::access(random() % 2 == 0 ? MemOp::kRead : MemOp::kWrite, offset, size);
    request.id = static_cast<std::uint8_t>(expected.size());
    if (request.op == MemOp::kRead) {
      expected.emplace_back(shadow.begin() + offset, shadow.begin() + offset + size);
    } else {
      auto* const data = reinterpret_cast<std::uint8_t*>(request.data.data());
      for (std::uint64_t& word : request.byte_enable) word &= random() | std::uint64_t{random()} << 32;
      for (unsigned b = 0; b < size; ++b) {
        data[b] = static_cast<std::uint8_t>(random());
        if ((request.byte_enable[b / 64] >> b % 64 & 1) != 0) shadow[offset + b] = data[b];
      }
    }
    requests.push_back(request);
  }
  ASSERT_TRUE(rig.run(requests, 400)) << "seed " << seed;
  EXPECT_EQ(rig.bytes, shadow) << "seed " << seed;
  ASSERT_EQ(rig.source.replies.size(), expected.size());
  for (const MemReply& reply : rig.source.replies) {
    const auto& bytes = expected[reply.id];
    ASSERT_EQ(reply.bytes, bytes.size());
    ASSERT_EQ(std::memcmp(reply.data.data(), bytes.data(), bytes.size()), 0) << "seed " << seed;
  }
  EXPECT_EQ(rig.log.performed.size(), requests.size());
  EXPECT_EQ(rig.log.returned.size(), expected.size());
}

TEST_F(HostPortTest, AccessesOfAllKindsTakeTheStepsThatTheyNeed) {
  std::mt19937 random(3);
  Config config = load_config("8600gts");
  config.host.link_latency_ns = 50;
  config.host.mapped_reads = 3;
  HostPortRig rig(config, 3, false);
  testing::StepCount steps({&rig.port, &rig.link});
  rig.source.slow = true;
  for (unsigned i = 0; i < 400; ++i) {
    constexpr MemOp kOps[] = {MemOp::kRead, MemOp::kRead, MemOp::kWrite, MemOp::kWrite, MemOp::kAtomic};
    const unsigned size = 32u << random() % 3;
    MemRequest request = HostPortRig::access(kOps[random() % 5], random() % 16 * 128, size);
    for (std::uint64_t& word : request.byte_enable) word &= random() | std::uint64_t{random()} << 32;
    rig.source.requests.push_back(request);
    if (random() % 3 == 0) sc_core::sc_start(static_cast<double>(random() % 800), sc_core::SC_NS);
  }
  sc_core::sc_start(100, sc_core::SC_US);
  EXPECT_TRUE(rig.idle.read());
  EXPECT_EQ(rig.source.offered, 400u);
  steps.expect({32203, 12476});
}

TEST_F(HostPortTest, AReadTakesTheRoundTripOfTheLink) {
  const auto cycles = [](unsigned latency_ns) {
    renew_context();
    Config config = load_config("8600gts");
    config.clock.core_mhz = 500;
    config.host.link_latency_ns = latency_ns;
    HostPortRig rig(config);
    EXPECT_TRUE(rig.run({HostPortRig::access(MemOp::kRead, 0, 64)}));
    EXPECT_EQ(rig.source.replies.size(), 1u);
    return rig.source.last_reply;
  };
  EXPECT_EQ(cycles(500), cycles(100) + 2 * 400 / 2);
}

TEST_F(HostPortTest, ReadsRunAtTheRateOfTheirCompletions) {
  Config config = load_config("8600gts");
  config.clock.core_mhz = 500;
  config.host.link_mb_per_s = 4000;
  HostPortRig rig(config);
  EXPECT_TRUE(rig.run(std::vector<MemRequest>(200, HostPortRig::access(MemOp::kRead, 0, 64))));
  EXPECT_EQ(rig.source.replies.size(), 200u);
  EXPECT_EQ(rig.port.counters().reads, 200u);
  EXPECT_EQ(rig.port.counters().bytes_read, 200 * 64u);
  const double cycles = 200 * 84 / 8.0 + 2 * 250 * 0.5;
  EXPECT_NEAR(static_cast<double>(rig.source.last_reply), cycles, 30);
}

TEST_F(HostPortTest, AsManyReadsAreInFlightAsTheKeySays) {
  Config config = load_config("8600gts");
  config.host.mapped_reads = 3;
  HostPortRig rig(config, 1, false);
  rig.source.requests.assign(12, HostPortRig::access(MemOp::kRead, 0, 32));
  int most = 0;
  for (int i = 0; i < 5000; ++i) {
    sc_core::sc_start(1, sc_core::SC_NS);
    most = std::max(most, __builtin_popcountll(rig.port.registers().reads_pending));
    ASSERT_TRUE(rig.port.registers().reads_pending == 0 || !rig.idle.read());
  }
  EXPECT_EQ(most, 3);
}

TEST_F(HostPortTest, AWriteIsAPacketForEachRunOfItsBytesAndThePortIsBusyUntilTheyArrive) {
  HostPortRig rig(load_config("8600gts"), 1, false);
  MemRequest write = HostPortRig::access(MemOp::kWrite, 0, 64);
  write.byte_enable[0] = 0xff00'0000'00ff'0f00;
  rig.source.requests = {write};
  bool was_busy = false, arrived = false;
  for (int i = 0; i < 1000; ++i) {
    sc_core::sc_start(1, sc_core::SC_NS);
    arrived = rig.bytes[63] == 0;
    was_busy |= !rig.idle.read();
    ASSERT_FALSE(was_busy && !arrived && rig.idle.read());
  }
  EXPECT_TRUE(was_busy && arrived && rig.idle.read());
  EXPECT_EQ(rig.link.counters().packets_up, 3u);
  EXPECT_EQ(rig.link.counters().bytes_up, 3 * 24u + 4 + 8 + 8);
  EXPECT_EQ(rig.port.counters().writes, 1u);
  EXPECT_EQ(rig.port.counters().bytes_written, 4u + 8 + 8);
}

// Each is one packet: it lies in the register, in that of the link, on its way, and the other one may be anywhere else.
TEST_F(HostPortTest, IsIdleOnlyWhenBothOfTwoWritesHaveArrivedHoweverFarApart) {
  for (unsigned gap = 0; gap < 60; ++gap) {
    renew_context();
    Config config = load_config("8600gts");
    config.clock.core_mhz = 500;
    config.host.link_latency_ns = 20;
    HostPortRig rig(config, 1, false);
    unsigned accepted = 0;
    for (unsigned edge = 0; edge < 200; ++edge) {
      if (edge == 10 || edge == 10 + gap) {
        MemRequest write = HostPortRig::access(MemOp::kWrite, edge == 10 ? 0 : 64, 64);
        write.byte_enable = {0xf, 0};
        rig.source.requests.push_back(write);
        if (gap == 0) rig.source.requests.push_back(HostPortRig::access(MemOp::kWrite, 64, 64));
      }
      accepted += rig.request.read().valid && rig.request_ready.read() ? 1 : 0;
      sc_core::sc_start(2, sc_core::SC_NS);
      const unsigned arrived = (rig.bytes[0] == 0 ? 1 : 0) + (rig.bytes[64] == 0 ? 1 : 0);
      ASSERT_FALSE(rig.idle.read() && arrived < accepted) << gap << " edges apart, at edge " << edge;
    }
    ASSERT_EQ(accepted, 2u);
    EXPECT_TRUE(rig.idle.read());
  }
}

TEST_F(HostPortTest, AnAtomicIsRefused) {
  HostPortRig rig(load_config("8600gts"));
  std::vector<MemRequest> requests = {HostPortRig::access(MemOp::kRead, 64, 32),
                                      HostPortRig::access(MemOp::kAtomic, 0, 32),
                                      HostPortRig::access(MemOp::kReduce, 0, 32)};
  for (unsigned i = 0; i < 3; ++i) requests[i].id = static_cast<std::uint8_t>(5 + i);
  EXPECT_TRUE(rig.run(requests));
  ASSERT_EQ(rig.source.replies.size(), 3u);
  unsigned faults = 0;
  for (const MemReply& reply : rig.source.replies) {
    faults += reply.fault != MemFault::kNone ? 1 : 0;
    EXPECT_EQ(reply.op, requests[reply.id - 5u].op);
    EXPECT_EQ(reply.fault != MemFault::kNone, reply.id != 5);
  }
  EXPECT_EQ(faults, 2u);
  EXPECT_EQ(rig.port.counters().refused, 2u);
  EXPECT_EQ(rig.bytes[0], 1);
}

TEST_F(HostPortTest, RepliesThatNobodyTakesStopRequestsAndLoseNothing) {
  HostPortRig rig(load_config("8600gts"));
  rig.source.takes = false;
  EXPECT_FALSE(rig.run(std::vector<MemRequest>(100, HostPortRig::access(MemOp::kRead, 0, 128))));
  EXPECT_LT(rig.source.offered, 70u);
  rig.source.takes = true;
  sc_core::sc_start(50, sc_core::SC_US);
  EXPECT_EQ(rig.source.replies.size(), 100u);
  EXPECT_TRUE(rig.idle.read());
}

// Its row is free when the reply is in the output register: the next read, of the same tag, changes the row alone.
TEST_F(HostPortTest, AReplyThatWaitsKeepsItsBytesWhileItsRowIsWrittenAgain) {
  Config config = load_config("8600gts");
  config.host.mapped_reads = 1;
  HostPortRig rig(config);
  rig.source.takes = false;
  std::vector<MemRequest> requests;
  for (unsigned i = 0; i < 3; ++i) {
    requests.push_back(HostPortRig::access(MemOp::kRead, 128 * i, 128));
    requests.back().id = static_cast<std::uint8_t>(i);
  }
  EXPECT_FALSE(rig.run(requests));
  EXPECT_EQ(rig.port.counters().reads, 2u) << "one in the register, one in the row";
  const MemReply offered = rig.reply.read();
  EXPECT_TRUE(offered.valid);
  EXPECT_EQ(std::memcmp(offered.data.data(), rig.bytes.data(), 128), 0);
  rig.source.takes = true;
  sc_core::sc_start(50, sc_core::SC_US);
  ASSERT_EQ(rig.source.replies.size(), 3u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(rig.source.replies[i].id, i);
    EXPECT_EQ(std::memcmp(rig.source.replies[i].data.data(), rig.bytes.data() + 128 * i, 128), 0) << i;
  }
}

TEST_F(HostPortTest, ARunIsFoundAtOneEdgeAndLeavesAtTheNext) {
  Config config = load_config("8600gts");
  config.clock.core_mhz = 500;
  HostPortRig rig(config, 1, false);
  MemRequest write = HostPortRig::access(MemOp::kWrite, 0, 64);
  write.byte_enable = {0xf00ff0, 0};
  rig.source.requests = {write};
  std::vector<unsigned> runs;  // behind each edge: the run that was found, or the packet that leaves
  for (unsigned edge = 0; edge < 40; ++edge) {
    sc_core::sc_start(2, sc_core::SC_NS);
    const HostPortRegs& port = rig.port.registers();
    if (port.run.count != 0) runs.push_back(port.run.first);
    if (port.packet.valid && (runs.empty() || runs.back() != 100 + port.packet.address % 64))
      runs.push_back(100 + port.packet.address % 64);
  }
  EXPECT_EQ(runs.front(), 4u);
  EXPECT_EQ(runs[1], 104u);
  EXPECT_EQ(runs.back(), 120u);
}

TEST_F(HostPortTest, AResetInTheMiddleLeavesNothing) {
  HostPortRig rig(load_config("8600gts"), 1, false);
  const testing::ResetCheck check({&rig.port, &rig.link});
  rig.source.requests.assign(20, HostPortRig::access(MemOp::kRead, 0, 128));
  sc_core::sc_start(300, sc_core::SC_NS);
  EXPECT_GT(rig.port.counters().reads, 0u);
  check.expect_fresh();
  testing::expect_none_counted(rig.port.counters());
  testing::expect_none_counted(rig.link.counters());
}

}  // namespace
}  // namespace g80
