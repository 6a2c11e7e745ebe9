// SPDX-License-Identifier: Apache-2.0
// Copies of every size and alignment arrive whole, and touch nothing else.
#include "hw/host/copy_engine.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "hw/bundles/page_table.h"
#include "hw/common/field_values.h"
#include "hw/host/host_link.h"
#include "tb/check/sleep_check.h"
#include "tb/driver/memory_layout.h"
#include "tb/golden/block_linear.h"
#include "tb/machine/random_state.h"
#include "tests/support/memory_stub.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

/// A link without distance that carries so many bytes in a cycle.
Config with_link(unsigned bytes_per_cycle, unsigned reads = 64) {
  Config config = load_config("8600gts");
  config.host.link_mb_per_s = bytes_per_cycle * static_cast<unsigned>(config.clock.core_mhz);
  config.host.link_latency_ns = 0;
  config.host.copy_reads = reads;
  return config;
}

struct CopyEngineRig {
  explicit CopyEngineRig(const Config& config, unsigned seed, bool stalls = true, bool checked = true)
      : core("core", 1, config.clock.core_mhz, 2, false),
        engine("engine", config),
        link("link", config),
        memory("memory", 1 << 16, seed, stalls),
        orders("orders", nullptr, &core, 4, 2),
        events("events", &core, nullptr, 4, 2) {
    engine.order_i(orders);
    engine.event_o(events);
    engine.packet_o(packet);
    engine.packet_ready_i(packet_ready);
    engine.completion_i(completion);
    engine.sent_i(sent);
    link.packet_i[0](packet);
    link.packet_ready_o[0](packet_ready);
    link.packet_i[1](no_packet);
    link.packet_ready_o[1](no_packet_ready);
    link.completion_o[0](completion);
    link.completion_o[1](no_completion);
    link.sent_o[0](sent);
    link.sent_o[1](nothing_sent);
    link.host_memory(host);
    engine.request_o(request);
    engine.request_ready_i(ready);
    engine.reply_i(reply);
    engine.hold_i(hold);
    engine.idle_o(idle);
    engine.page_directory_o(page_directory);
    engine.tlb_flush_orders_o(tlb_flush_orders);
    memory.request_i(request);
    memory.request_ready_o(ready);
    memory.reply_o(reply);
    core.add(engine);
    core.add(link);
    core.add(memory);
    if (checked) sleep_check.emplace(std::vector<Domain*>{&core});
    sc_core::sc_start(100, sc_core::SC_NS);
  }
  /// Runs one order to its event; returns the cycles it took.
  Cycle run(const CopyOrder& order) {
    orders.push(order);
    const Cycle start = core.edge();
    for (int i = 0; i < 1'000'000 && !events.available(); ++i) sc_core::sc_start(10, sc_core::SC_NS);
    EXPECT_TRUE(events.available());
    if (!events.available()) return 0;
    EXPECT_EQ(events.front().kind, HostEventKind::kCopyDone);
    EXPECT_EQ(events.front().value, order.id);
    events.pop();
    sc_core::sc_start(100, sc_core::SC_NS);
    return core.edge() - start;
  }

  Domain core;
  CopyEngine engine;
  HostLink link;
  testing::MemoryStub memory;
  HostMemory host{"host"};
  CrossingFifo<CopyOrder> orders;
  CrossingFifo<HostEvent> events;
  Wire<MemRequest> request{"request"};
  Wire<MemReply> reply{"reply"};
  Wire<LinkPacket> packet{"packet"}, completion{"completion"}, no_packet{"no_packet"}, no_completion{"no_completion"};
  Wire<bool> packet_ready{"packet_ready"}, sent{"sent"}, no_packet_ready{"no_packet_ready"},
      nothing_sent{"nothing_sent"};
  Wire<bool> ready{"ready"}, hold{"hold"}, idle{"idle"};
  Wire<std::uint32_t> page_directory{"page_directory"}, tlb_flush_orders{"tlb_flush_orders"};
  RandomState random_state{{&core}, 7, false};  // what holds nothing holds any bits
  std::optional<SleepCheck> sleep_check;        // of every test that does not count steps
};

using CopyEngineTest = testing::SystemCTest;

