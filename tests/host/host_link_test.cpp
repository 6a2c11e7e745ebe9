// SPDX-License-Identifier: Apache-2.0
// Packets of the host link take what PCI Express takes for them, each direction for itself.
#include "hw/host/host_link.h"

#include <numeric>
#include <vector>

#include "tb/machine/random_state.h"
#include "tests/support/reset_check.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

/// So many bytes in a cycle, and so many cycles to the other side.
Config with_latency(unsigned bytes_per_cycle, unsigned latency) {
  Config config = load_config("8600gts");
  config.clock.core_mhz = 500;
  config.host.link_mb_per_s = bytes_per_cycle * 500;
  config.host.link_latency_ns = latency * 2;
  return config;
}

struct PacketSourceRegs {
  LinkPacket packet;
  G80_FIELDS(packet);
};

/// Offers packets one after the other and keeps what comes back.
class PacketSource : public Clocked<PacketSourceRegs> {
 public:
  explicit PacketSource(const sc_core::sc_module_name& name) : Clocked(name) {}
  Out<LinkPacket> packet_o{"packet_o"};
  In<bool> ready_i{"ready_i"}, sent_i{"sent_i"};
  In<LinkPacket> completion_i{"completion_i"};
  std::vector<LinkPacket> packets, completions;
  std::size_t offered = 0;
  Cycle ended = 0;  // when the writes had reached the host and the last completion had come

 protected:
  void next() override {
    if (q_.packet.valid && ready_i.read()) d_.packet.valid = false;
    if (!d_.packet.valid && offered < packets.size()) d_.packet = packets[offered++];
    if (completion_i.read().valid) completions.push_back(completion_i.read());
    if (completion_i.read().valid || !sent_i.read() || q_.packet.valid) ended = edge();
  }
  void drive() override { packet_o.write(q_.packet); }
};

struct HostLinkRig {
  explicit HostLinkRig(const Config& config) : core("core", 1, config.clock.core_mhz, 2, false), link("link", config) {
    source.packet_o(packet);
    source.ready_i(ready);
    source.sent_i(sent);
    source.completion_i(completion);
    link.packet_i[0](packet);
    link.packet_ready_o[0](ready);
    link.packet_i[1](port_packet);
    link.packet_ready_o[1](port_ready);
    link.completion_o[0](completion);
    link.completion_o[1](port_completion);
    link.sent_o[0](sent);
    link.sent_o[1](port_sent);
    link.host_memory(host);
    core.add(source);
    core.add(link);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
    base = host.pin(bytes.data(), bytes.size());
  }
  LinkPacket read(unsigned offset, unsigned count) const {
    return {true, LinkOp::kRead, LinkClient::kCopy, 7, 0, static_cast<std::uint8_t>(count), false, base + offset, {}};
  }
  LinkPacket write(unsigned offset, unsigned count) const {
    return {true, LinkOp::kWrite, LinkClient::kCopy, 0, 0, static_cast<std::uint8_t>(count), false, base + offset, {}};
  }
  Cycle run(std::vector<LinkPacket> packets) {
    source.packets = std::move(packets);
    const Cycle start = core.edge();
    sc_core::sc_start(20, sc_core::SC_US);
    EXPECT_EQ(source.offered, source.packets.size());
    return source.ended - start;
  }

  Domain core;
  PacketSource source{"source"};
  HostLink link;
  HostMemory host{"host"};
  Wire<LinkPacket> packet{"packet"}, completion{"completion"}, port_packet{"port_packet"},
      port_completion{"port_completion"};
  Wire<bool> ready{"ready"}, sent{"sent"}, port_ready{"port_ready"}, port_sent{"port_sent"};
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(8192);
  std::uint64_t base = 0;
  RandomState random_state{{&core}, 7, false};  // what holds nothing holds any bits
};

using HostLinkTest = testing::SystemCTest;

