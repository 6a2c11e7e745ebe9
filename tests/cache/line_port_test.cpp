// SPDX-License-Identifier: Apache-2.0
// The line port with a queue behind it that nobody reads: what it cannot send on it does not accept.
#include "hw/cache/line_port.h"

#include "tb/check/sleep_check.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

/// Offers requests with the addresses 0, 1, 2, ...
class Offerer final : public Clocked<NoRegs> {
 public:
  explicit Offerer(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_out<LineRequest> request_o{"request_o"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  std::uint32_t taken = 0;

 private:
  void next() override { taken += offered_ && ready_i.read(); }
  void drive() override {
    LineRequest request;
    request.valid = true;
    request.address = taken;
    request_o.write(request);
    offered_ = true;
  }
  bool offered_ = false;
};

using LinePortTest = testing::SystemCTest;

TEST_F(LinePortTest, AFullQueueStopsBothCachesAndLosesNothing) {
  for (const bool constants : {false, true}) {
    renew_context();
    Domain domain("domain", 0, 1000, 2, false);
    CrossingFifo<LineRequest> out("out", &domain, nullptr, 3, 1);
    CrossingFifo<LineReply> in("in", nullptr, &domain, 4, 1);
    Offerer offerer("offerer");
    LinePort port("port", 1, 0);
    Wire<LineRequest> request("request"), none("none");
    Wire<bool> ready("ready"), other_ready("other_ready"), yes("yes");
    Wire<LineReply> instruction_fill("instruction_fill"), constant_fill("constant_fill");
    offerer.request_o(request);
    offerer.ready_i(ready);
    port.instruction_i(constants ? none : request);
    port.instruction_ready_o(constants ? other_ready : ready);
    port.instruction_fill_o(instruction_fill);
    port.instruction_fill_ready_i(yes);
    port.constant_i(constants ? request : none);
    port.constant_ready_o(constants ? ready : other_ready);
    port.constant_fill_o(constant_fill);
    port.constant_fill_ready_i(yes);
    port.line_o(out);
    port.line_i(in);
    domain.add(offerer);
    domain.add(port);
    const auto run = [](unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); };
    run(60);
    EXPECT_FALSE(ready.read());
    EXPECT_EQ(offerer.taken, 3u + 2u) << "the queue behind it, and its own";
    for (std::uint32_t expected = 0; expected < 30; ++expected) {
      ASSERT_TRUE(out.available());
      EXPECT_EQ(out.front().address, expected);
      out.pop();
      run(4);
    }
  }
}

/// The port between wires that the test drives.
struct LinePortWires {
  Domain domain{"domain", 0, 1000, 2, false};
  CrossingFifo<LineRequest> out{"out", &domain, nullptr, 3, 1};
  CrossingFifo<LineReply> in{"in", nullptr, &domain, 4, 1};
  LinePort port{"port", 5, 2};
  Wire<LineRequest> instruction{"instruction"}, constant{"constant"};
  Wire<bool> instruction_ready{"instruction_ready"}, constant_ready{"constant_ready"};
  Wire<LineReply> instruction_fill{"instruction_fill"}, constant_fill{"constant_fill"};
  Wire<bool> instruction_fill_ready{"instruction_fill_ready"}, constant_fill_ready{"constant_fill_ready"};