TEST_F(CopyEngineTest, PiecesLieInOneAlignedBlockAndCoverTheCopy) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const auto address = static_cast<std::uint32_t>(random() % 4096),
               bytes = static_cast<std::uint32_t>(1 + random() % 400);
    const CopyPiece piece = first_piece(address, bytes);
    ASSERT_TRUE(piece.bytes == 32 || piece.bytes == 64 || piece.bytes == 128);
    ASSERT_EQ(piece.address % piece.bytes, 0u);
    ASSERT_EQ(piece.address + piece.first, address);
    ASSERT_GE(piece.count, 1u);
    ASSERT_LE(piece.first + piece.count, piece.bytes);
    // Nothing smaller would do, and the piece ends only where the copy or the 128-byte block does.
    if (piece.bytes > 32) {
      ASSERT_NE(address / (piece.bytes / 2), (address + piece.count - 1) / (piece.bytes / 2));
    }
    ASSERT_TRUE(piece.count == bytes || (address + piece.count) % 128 == 0);
  }
}

TEST_F(CopyEngineTest, OddSizesAndAlignmentsMakeTheRoundTrip) {
  const unsigned seed = 17;
  std::mt19937 random(seed);
  CopyEngineRig rig(load_config("8600gts"), seed);
  for (auto& byte : rig.memory.memory) byte = static_cast<std::uint8_t>(random());
  std::vector<std::uint8_t> shadow = rig.memory.memory;
  for (std::uint32_t i = 0; i < 120; ++i) {
    const auto bytes = static_cast<std::uint32_t>(1 + random() % (i % 10 == 0 ? 5000 : 300));
    const auto address = static_cast<std::uint32_t>(random() % (shadow.size() - bytes));
    std::vector<std::uint8_t> data(bytes + random() % 7), back(bytes);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
    rig.run({CopyOp::kToDevice, address, bytes, rig.host.pin(data.data(), data.size()), 0, i});
    std::copy_n(data.begin(), bytes, shadow.begin() + address);
    ASSERT_EQ(rig.memory.memory, shadow) << "seed " << seed << ", copy " << i << ": " << bytes << " bytes at "
                                         << address;
    rig.run({CopyOp::kFromDevice, address, bytes, rig.host.pin(back.data(), back.size()), 0, i});
    ASSERT_TRUE(std::equal(back.begin(), back.end(), data.begin()));
  }
  const CopyEngine::Counters& counted = rig.engine.counters();
  EXPECT_EQ(counted.bytes_to_device, counted.bytes_from_device);
  rig.run({CopyOp::kFill, 64, 100, 0, 1, 120});
  CopyOrder on_device{CopyOp::kOnDevice, 1024, 200, 0, 0, 121};
  rig.run(on_device);
  EXPECT_EQ(counted.bytes(), 2 * counted.bytes_to_device + 100 + 200);
}

TEST_F(CopyEngineTest, HostMemoryIsReachedWhereItIsPinnedAndAsItWasPinned) {
  HostMemory host("other_host");
  std::vector<std::uint8_t> own = {1, 2, 3, 4}, other(5000);
  const std::vector<std::uint8_t>& constant = own;
  const std::uint64_t first = host.pin(constant.data(), 4), second = host.pin(other.data(), other.size());
  EXPECT_GE(second, first + 4);
  std::uint8_t bytes[4] = {};
  host.read(first, bytes, 4);
  EXPECT_EQ(bytes[3], 4);
  host.write(second + 4996, bytes, 4);
  EXPECT_EQ(other[4999], 4);
  EXPECT_THROW(host.write(first, bytes, 4), ModelError);
  EXPECT_THROW(host.read(first + 1, bytes, 4), ModelError);
  EXPECT_THROW(host.read(second - 2, bytes, 4), ModelError);
  EXPECT_THROW(host.read(second + 4997, bytes, 4), ModelError);
  host.unpin(second);
  EXPECT_THROW(host.read(second, bytes, 4), ModelError);
  host.unpin(first);
  EXPECT_EQ(host.pin(other.data(), other.size()), first) << "equal orders have equal addresses";
  const std::uint64_t small = host.pin(own.data(), own.size());
  EXPECT_GT(small, first);
  host.unpin(first);
  std::vector<std::uint8_t> large(10000);
  EXPECT_GT(host.pin(large.data(), large.size()), small) << "the 8192 bytes before it are too few";
  EXPECT_EQ(host.pin(own.data(), own.size()), first) << "the first gap that is large enough";
  const std::uint64_t page = host.pin_pages(large.data(), 1), next = host.pin_pages(large.data(), 1);
  host.unpin(page);
  EXPECT_LT(page, next);
  EXPECT_EQ(host.pin_pages(large.data(), page_table::kPageBytes), page) << "a gap of just that size";
}