TEST_F(HostLinkTest, AReadComesBackInPiecesThatEndAtEach64Bytes) {
  HostLinkRig rig(with_latency(4, 0));
  rig.run({rig.read(50, 100)});
  ASSERT_EQ(rig.source.completions.size(), 3u);
  const unsigned firsts[] = {0, 14, 78}, counts[] = {14, 64, 22};
  for (unsigned i = 0; i < 3; ++i) {
    const LinkPacket& packet = rig.source.completions[i];
    EXPECT_EQ(packet.tag, 7);
    EXPECT_EQ(packet.first, firsts[i]);
    EXPECT_EQ(packet.count, counts[i]);
    EXPECT_EQ(packet.last, i == 2);
    for (unsigned b = 0; b < counts[i]; ++b) ASSERT_EQ(packet.data[b], rig.bytes[50 + firsts[i] + b]);
  }
  // Headers and framing: 24 bytes up, 20 down; payload in words of 4 bytes: 48 to 64, 64 to 128, 128 to 152.
  EXPECT_EQ(rig.link.counters().bytes_up, 24u);
  EXPECT_EQ(rig.link.counters().bytes_down, 3 * 20u + 16 + 64 + 24);
  EXPECT_EQ(rig.link.counters().packets_down, 3u);
}

TEST_F(HostLinkTest, IsIdleOnlyBeforeAReadIsOfferedAndAfterItsLastPiece) {
  HostLinkRig rig(with_latency(4, 30));
  rig.source.packets = {rig.read(50, 100)};
  unsigned inside = 0;
  for (bool begun = false; inside < 1000; ++inside) {
    sc_core::sc_start(1, sc_core::SC_NS);
    begun |= rig.source.offered != 0 && !rig.packet.read().valid;
    if (!rig.source.completions.empty() && rig.source.completions.back().last) break;
    ASSERT_FALSE(begun && rig.link.idle()) << inside;
  }
  EXPECT_GT(inside, 60u);
  sc_core::sc_start(20, sc_core::SC_NS);
  EXPECT_TRUE(rig.link.idle());
}

TEST_F(HostLinkTest, AWriteOf128BytesTakes152) {
  HostLinkRig rig(with_latency(4, 0));
  const Cycle cycles = rig.run(std::vector<LinkPacket>(20, rig.write(128, 128)));
  EXPECT_EQ(rig.link.counters().bytes_up, 20 * 152u);
  EXPECT_EQ(rig.link.counters().bytes_down, 0u);
  EXPECT_NEAR(static_cast<double>(cycles), 20 * 152 / 4, 8);
  EXPECT_EQ(rig.bytes[127], 128);
  EXPECT_EQ(rig.bytes[128], 0);
  EXPECT_EQ(rig.bytes[255], 0);
}

TEST_F(HostLinkTest, BothDirectionsWorkAtOnce) {
  HostLinkRig rig(with_latency(4, 0));
  std::vector<LinkPacket> packets;
  for (unsigned i = 0; i < 20; ++i) {
    packets.push_back(rig.read(0, 128));
    packets.push_back(rig.write(4096, 128));
  }
  const Cycle cycles = rig.run(packets);
  EXPECT_EQ(rig.link.counters().bytes_up, 20 * (24 + 152u));
  EXPECT_EQ(rig.link.counters().bytes_down, 20 * 2 * 84u);
  EXPECT_GE(cycles, 20u * 176 / 4);
  EXPECT_LE(cycles, 20u * 176 / 4 + 168 / 4 + 12) << "not the sum of both";
}

TEST_F(HostLinkTest, APacketActsTheLatencyLaterAndAReadTakesItTwice) {
  const auto cycles = [](unsigned latency, LinkOp op) {
    renew_context();
    HostLinkRig rig(with_latency(8, latency));
    return rig.run({op == LinkOp::kRead ? rig.read(0, 64) : rig.write(0, 64)});
  };
  EXPECT_EQ(cycles(100, LinkOp::kWrite), cycles(1, LinkOp::kWrite) + 99);
  EXPECT_EQ(cycles(100, LinkOp::kRead), cycles(1, LinkOp::kRead) + 2 * 99);
}

TEST_F(HostLinkTest, ItIsIdleOnlyWhileNothingIsUnderWay) {
  for (const LinkClient client : {LinkClient::kCopy, LinkClient::kPort}) {
    renew_context();
    HostLinkRig rig(with_latency(4, 10));
    const auto edge = [] { sc_core::sc_start(2, sc_core::SC_NS); };
    for (int i = 0; i < 10; ++i) edge();
    LinkPacket packet = rig.read(0, 64);
    packet.client = client;
    const bool port = client == LinkClient::kPort;
    Wire<LinkPacket>& request = port ? rig.port_packet : rig.packet;
    const Wire<LinkPacket>& completion = port ? rig.port_completion : rig.completion;
    EXPECT_TRUE(rig.link.idle());
    EXPECT_FALSE(rig.link.moves_unmarked(0, false));
    request.write(packet);
    edge();
    request.write({});
    unsigned edges = 0;
    unsigned going = 0;  // edges of 24 bytes up and 84 down behind the one that loads them, which carries four, too
    for (; !completion.read().valid; edge(), ++edges) {
      ASSERT_FALSE(rig.link.idle()) << edges;
      going += rig.link.moves_unmarked(0, false);
    }
    EXPECT_EQ(going, 24 / 4 - 1 + 84 / 4 - 1u);
    EXPECT_FALSE(rig.link.idle()) << "the completion is being shown";
    EXPECT_GT(edges, 2 * 10u);
    edge();
    EXPECT_TRUE(rig.link.idle());
  }
}