  LinePortWires() {
    port.instruction_i(instruction);
    port.instruction_ready_o(instruction_ready);
    port.instruction_fill_o(instruction_fill);
    port.instruction_fill_ready_i(instruction_fill_ready);
    port.constant_i(constant);
    port.constant_ready_o(constant_ready);
    port.constant_fill_o(constant_fill);
    port.constant_fill_ready_i(constant_fill_ready);
    port.line_o(out);
    port.line_i(in);
    domain.add(port);
  }
  /// To a moment between two edges.
  static void begin() { sc_core::sc_start(sc_core::sc_time(5500, sc_core::SC_PS)); }
  static void run(unsigned edges) { sc_core::sc_start(sc_core::sc_time(edges, sc_core::SC_NS)); }
  static LineRequest request_of(MemClient client, std::uint32_t address) {
    LineRequest request;
    request.valid = true;
    request.client = client;
    request.address = address;
    return request;
  }
  static LineReply line_for(MemClient client, std::uint8_t id) {
    LineReply line;
    line.valid = true;
    line.client = client;
    line.id = id;
    line.data[15] = 0x5000u + id;
    return line;
  }
};

TEST_F(LinePortTest, CachesThatBothMissTakeTurnsAndEachMissSaysWhoseItIs) {
  LinePortWires bench;
  bench.begin();
  bench.instruction.write(LinePortWires::request_of(MemClient::kInstruction, 0x40));
  bench.constant.write(LinePortWires::request_of(MemClient::kConstant, 0x80));
  std::vector<MemClient> order;
  for (unsigned edge = 0; edge < 40; ++edge) {
    bench.run(1);
    if (!bench.out.available()) continue;
    const LineRequest& line = bench.out.front();
    EXPECT_EQ(line.tpc, 5);
    EXPECT_EQ(line.sm_in_tpc, 2);
    EXPECT_EQ(line.address, line.client == MemClient::kInstruction ? 0x40u : 0x80u);
    order.push_back(line.client);
    bench.out.pop();
  }
  ASSERT_GE(order.size(), 30u) << "one an edge";
  for (std::size_t i = 8; i < order.size(); ++i) EXPECT_NE(order[i], order[i - 1]) << i;
}

TEST_F(LinePortTest, WhatWaitsForRoomGoesAlthoughNothingNewComes) {
  for (const MemClient client : {MemClient::kInstruction, MemClient::kConstant}) {
    renew_context();
    LinePortWires bench;
    bench.begin();
    Wire<LineRequest>& request = client == MemClient::kInstruction ? bench.instruction : bench.constant;
    request.write(LinePortWires::request_of(client, 0x40));
    bench.run(12);
    request.write({});
    bench.run(12);
    unsigned lines = 0;
    for (unsigned edge = 0; edge < 40; ++edge, bench.run(1)) {
      if (!bench.out.available()) continue;
      ++lines;
      bench.out.pop();
    }
    EXPECT_EQ(lines, 3u + 2u);
  }
}

TEST_F(LinePortTest, ALineIsOnTheWireOfItsCacheAtTheNextEdgeUntilItIsTaken) {
  LinePortWires bench;
  bench.begin();
  for (const MemClient client : {MemClient::kInstruction, MemClient::kConstant}) {
    const bool instruction = client == MemClient::kInstruction;
    Wire<LineReply>& own = instruction ? bench.instruction_fill : bench.constant_fill;
    Wire<LineReply>& other = instruction ? bench.constant_fill : bench.instruction_fill;
    Wire<bool>& ready = instruction ? bench.instruction_fill_ready : bench.constant_fill_ready;
    bench.in.push(LinePortWires::line_for(client, 7));
    bench.in.push(LinePortWires::line_for(client, 8));
    bench.run(1);
    EXPECT_EQ(own.read(), LinePortWires::line_for(client, 7));
    bench.run(5);
    EXPECT_EQ(own.read(), LinePortWires::line_for(client, 7)) << "held until it is taken";
    ready.write(true);
    bench.run(1);
    EXPECT_EQ(own.read(), LinePortWires::line_for(client, 8)) << "the next one follows at once";
    bench.run(1);
    EXPECT_FALSE(own.read().valid);
    EXPECT_FALSE(other.read().valid);
    ready.write(false);
    bench.run(2);
  }
}

TEST_F(LinePortTest, WithoutTrafficItSleepsAndNoWakeUpIsLost) {
  LinePortWires bench;
  testing::StepCount steps({&bench.port});
  bench.begin();
  bench.run(4);
  steps.restart();
  bench.run(200);
  steps.expect_none("without traffic");
  bench.in.push(LinePortWires::line_for(MemClient::kConstant, 1));
  bench.constant_fill_ready.write(true);
  bench.run(200);
  steps.expect_at_most(4, "hands on one line");
}

// Requests that come alone and together, so that either queue is the one that is left; room and lines now and then.
TEST_F(LinePortTest, RandomTrafficGoesThroughAndNoWakeUpIsLost) {
  const unsigned seed = random_seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  LinePortWires bench;
  const SleepCheck check({&bench.domain});
  bench.begin();
  std::uint32_t offered[2] = {}, gone[2] = {};
  std::uint8_t pushed[2] = {}, filled[2] = {};
  Wire<LineRequest>* const request[] = {&bench.instruction, &bench.constant};
  const Wire<bool>* const ready[] = {&bench.instruction_ready, &bench.constant_ready};
  const Wire<LineReply>* const fill[] = {&bench.instruction_fill, &bench.constant_fill};
  Wire<bool>* const fill_ready[] = {&bench.instruction_fill_ready, &bench.constant_fill_ready};
  const MemClient clients[] = {MemClient::kInstruction, MemClient::kConstant};
  for (unsigned edge = 0; edge < 20'000; ++edge) {
    const bool draining = edge > 19'000;
    for (unsigned c = 0; c < 2; ++c) {
      if (!request[c]->read().valid && !draining && random() % 6 == 0)
        request[c]->write(LinePortWires::request_of(clients[c], 64 * ++offered[c]));
      fill_ready[c]->write(draining || random() % 3 == 0);
    }
    if (const unsigned c = random() % 2; !draining && random() % 6 == 0 && bench.in.can_push())
      bench.in.push(LinePortWires::line_for(clients[c], ++pushed[c]));
    bool taken[2];
    for (unsigned c = 0; c < 2; ++c) {
      taken[c] = request[c]->read().valid && ready[c]->read();
      if (!fill[c]->read().valid || !fill_ready[c]->read()) continue;
      ASSERT_EQ(fill[c]->read(), LinePortWires::line_for(clients[c], ++filled[c]));
    }
    bench.run(1);
    for (unsigned c = 0; c < 2; ++c) {
      if (taken[c]) request[c]->write({});
    }
    if (!bench.out.available() || (!draining && random() % 4 == 0)) continue;
    const LineRequest line = bench.out.front();
    const unsigned c = line.client == MemClient::kConstant ? 1 : 0;
    ASSERT_EQ(line.address, 64 * ++gone[c]);
    bench.out.pop();
  }
  for (unsigned c = 0; c < 2; ++c) {
    EXPECT_EQ(gone[c], offered[c]);
    EXPECT_EQ(filled[c], pushed[c]);
  }
  EXPECT_GT(check.probes(), 1000u);
}

TEST_F(LinePortTest, AResetInTheMiddleLeavesNothing) {
  LinePortWires bench;
  const testing::ResetCheck check({&bench.port});
  bench.begin();
  bench.instruction.write(LinePortWires::request_of(MemClient::kInstruction, 0x40));
  bench.constant.write(LinePortWires::request_of(MemClient::kConstant, 0x80));
  bench.in.push(LinePortWires::line_for(MemClient::kConstant, 1));
  bench.in.push(LinePortWires::line_for(MemClient::kInstruction, 1));
  bench.run(20);
  EXPECT_FALSE(bench.instruction_ready.read() || bench.constant_ready.read());
  check.expect_fresh();
}

}  // namespace
}  // namespace g80