TEST_F(CopyEngineTest, BehindHostMemoryInPagesReadsAreOnesAndWritesAreLost) {
  HostMemory host("other_host");
  std::vector<std::uint8_t> own = {1, 2, 3, 4, 5, 6};
  const std::uint64_t at = host.pin_pages(own.data(), 5);
  EXPECT_EQ(at % page_table::kPageBytes, 0u);
  std::array<std::uint8_t, 4> bytes{};
  host.read(at + 3, bytes.data(), 4);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 4>{4, 5, 0xff, 0xff}));
  host.write(at + 4, bytes.data(), 4);
  EXPECT_EQ(own, (std::vector<std::uint8_t>{1, 2, 3, 4, 4, 6}));
  host.write(at + page_table::kPageBytes - 4, bytes.data(), 4);
  host.read(at + page_table::kPageBytes - 4, bytes.data(), 4);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 4>{0xff, 0xff, 0xff, 0xff}));
  EXPECT_THROW(host.read(at + page_table::kPageBytes - 3, bytes.data(), 4), ModelError);
  EXPECT_EQ(host.pin_pages(own.data(), 5), at + page_table::kPageBytes) << "the next page";
}

TEST_F(CopyEngineTest, AFillRepeatsItsWordByAddress) {
  CopyEngineRig rig(load_config("8600gts"), 1);
  rig.run({CopyOp::kFill, 1021, 262, 0, 0x44332211, 5});
  for (unsigned i = 0; i < 2048; ++i) {
    const bool inside = i >= 1021 && i < 1021 + 262;
    ASSERT_EQ(rig.memory.memory[i], inside ? 0x11 * (1 + i % 4) : 0u) << i;
  }
}

TEST_F(CopyEngineTest, NoRequestLeavesWhileTheCommandProcessorHoldsIt) {
  CopyEngineRig rig(load_config("8600gts"), 1);
  const auto fill = [&rig](std::uint32_t word, bool held) {
    const std::uint64_t before = rig.engine.counters().transactions;
    rig.orders.push({CopyOp::kFill, 0, 32 * 128, 0, word, 5});
    sc_core::sc_start(30, sc_core::SC_NS);  // about 20 of the 32 transactions
    std::uint64_t held_at = 0;
    if (held) {
      rig.hold.write(true);
      sc_core::sc_start(10, sc_core::SC_NS);
      held_at = rig.engine.counters().transactions - before;
      EXPECT_GT(held_at, 0u);
      sc_core::sc_start(500, sc_core::SC_NS);
      EXPECT_EQ(rig.engine.counters().transactions - before, held_at);
      EXPECT_TRUE(rig.memory.idle()) << "what had left is performed";
      EXPECT_FALSE(rig.idle.read());
      EXPECT_FALSE(rig.events.available());
      rig.hold.write(false);
    }
    sc_core::sc_start(1000, sc_core::SC_NS);
    EXPECT_EQ(rig.engine.counters().transactions - before, 32u);
    EXPECT_TRUE(rig.events.available());
    EXPECT_GT(rig.events.front().time, 0u);
    rig.events.pop();
    for (unsigned i = 0; i < 32 * 128; ++i) EXPECT_EQ(rig.memory.memory[i], word & 0xff) << i;
  };
  fill(0x11111111, false);
  fill(0x22222222, true);
}

TEST_F(CopyEngineTest, AFillOfLinesLeavesTheGapsAlone) {
  CopyEngineRig rig(load_config("8600gts"), 1);
  CopyOrder order{CopyOp::kFill, 1021, 130, 0, 0x44332211, 5};
  order.lines = 7;
  order.pitch = 201;
  rig.run(order);
  for (unsigned i = 0; i < 4096; ++i) {
    const bool inside = i >= 1021 && (i - 1021) / 201 < 7 && (i - 1021) % 201 < 130;
    ASSERT_EQ(rig.memory.memory[i], inside ? 0x11 * (1 + i % 4) : 0u) << i;
  }
}

TEST_F(CopyEngineTest, AFillOfLinesOfOnePieceWritesEachOnce) {
  CopyEngineRig rig(load_config("8600gts"), 1, false);
  CopyOrder order{CopyOp::kFill, 0, 64, 0, 0x44332211, 5};
  order.lines = 20;
  order.pitch = 128;
  rig.run(order);
  EXPECT_EQ(rig.engine.counters().transactions, 20u);
  EXPECT_EQ(rig.memory.seen.size(), 20u);
}