TEST_F(HostLinkTest, BusyClientsTakeTurns) {
  HostLinkRig rig(with_latency(64, 0));
  rig.source.packets.assign(40, rig.write(0, 32));
  LinkPacket packet = rig.write(4096, 32);
  packet.client = LinkClient::kPort;
  rig.port_packet.write(packet);
  std::vector<LinkClient> order;
  for (unsigned edge = 0; edge < 60; ++edge) {
    sc_core::sc_start(2, sc_core::SC_NS);
    if (rig.link.counters().packets_up > order.size()) order.push_back(rig.link.going_up().client);
  }
  ASSERT_GT(order.size(), 30u);
  for (std::size_t i = 4; i < order.size(); ++i) EXPECT_NE(order[i], order[i - 1]) << i;
}

TEST_F(HostLinkTest, AResetLeavesNothing) {
  HostLinkRig rig(with_latency(4, 10));
  const testing::ResetCheck check({&rig.link});
  rig.run({rig.read(50, 100)});
  check.expect_fresh();
}

TEST_F(HostLinkTest, TheLatencyCostsNoRate) {
  HostLinkRig rig(with_latency(4, 150));
  std::vector<LinkPacket> packets;
  for (unsigned i = 0; i < 60; ++i) packets.push_back(rig.read(i * 128 % 8192, 128));
  const Cycle cycles = rig.run(packets);
  EXPECT_EQ(rig.source.completions.size(), 120u);
  EXPECT_NEAR(static_cast<double>(cycles), 24 / 4 + 2 * 150 + 120 * 84 / 4, 12);
}

TEST_F(HostLinkTest, ARateThatIsNoMultipleOfTheClockIsKept) {
  Config config = with_latency(4, 0);
  config.host.link_mb_per_s = 1733;
  HostLinkRig rig(config);
  const Cycle cycles = rig.run(std::vector<LinkPacket>(50, rig.write(0, 128)));
  EXPECT_NEAR(static_cast<double>(cycles), 50 * 152 * 500 / 1733.0, 8);
}

// The oracle adds the rate at each edge. What an edge has left over when a packet ends is for the next one.
TEST_F(HostLinkTest, EachEdgeCarriesItsShareAndLosesNothingBetweenPackets) {
  for (const unsigned rate : {1733u, 500u, 4000u, 20'000u, 65'536u}) {
    renew_context();
    Config config = with_latency(4, 0);
    config.host.link_mb_per_s = rate;
    HostLinkRig rig(config);
    std::vector<LinkPacket> packets;
    for (unsigned i = 0; i < 60; ++i) packets.push_back(rig.write(i, 1 + i * 37 % 128));
    rig.source.packets = packets;
    std::vector<Cycle> sent;
    for (unsigned edge = 0; edge < 30'000 && sent.size() < packets.size(); ++edge) {
      sc_core::sc_start(2, sc_core::SC_NS);
      if (rig.link.counters().packets_up > sent.size()) sent.push_back(rig.core.edge());
    }
    ASSERT_EQ(sent.size(), packets.size());
    const auto byte = static_cast<std::int64_t>(config.clock.core_mhz), cycle = static_cast<std::int64_t>(rate);
    std::int64_t credit = cycle;
    for (std::size_t i = 0; i + 1 < packets.size(); ++i) {
      std::int64_t owed = bytes_on_link(packets[i]) * byte - credit;
      Cycle edge = sent[i];
      do {
        ++edge;
        owed -= cycle;
      } while (owed > 0);
      // The next packet may not have been there at that edge. Then the credit is that of a whole edge.
      ASSERT_GE(sent[i + 1], edge) << rate << ", packet " << i;
      ASSERT_LE(sent[i + 1], std::max(edge, sent[i] + 2)) << rate << ", packet " << i;
      credit = sent[i + 1] == edge ? std::min(-owed, cycle) : cycle;
    }
  }
}

}  // namespace
}  // namespace g80