TEST_F(CopyEngineTest, CopiesOnTheDeviceOfAnyShapeArriveWhole) {
  const unsigned seed = random_seed();
  std::mt19937 random(seed);
  CopyEngineRig rig(load_config("8600gts"), seed);
  for (auto& byte : rig.memory.memory) byte = static_cast<std::uint8_t>(random());
  std::vector<std::uint8_t> shadow = rig.memory.memory;
  const auto half = static_cast<std::uint32_t>(shadow.size() / 2);  // from one half to the other
  std::uint64_t moved = 0;
  for (std::uint32_t i = 0; i < 150; ++i) {
    CopyOrder order;
    order.op = CopyOp::kOnDevice;
    order.id = i;
    order.lines = 1 + random() % (i % 3 == 0 ? 1 : 12);
    order.bytes = 1 + random() % (i % 10 == 0 ? 2000 : 300);
    order.pitch = order.bytes + random() % 400;
    order.source_pitch = order.bytes + random() % 400;
    order.source_address = random() % (half - order.lines * order.source_pitch);
    order.device_address = random() % (half - order.lines * order.pitch);
    (random() % 2 == 0 ? order.source_address : order.device_address) += half;
    rig.run(order);
    for (std::uint32_t line = 0; line < order.lines; ++line) {
      std::copy_n(shadow.begin() + order.source_address + line * order.source_pitch, order.bytes,
                  shadow.begin() + order.device_address + line * order.pitch);
    }
    moved += std::uint64_t{order.lines} * order.bytes;
    ASSERT_EQ(rig.memory.memory, shadow) << "seed " << seed << ", copy " << i;
    ASSERT_TRUE(rig.idle.read());
  }
  EXPECT_EQ(rig.engine.counters().bytes_on_device, moved);
  EXPECT_EQ(rig.engine.counters().bytes(), moved);
  for (const MemRequest& request : rig.memory.seen) {  // a read carries nothing of the write before it
    if (request.op != MemOp::kRead) continue;
    ASSERT_EQ(request.byte_enable, (MemRequest{}.byte_enable));
    ASSERT_EQ(request.data, (MemRequest{}.data));
  }
}

/// The place of a byte is that of the reference.
TEST_F(CopyEngineTest, CopiesConvertBetweenLinesAndBlocks) {
  const unsigned seed = random_seed();
  std::mt19937 generator(seed);
  const auto below = [&generator](std::uint32_t n) { return static_cast<std::uint32_t>(generator() % n); };
  CopyEngineRig rig(load_config("8600gts"), seed);
  for (auto& byte : rig.memory.memory) byte = static_cast<std::uint8_t>(below(256));
  std::vector<std::uint8_t> shadow = rig.memory.memory;
  constexpr std::uint32_t kHalf = 1 << 15;
  for (std::uint32_t i = 0; i < 300; ++i) {
    CopyOrder order;
    order.op = std::array{CopyOp::kToDevice, CopyOp::kFromDevice, CopyOp::kOnDevice}[below(3)];
    order.id = i;
    order.lines = 1 + below(30);
    order.bytes = 1 + below(200);
    const bool on_device = order.op == CopyOp::kOnDevice;
    // What lies where the copy's byte x of line y does, on the side that begins at `address`
    using Place = std::function<std::uint32_t(std::uint32_t x, std::uint32_t y)>;
    const auto side = [&](CopySurface& surface, std::uint32_t& address, std::uint32_t& pitch, bool blocks) -> Place {
      if (!blocks) {
        pitch = order.bytes + below(400);
        address += below(kHalf - order.lines * pitch);
        return [=](std::uint32_t x, std::uint32_t y) { return address + y * pitch + x; };
      }
      SurfaceShape shape;
      do {
        shape = {order.bytes + below(150), order.lines + below(20), 1 + below(5), {}};
        shape.block = {static_cast<std::uint8_t>(below(4)), static_cast<std::uint8_t>(below(4))};
      } while (shape.bytes() > kHalf);
      surface = {true, shape.block, shape.width, shape.height, 0, 0, below(shape.depth)};
      surface.x = below(shape.width - order.bytes + 1);
      surface.y = below(shape.height - order.lines + 1);
      return [=](std::uint32_t x, std::uint32_t y) {
        const golden::BlockLinearSurface of{shape.width, shape.height, 1u << shape.block.height,
                                            1u << shape.block.depth};
        const std::uint64_t offset = of.offset(surface.x + x, surface.y + y, surface.z);
        EXPECT_LT(offset, shape.bytes());
        return static_cast<std::uint32_t>(address + offset);
      };
    };
    order.device_address = below(2) * kHalf;
    order.source_address = order.device_address ^ kHalf;
    const unsigned blocks = on_device ? 1 + below(3) : 1 + below(2);  // bit 0: of the target, bit 1: of the source
    const Place target = side(order.surface, order.device_address, order.pitch, (blocks & 1) != 0);
    const Place source =
        on_device ? side(order.source_surface, order.source_address, order.source_pitch, (blocks & 2) != 0) : target;
    order.host_pitch = order.bytes + below(50);
    std::vector<std::uint8_t> data((order.lines - 1) * order.host_pitch + order.bytes);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(below(256));
    std::vector<std::uint8_t> expected = data;
    order.host_address = rig.host.pin(data.data(), data.size());
    rig.run(order);
    rig.host.unpin(order.host_address);
    const std::vector<std::uint8_t> before = shadow;
    for (std::uint32_t y = 0; y < order.lines; ++y) {
      for (std::uint32_t x = 0; x < order.bytes; ++x) {
        std::uint8_t& on_host = expected[y * order.host_pitch + x];
        if (on_device) shadow[target(x, y)] = before[source(x, y)];
        if (order.op == CopyOp::kToDevice) shadow[target(x, y)] = on_host;
        if (order.op == CopyOp::kFromDevice) on_host = before[target(x, y)];
      }
    }
    ASSERT_EQ(rig.memory.memory, shadow) << "seed " << seed << ", copy " << i;
    ASSERT_EQ(data, expected) << "seed " << seed << ", copy " << i;
    ASSERT_TRUE(rig.idle.read());
  }
}

TEST_F(CopyEngineTest, ALineOfAGobIsOneTransaction) {
  CopyEngineRig rig(load_config("8600gts"), 1, false);
  CopyOrder order{CopyOp::kOnDevice, 0x8000, 256, 0, 0, 0, 8, 256, 0, 256};
  order.surface = {true, {1, 0}, 256, 8, 0, 0, 0};
  rig.run(order);
  EXPECT_EQ(rig.engine.counters().transactions, 2u * 8 * 4);
}

TEST_F(CopyEngineTest, ACopyOnTheDeviceNeedsOneRequestACycleAndNoLink) {
  CopyEngineRig rig(with_link(1), 1, false);
  rig.memory.latest = 20;
  CopyOrder order{CopyOp::kOnDevice, 0x8000, 128 * 200};
  const Cycle aligned = rig.run(order);
  EXPECT_EQ(rig.engine.counters().transactions, 2u * 200);
  EXPECT_GE(aligned, 2u * 200);
  EXPECT_LE(aligned, 2u * 200 + 80);
  order.source_address = 64;
  order.bytes -= 64;
  const Cycle shifted = rig.run(order);
  EXPECT_EQ(rig.engine.counters().transactions, 2u * 200 + 2u * 399) << "a piece lies in one block on both sides";
  EXPECT_GE(shifted, 2u * 399);
}

// What has its bytes waits in a register in front of the output, and its buffer is free for the next read.
TEST_F(CopyEngineTest, ABufferIsFreeBeforeItsWriteLeaves) {
  CopyEngineRig rig(load_config("8600gts", {"host.copy_reads=1"}), 1, false);
  rig.memory.latest = 1;
  unsigned reads_beside_a_write = 0, rotated_at_once = 0;
  bool loaded = false;
  rig.orders.push({CopyOp::kOnDevice, 0x8000, 128 * 20});
  for (unsigned i = 0; i < 400; ++i) {
    sc_core::sc_start(1e3 / rig.core.mhz(), sc_core::SC_NS);
    FieldValues fields(true);
    rig.engine.trace_fields(fields);
    const auto row = std::find(fields.names.begin(), fields.names.end(), "row.valid");
    ASSERT_NE(row, fields.names.end());
    const bool holds = fields.values[static_cast<std::size_t>(row - fields.names.begin())] != 0;
    const MemRequest& request = rig.request.read();
    reads_beside_a_write += holds && request.valid && request.op == MemOp::kRead ? 1 : 0;
    rotated_at_once += holds && !loaded && request.valid && request.op == MemOp::kWrite ? 1 : 0;
    loaded = holds;
  }
  EXPECT_TRUE(rig.events.available());
  EXPECT_GE(reads_beside_a_write, 19u);
  EXPECT_EQ(rotated_at_once, 0u) << "a row and its write at one edge";
}

TEST_F(CopyEngineTest, TheBuffersLimitACopyOnTheDevice) {
  const auto cycles = [&](const char* reads) {
    CopyEngineRig rig(load_config("8600gts", {reads}), 1, false);
    rig.memory.latest = 200;
    return rig.run({CopyOp::kOnDevice, 0x8000, 128 * 100});
  };
  EXPECT_GT(cycles("host.copy_reads=2"), 100u * 100 / 2);
}

TEST_F(CopyEngineTest, TheLinkLimitsTheRateOfEachDirectionByItsPackets) {
  const Config config = with_link(6);
  CopyEngineRig rig(config, 1, false);
  std::vector<std::uint8_t> data(12800);
  const std::uint64_t host = rig.host.pin(data.data(), data.size());
  // 200 completions of 64 bytes with 20 bytes each of header and framing
  const Cycle down = rig.run({CopyOp::kToDevice, 0, 12800, host, 0, 0});
  EXPECT_EQ(rig.link.counters().bytes_up, 100u * 24);
  EXPECT_EQ(rig.link.counters().bytes_down, 200u * 84);
  EXPECT_GE(down, 200u * 84 / 6);
  EXPECT_LE(down, 200u * 84 / 6 + 200);
  // 100 writes of 128 bytes with 24
  const Cycle up = rig.run({CopyOp::kFromDevice, 0, 12800, host, 0, 0});
  EXPECT_EQ(rig.link.counters().bytes_up, 100u * 24 + 100 * 152);
  EXPECT_EQ(rig.link.counters().bytes_down, 200u * 84);
  EXPECT_GE(up, 100u * 152 / 6);
  EXPECT_LE(up, 100u * 152 / 6 + 200);
}

TEST_F(CopyEngineTest, NoPacketCrossesAPageOfTheHost) {
  CopyEngineRig rig(load_config("8600gts"), 1, false);
  std::vector<std::uint8_t> data(8192);
  const std::uint64_t host = rig.host.pin(data.data(), data.size());
  rig.run({CopyOp::kToDevice, 0, 128, host + 4096 - 20, 0, 0});
  EXPECT_EQ(rig.link.counters().packets_up, 2u);
  rig.run({CopyOp::kFromDevice, 0, 128, host + 4096 - 20, 0, 0});
  EXPECT_EQ(rig.link.counters().packets_up, 4u);
}

TEST_F(CopyEngineTest, ReadsInFlightAreLimited) {
  CopyEngineRig rig(with_link(64, 2), 1, false);
  rig.memory.latest = 1;
  std::vector<std::uint8_t> data(4096);
  const Cycle fast = rig.run({CopyOp::kFromDevice, 0, 4096, rig.host.pin(data.data(), data.size()), 0, 0});
  rig.memory.latest = 200;
  const Cycle slow = rig.run({CopyOp::kFromDevice, 0, 4096, rig.host.pin(data.data(), data.size()), 0, 0});
  EXPECT_GT(slow, 4 * fast);
}

TEST_F(CopyEngineTest, TransactionsBehindTheMemoryAreCountedAsFaults) {
  CopyEngineRig rig(load_config("8600gts"), 1);
  std::vector<std::uint8_t> data(256);
  rig.run({CopyOp::kFromDevice, (1 << 16) - 128, 256, rig.host.pin(data.data(), data.size()), 0, 0});
  EXPECT_EQ(rig.engine.counters().faults, 1u);
  rig.run({CopyOp::kToDevice, 1 << 16, 256, rig.host.pin(data.data(), data.size()), 0, 0});
  sc_core::sc_start(1000, sc_core::SC_NS);
  EXPECT_EQ(rig.engine.counters().faults, 3u);
}

TEST_F(CopyEngineTest, ANewPageDirectoryOrdersATlbFlush) {
  CopyEngineRig rig(load_config("8600gts"), 1);
  rig.run({CopyOp::kSetPageDirectory, 0x3000, 0, 0, 0, 0});
  EXPECT_EQ(rig.page_directory.read(), 0x3000u);
  EXPECT_EQ(rig.tlb_flush_orders.read(), 1u);
  EXPECT_TRUE(rig.memory.seen.empty());
}

TEST_F(CopyEngineTest, OrdersForPageDirectoriesEndOneAfterTheOther) {
  CopyEngineRig rig(load_config("8600gts"), 1, true, false);
  for (std::uint32_t id = 0; id < 4; ++id) rig.orders.push({CopyOp::kSetPageDirectory, 0x1000 * id, 0, 0, 0, id});
  sc_core::sc_start(1000, sc_core::SC_NS);
  EXPECT_EQ(rig.engine.counters().orders, 4u);
  EXPECT_EQ(rig.page_directory.read(), 0x3000u);
  EXPECT_EQ(rig.tlb_flush_orders.read(), 4u);
}

TEST_F(CopyEngineTest, ALinkThatRestedIsNotFasterAndAFillDoesNotUseIt) {
  const Config config = with_link(2);
  CopyEngineRig rig(config, 1, false);
  std::vector<std::uint8_t> data(1280);
  const std::uint64_t host = rig.host.pin(data.data(), data.size());
  const Cycle first = rig.run({CopyOp::kToDevice, 0, 1280, host, 0, 0});
  sc_core::sc_start(50'000, sc_core::SC_NS);
  const Cycle second = rig.run({CopyOp::kToDevice, 0, 1280, host, 0, 1});
  EXPECT_NEAR(static_cast<double>(second), static_cast<double>(first), 10);
  // A request of 24 bytes up, 20 completions of 84 bytes down.
  EXPECT_NEAR(static_cast<double>(first), (24 + 20 * 84) / 2, 80);
  const Cycle fill = rig.run({CopyOp::kFill, 0, 12800, 0, 0x11223344, 2});
  EXPECT_LE(fill, 2 * 100 + 80u);
  EXPECT_EQ(rig.engine.counters().bytes_to_device, 2560u);
  EXPECT_EQ(rig.engine.counters().bytes_filled, 12800u);
  EXPECT_EQ(rig.engine.counters().bytes_from_device, 0u);
  EXPECT_EQ(rig.engine.counters().transactions, 10u + 10u + 100u);
  EXPECT_EQ(rig.engine.counters().orders, 3u);
}

TEST_F(CopyEngineTest, AsManyReadsAreInFlightAsTheKeySays) {
  for (const unsigned reads : {1u, 3u, 64u}) {
    renew_context();
    CopyEngineRig rig(with_link(64, reads), 1, false);
    rig.memory.latest = 300;
    std::vector<std::uint8_t> data(1 << 15);
    rig.orders.push({CopyOp::kFromDevice, 0, 1 << 15, rig.host.pin(data.data(), data.size()), 0, 0});
    int most = 0;
    for (int i = 0; i < 3000; ++i) {
      sc_core::sc_start(1, sc_core::SC_NS);
      most = std::max(most, __builtin_popcountll(rig.engine.registers().reads_pending));
    }
    EXPECT_EQ(most, static_cast<int>(reads));
  }
}

TEST_F(CopyEngineTest, ARequestIsAnAccessOfTheChipsPortToOnePiece) {
  const Config config = load_config("8600gts");
  CopyEngineRig rig(config, 1);
  std::vector<std::uint8_t> data(40);
  std::iota(data.begin(), data.end(), 1);
  rig.run({CopyOp::kToDevice, 0x1034, 40, rig.host.pin(data.data(), data.size()), 0, 0});
  rig.run({CopyOp::kFromDevice, 0x1034, 40, rig.host.pin(data.data(), data.size()), 0, 0});
  ASSERT_EQ(rig.memory.seen.size(), 2u);
  for (const MemRequest& request : rig.memory.seen) {
    EXPECT_EQ(request.client, MemClient::kCopy);
    EXPECT_EQ(request.port, config.gpu.num_tpcs);
    EXPECT_EQ(request.bytes, 128);  // 0x34 to 0x5c crosses the middle of 128 bytes
    EXPECT_EQ(request.address, 0x1000u);
    EXPECT_EQ(request.virtual_address, 0x1000u);
    EXPECT_EQ(request.origin.sm, kNoSm);
    EXPECT_NE(request.origin.tag.bits, 0u);
  }
  EXPECT_EQ(rig.memory.seen[0].op, MemOp::kWrite);
  EXPECT_EQ(rig.memory.seen[0].byte_enable[0], ~std::uint64_t{0} << 0x34);
  EXPECT_EQ(rig.memory.seen[0].byte_enable[1], (std::uint64_t{1} << (0x5c - 0x40)) - 1);
  EXPECT_EQ(rig.memory.seen[0].data[0x34 / 4], 0x04030201u);
  EXPECT_EQ(rig.memory.seen[1].op, MemOp::kRead);
}

TEST_F(CopyEngineTest, OrdersEndOneAfterTheOtherAndWaitForRoomToSaySo) {
  CopyEngineRig rig(load_config("8600gts"), 1);
  for (std::uint32_t id = 0; id < 4; ++id) rig.orders.push({CopyOp::kFill, 64 * id, 64, 0, id, id});
  sc_core::sc_start(1000, sc_core::SC_NS);
  rig.orders.push({CopyOp::kFill, 512, 64, 0, 4, 4});  // the queue of events is full
  rig.orders.push({CopyOp::kFill, 640, 64, 0, 5, 5});
  sc_core::sc_start(1000, sc_core::SC_NS);
  EXPECT_FALSE(rig.idle.read());
  EXPECT_EQ(rig.engine.counters().orders, 4u);
  for (std::uint32_t id = 0; id < 6; ++id) {
    ASSERT_TRUE(rig.events.available());
    EXPECT_EQ(rig.events.front().value, id);
    rig.events.pop();
    sc_core::sc_start(1000, sc_core::SC_NS);
  }
  EXPECT_TRUE(rig.idle.read());
}

TEST_F(CopyEngineTest, SleepsWithoutOrdersAndWhileItWaitsForLinkOrMemory) {
  CopyEngineRig rig(with_link(1, 1), 1, false, false);
  testing::StepCount steps({&rig.engine});
  sc_core::sc_start(1000, sc_core::SC_NS);
  steps.expect_none("without orders");
  std::vector<std::uint8_t> data(1280);
  const std::uint64_t host = rig.host.pin(data.data(), data.size());
  rig.run({CopyOp::kToDevice, 0, 1280, host, 0, 0});
  steps.expect_at_most(10 * 8 + 6, "sends ten transactions");
  rig.memory.latest = 3000;
  rig.run({CopyOp::kFromDevice, 0, 256, host, 0, 0});
  steps.expect_at_most(2 * 7 + 6, "waits for two reads");
  for (std::uint32_t id = 0; id < 3; ++id) rig.orders.push({CopyOp::kFromDevice, 0, 128, host, 0, id});
  sc_core::sc_start(20'000, sc_core::SC_NS);
  EXPECT_EQ(rig.engine.counters().orders, 2u + 3);
  steps.expect_at_most(3 * 10 + 6, "waits for a read while orders wait for it");
}

TEST_F(CopyEngineTest, AnOrderEndsWhenItsLastRequestIsTakenAndTheEngineIsBusyUntilTheNextOnesEnd) {
  CopyEngineRig rig(load_config("8600gts"), 3);
  for (unsigned round = 0; round < 30; ++round) {
    for (std::uint32_t id = 0; id < 3; ++id) rig.orders.push({CopyOp::kFill, 64 * id, 64, 0, id, id});
    bool begun = false;
    for (std::uint64_t ended = rig.engine.counters().orders, all = ended + 3; ended != all;) {
      sc_core::sc_start(1e3 / rig.core.mhz(), sc_core::SC_NS);
      begun |= !rig.idle.read();
      if (rig.engine.counters().orders == ended) {
        ASSERT_FALSE(begun && rig.idle.read());
        continue;
      }
      ++ended;
      ASSERT_FALSE(rig.request.read().valid);
      if (rig.events.available()) rig.events.pop();
    }
    while (rig.events.available() || !rig.idle.read()) {
      if (rig.events.available()) rig.events.pop();
      sc_core::sc_start(100, sc_core::SC_NS);
    }
  }
}

TEST_F(CopyEngineTest, OrdersOfAllKindsTakeTheStepsThatTheyNeed) {
  std::mt19937 generator(5);
  const auto below = [&generator](std::uint32_t n) { return static_cast<std::uint32_t>(generator() % n); };
  CopyEngineRig rig(with_link(3, 4), 5, false, false);
  testing::StepCount steps({&rig.engine, &rig.link});
  std::vector<std::uint8_t> data(4096);
  const std::uint64_t host = rig.host.pin(data.data(), data.size());
  for (std::uint32_t id = 0; id < 200 || rig.engine.counters().orders < 200;) {
    CopyOrder order{std::array{CopyOp::kToDevice, CopyOp::kFromDevice, CopyOp::kFill, CopyOp::kOnDevice,
                               CopyOp::kSetPageDirectory}[below(5)]};
    order.id = id;
    order.bytes = 1 + below(300);
    order.lines = 1 + below(4);
    order.pitch = order.source_pitch = order.host_pitch = order.bytes + below(100);
    order.device_address = below(1 << 14);
    order.source_address = 1 << 15 | below(1 << 14);
    order.host_address = host + below(1024);
    if (below(3) == 0) order.surface = {true, {1, 0}, 512, 16, below(100), below(8), 0};
    if (id < 200 && rig.orders.can_push()) rig.orders.push(order), ++id;
    rig.hold.write(below(4) == 0);
    sc_core::sc_start(below(2) == 0 ? 5.0 : below(2000), sc_core::SC_NS);
    if (below(2) == 0 && rig.events.available()) rig.events.pop();
  }
  steps.expect({6278, 2234});
}

TEST_F(CopyEngineTest, AResetInTheMiddleOfACopyLeavesNothing) {
  CopyEngineRig rig(load_config("8600gts"), 1, false, false);
  const testing::ResetCheck check({&rig.engine, &rig.link});
  std::vector<std::uint8_t> data(4096);
  rig.orders.push({CopyOp::kFromDevice, 0, 4096, rig.host.pin(data.data(), data.size()), 0, 0});
  sc_core::sc_start(100, sc_core::SC_NS);
  EXPECT_GT(rig.engine.counters().transactions, 0u);
  check.expect_fresh();
  testing::expect_none_counted(rig.engine.counters());
}

TEST_F(CopyEngineTest, AnEngineWithWorkIsNotIdle) {
  CopyEngineRig rig(load_config("8600gts"), 1);
  EXPECT_TRUE(rig.idle.read());
  rig.orders.push({CopyOp::kFill, 0, 100'000 / 2, 0, 0, 0});
  sc_core::sc_start(100, sc_core::SC_NS);
  EXPECT_FALSE(rig.idle.read());
}

}  // namespace
}  // namespace g80
