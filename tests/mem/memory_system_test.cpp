// SPDX-License-Identifier: Apache-2.0
// Crossbars, partitions and DRAM together: whatever goes in, memory behaves as if the partitions carried out their
// transactions one at a time in the order they report.
#include "tests/support/memory_system.h"

#include <cstring>
#include <map>

#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/support/atomic_definition.h"
#include "tests/support/flip.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using testing::MemorySystem;

struct Mix {
  unsigned count = 3000;
  std::uint32_t footprint = 1u << 16;                               // bytes
  unsigned reads = 45, writes = 35, reductions = 10, atomics = 10;  // per cent
};

struct MemorySystemTest : testing::SystemCTest {
  unsigned seed = random_seed() + 1;
  std::vector<MemRequest> sent;  // by tag

  static MemRequest request_of(MemOp op, std::uint32_t address, unsigned bytes, unsigned port) {
    MemRequest request;
    request.valid = true;
    request.op = op;
    request.port = static_cast<std::uint8_t>(port);
    request.bytes = static_cast<std::uint8_t>(bytes);
    request.address = request.virtual_address = address;
    request.lanes = static_cast<HalfMask>(1 + address / 32 % 0xffff);
    return request;
  }
  void send(MemorySystem& system, MemRequest request) {
    request.origin.tag.bits = static_cast<std::uint32_t>(sent.size());
    request.id = static_cast<std::uint8_t>(sent.size());
    sent.push_back(request);
    system.send(request);
  }
  void send_random(MemorySystem& system, const Mix& mix, std::mt19937& random) {
    for (unsigned i = 0; i < mix.count; ++i) {
      const unsigned kind = random() % 100;
      const unsigned port = static_cast<unsigned>(random() % system.ports.size());
      const MemOp op = kind < mix.reads                                 ? MemOp::kRead
                       : kind < mix.reads + mix.writes                  ? MemOp::kWrite
                       : kind < mix.reads + mix.writes + mix.reductions ? MemOp::kReduce
                                                                        : MemOp::kAtomic;
      const bool atomic = op == MemOp::kReduce || op == MemOp::kAtomic;
      const unsigned bytes = atomic ? 32 : 32u << random() % 3;
      MemRequest request =
          request_of(op, static_cast<std::uint32_t>(random() % mix.footprint) & ~(bytes - 1), bytes, port);
      if (!atomic && random() % 2 == 0) request.client = MemClient::kLocal;
      for (auto& word : request.data) word = static_cast<std::uint32_t>(random());
      if (op == MemOp::kWrite) {
        for (unsigned b = 0; b < bytes; ++b) {
          if (random() % 4 != 0) request.byte_enable[b / 64] |= std::uint64_t{1} << b % 64;
        }
      } else if (atomic) {
        request.atom_bytes = random() % 4 == 0 ? 8 : 4;
        request.atom_op = static_cast<std::uint8_t>(random() % 3 == 0 ? 0 : random() % 13);
        request.atom_signed = random() % 2 == 0;
        const unsigned word = static_cast<unsigned>(random() % (32 / request.atom_bytes)) * request.atom_bytes;
        request.byte_enable[0] = ((std::uint64_t{1} << request.atom_bytes) - 1) << word;
      }
      send(system, request);
    }
  }

  // Plays the logs on a plain memory and compares every byte that was read, every reply and the final cells.
  void expect_consistent(MemorySystem& system, std::vector<std::uint8_t> image) {
    std::map<std::uint32_t, PerformEvent> performed;
    for (unsigned p = 0; p < system.logs.size(); ++p) {
      std::map<unsigned, std::uint32_t> last_of_port;
      Cycle edge = 0;
      std::map<std::uint64_t, const ReturnEvent*> returned;
      for (const ReturnEvent& event : system.logs[p].returned) {
        ASSERT_TRUE(returned.emplace(event.number, &event).second) << "returned twice";
      }
      for (PerformEvent event : system.logs[p].performed) {
        const std::uint32_t tag = event.origin.tag.bits;
        if (event.op != MemOp::kWrite) {
          ASSERT_EQ(returned.count(event.number), 1u) << "never returned";
          std::copy_n(returned[event.number]->data, kMaxTransactionBytes / 4, event.data);
        }
        ASSERT_TRUE(performed.emplace(tag, event).second) << "performed twice";
        const MemRequest& request = sent.at(tag);
        ASSERT_EQ(event.op, request.op);
        ASSERT_EQ(event.virtual_address, request.virtual_address);
        ASSERT_EQ(event.client, request.client);
        ASSERT_EQ(event.lanes, request.lanes);
        if (request.op == MemOp::kReduce || request.op == MemOp::kAtomic) {
          ASSERT_EQ(event.b, request.data[0] | std::uint64_t{request.data[1]} << 32);
          ASSERT_EQ(event.c, request.data[2] | std::uint64_t{request.data[3]} << 32);
        }
        ASSERT_EQ(locate_partition(system.map, request.address).partition, p);
        ASSERT_GE(event.edge, edge);
        edge = event.edge;
        const auto last = last_of_port.find(request.port);
        if (last != last_of_port.end()) {
          ASSERT_LT(last->second, tag) << "order of a port";
        }
        last_of_port[request.port] = tag;
        ASSERT_NO_FATAL_FAILURE(play(event, request, image));
      }
    }
    EXPECT_EQ(performed.size(), sent.size());
    std::size_t expected_replies = 0, replies = 0;
    for (const MemRequest& request : sent)
      expected_replies += request.op == MemOp::kRead || request.op == MemOp::kAtomic;
    for (unsigned port = 0; port < system.ports.size(); ++port) {
      for (const MemReply& reply : system.ports[port]->replies) {
        const auto found = performed.find(reply.origin.tag.bits);
        ASSERT_TRUE(found != performed.end());
        const MemRequest& request = sent[reply.origin.tag.bits];
        ASSERT_EQ(request.port, port);
        ASSERT_EQ(request.id, reply.id);
        ASSERT_EQ(request.op, reply.op);
        ASSERT_EQ(request.lanes, reply.lanes);
        ASSERT_EQ(request.client, reply.client);
        ASSERT_EQ(std::memcmp(reply.data.data(), found->second.data, reply.op == MemOp::kRead ? reply.bytes : 8u), 0);
        performed.erase(found);  // a second reply would not find it
        ++replies;
      }
    }
    EXPECT_EQ(replies, expected_replies);
    std::map<MemOp, std::uint64_t> count, bytes, counted, counted_bytes;
    for (const MemRequest& request : sent) ++count[request.op], bytes[request.op] += request.bytes;
    for (auto& channel : system.channels) {
      const auto& counters = channel->partition.counters();
      counted[MemOp::kRead] += counters.reads, counted_bytes[MemOp::kRead] += counters.bytes_read;
      counted[MemOp::kWrite] += counters.writes, counted_bytes[MemOp::kWrite] += counters.bytes_written;
      counted[MemOp::kAtomic] += counters.atomics, counted[MemOp::kReduce] += counters.reductions;
    }
    for (const auto& [op, number] : count) EXPECT_EQ(counted[op], number);
    for (const MemOp op : {MemOp::kRead, MemOp::kWrite}) EXPECT_EQ(counted_bytes[op], bytes[op]);
    std::vector<std::uint8_t> cells(image.size());
    system.memory->read(0, cells.data(), cells.size());
    EXPECT_EQ(cells, image);
  }
  static void play(const PerformEvent& event, const MemRequest& request, std::vector<std::uint8_t>& image) {
    std::uint8_t* at = &image[request.address];
    switch (request.op) {
      case MemOp::kRead: ASSERT_EQ(std::memcmp(at, event.data, request.bytes), 0) << request.address; break;
      case MemOp::kWrite: {
        const auto* data = reinterpret_cast<const std::uint8_t*>(event.data);
        for (unsigned b = 0; b < request.bytes; ++b) {
          if ((event.byte_enable[b / 64] >> b % 64 & 1) != 0) at[b] = data[b];
        }
        break;
      }
      default: {
        std::uint8_t* word = at + __builtin_ctzll(request.byte_enable[0]);
        std::uint64_t old_value = 0, seen = 0;
        std::memcpy(&old_value, word, request.atom_bytes);
        std::memcpy(&seen, event.data, 8);
        ASSERT_EQ(old_value, seen);
        const std::uint64_t b = request.data[0] | std::uint64_t{request.data[1]} << 32;
        const std::uint64_t c = request.data[2] | std::uint64_t{request.data[3]} << 32;
        const std::uint64_t result =
            testing::atomic_result(request.atom_op, request.atom_signed, request.atom_bytes, old_value, b, c);
        std::memcpy(word, &result, request.atom_bytes);
      }
    }
  }
  std::vector<std::uint8_t> random_image(MemorySystem& system, std::mt19937& random, std::size_t bytes) {
    std::vector<std::uint8_t> image(bytes);
    for (auto& byte : image) byte = static_cast<std::uint8_t>(random());
    system.memory->write(0, image.data(), image.size());
    return image;
  }
};

class AnyMix : public MemorySystemTest, public ::testing::WithParamInterface<std::tuple<std::string, int>> {};

TEST_P(AnyMix, BehavesAsIfCarriedOutOneByOne) {
  SCOPED_TRACE(seed);
  const auto [preset, shape] = GetParam();
  Config config = load_config(preset);
  Mix mix;
  if (shape == 1) mix.footprint = 256, mix.count = 800;  // everything meets in eight sectors of one partition
  if (shape == 2) mix.footprint = 1u << 22;
  if (shape == 3)
    mix.footprint = 2048, mix.reads = 10, mix.writes = 10, mix.atomics = 40, mix.reductions = 40, mix.count = 800;
  if (shape == 4) {  // 64-byte bursts
    config.dram.burst_bytes = 64;
    config.dram.burst_cycles = config.dram.t_ccd = 4;
    mix.footprint = 4096;
  }
  MemorySystem system(config, true, 70, seed);
  const RandomState random_state({&system.core, &system.dram}, seed);
  std::mt19937 random(seed);
  const auto image = random_image(system, random, std::max<std::size_t>(mix.footprint, 1u << 16));
  send_random(system, mix, random);
  ASSERT_TRUE(system.run_until_idle(2e6));
  expect_consistent(system, image);
}
INSTANTIATE_TEST_SUITE_P(Presets, AnyMix,
                         ::testing::Combine(::testing::ValuesIn(preset_names()), ::testing::Values(0, 1, 2, 3, 4)));

TEST_F(MemorySystemTest, NoWakeUpIsLost) {
  for (const unsigned take_percent : {100u, 40u}) {
    renew_context();
    sent.clear();
    const std::vector<std::string> slow{"partition.cycles_per_transaction=5"};
    const Config config = load_config("8600gts", take_percent == 100 ? slow : std::vector<std::string>{});
    MemorySystem system(config, true, take_percent, seed);
    const SleepCheck check({&system.core, &system.dram});
    std::mt19937 random(seed);
    Mix mix;
    mix.count = 200;
    for (int group = 0; group < 3; ++group) {
      send_random(system, mix, random);
      sc_core::sc_start(sc_core::sc_time(20'123, sc_core::SC_NS));
    }
    EXPECT_TRUE(system.idle());
    EXPECT_GT(check.probes(), 1000u);
  }
}

// Replies that nobody takes fill crossbar and partition, and all of them come in the end.
TEST_F(MemorySystemTest, NoReplyIsLostWhereFewAreTaken) {
  MemorySystem system(load_config("8600gts", {"xbar.queue=1", "xbar.reply_latency=3"}), true, 4, seed);
  const SleepCheck check({&system.core, &system.dram});
  std::mt19937 random(seed);
  const auto image = random_image(system, random, 1u << 16);
  for (unsigned i = 0; i < 500; ++i)
    send(system, request_of(MemOp::kRead, static_cast<std::uint32_t>(random() % 512) * 128, 128, i % 2));
  ASSERT_TRUE(system.run_until_idle(4e5));
  expect_consistent(system, image);
}

TEST_F(MemorySystemTest, WithoutTrafficOnlyARefreshWakesABlock) {
  const Config config = load_config("8600gts");
  MemorySystem system(config, true, 100, seed);
  std::vector<ClockedBase*> others = {&system.requests, &system.replies}, controllers;
  for (auto& channel : system.channels) {
    others.push_back(&channel->partition);
    controllers.push_back(&channel->controller);
  }
  testing::StepCount steps(others), refreshes(controllers);
  std::mt19937 random(seed);
  send_random(system, Mix(), random);
  ASSERT_TRUE(system.run_until_idle(2e6));
  sc_core::sc_start(2, sc_core::SC_US);
  steps.restart(), refreshes.restart();
  const std::uint64_t before = system.channels[0]->controller.counters().refreshes;
  sc_core::sc_start(100, sc_core::SC_US);
  steps.expect_none("without traffic");
  const std::uint64_t count = system.channels[0]->controller.counters().refreshes - before;
  EXPECT_NEAR(static_cast<double>(count), 100.0 * config.clock.dram_mhz / config.dram.t_refi, 1);
  refreshes.expect_at_most(4 * count + 4, "refreshes");
}

TEST_F(MemorySystemTest, AResetInTheMiddleLeavesNothing) {
  for (const double ns : {400.0, 900.0}) {
    renew_context();
    sent.clear();
    MemorySystem system(load_config(ns < 500 ? "8600gts" : "8800gtx"), true, 50, seed);
    std::vector<ClockedBase*> blocks = {&system.requests, &system.replies};
    for (auto& channel : system.channels)
      blocks.insert(blocks.end(), {&channel->partition, &channel->controller, &channel->device});
    const testing::ResetCheck check(blocks);
    std::mt19937 random(seed);
    send_random(system, Mix(), random);
    sc_core::sc_start(sc_core::sc_time(ns, sc_core::SC_NS));
    EXPECT_FALSE(system.channels[0]->partition.registers().idle);
    check.expect_fresh();
    for (auto& channel : system.channels) testing::expect_none_counted(channel->partition.counters());
    system.requests.hold_reset();
    testing::expect_none_counted(system.requests.counters());
    system.replies.hold_reset();
    testing::expect_none_counted(system.replies.counters());
  }
}

// A command on the pins names the access that it is for: in waves it is followed by this.
TEST_F(MemorySystemTest, CommandsOfTheDramNameTheirAccess) {
  for (const MemOp op : {MemOp::kRead, MemOp::kWrite, MemOp::kAtomic}) {
    renew_context();
    sent.assign(77, MemRequest{});
    MemorySystem system(load_config("8600gts"), true);
    MemRequest request = request_of(op, 0, 32, 0);
    request.byte_enable[0] = 0xf;
    send(system, request);
    unsigned commands = 0, columns = 0;
    for (unsigned ns = 0; ns < 2000; ++ns) {
      sc_core::sc_start(1, sc_core::SC_NS);
      const DramCommand& command = system.channels[0]->controller.registers().command;
      if (command.kind == DramCommandKind::kNone || command.kind == DramCommandKind::kRefresh) continue;
      ++commands;
      columns += command.kind == DramCommandKind::kRead || command.kind == DramCommandKind::kWrite;
      EXPECT_EQ(command.tag.bits, 77u);
    }
    EXPECT_GT(commands, columns);
    EXPECT_GE(columns, op == MemOp::kAtomic ? 2u : 1u);
  }
}

TEST_F(MemorySystemTest, SleepChangesNothing) {
  SCOPED_TRACE(seed);
  const Config config = load_config("8600gts");
  std::vector<Cycle> replied[2];
  std::uint64_t counted[2][6];
  for (const bool no_sleep : {false, true}) {
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext();
    sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
    sent.clear();
    MemorySystem system(config, true, 100, seed, no_sleep);
    std::mt19937 random(seed);
    const auto image = random_image(system, random, 1u << 16);
    Mix mix;
    mix.count = 300;
    for (int group = 0; group < 4; ++group) {
      send_random(system, mix, random);
      sc_core::sc_start(sc_core::sc_time(30'123, sc_core::SC_NS));
    }
    ASSERT_TRUE(system.idle());
    expect_consistent(system, image);
    for (auto& port : system.ports) {
      replied[no_sleep].insert(replied[no_sleep].end(), port->replied_at.begin(), port->replied_at.end());
    }
    const auto& partition = system.channels[0]->partition.counters();
    const auto& dram = system.channels[0]->controller.counters();
    const std::uint64_t counts[6] = {partition.dram_stalls, partition.atomic_stalls,
                                     dram.row_hits,         dram.refreshes,
                                     dram.turnarounds,      system.requests.counters().stalls[0]};
    std::copy(std::begin(counts), std::end(counts), std::begin(counted[no_sleep]));
  }
  EXPECT_EQ(replied[0], replied[1]);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(counted[0][i], counted[1][i]) << i;
}

TEST_F(MemorySystemTest, AtomicsToOneWordAddUp) {
  const Config config = load_config("8600gts");
  MemorySystem system(config, true);
  for (unsigned i = 0; i < 200; ++i) {
    MemRequest request = request_of(i % 2 == 0 ? MemOp::kReduce : MemOp::kAtomic, 0x400, 32, i % 3);
    request.byte_enable[0] = 0xf0;
    request.data[0] = i;
    send(system, request);
  }
  ASSERT_TRUE(system.run_until_idle(200'000));
  std::uint32_t sum = 0;
  system.memory->read(0x404, &sum, 4);
  EXPECT_EQ(sum, 199u * 200u / 2);
  EXPECT_GT(
      system.channels[0]->partition.counters().atomic_stalls + system.channels[1]->partition.counters().atomic_stalls,
      0u);
  expect_consistent(system, [] {
    std::vector<std::uint8_t> zero(1u << 16);
    return zero;
  }());
}

TEST_F(MemorySystemTest, AWideCompareAndSwapComparesAndStores64Bits) {
  SCOPED_TRACE(seed);
  MemorySystem system(load_config("8600gts"), true);
  std::mt19937 random(seed);
  const auto image = random_image(system, random, 1u << 16);
  for (unsigned i = 0; i < 100; ++i) {
    MemRequest request = request_of(i % 2 == 0 ? MemOp::kReduce : MemOp::kAtomic, 64 * i, 32, i % 3);
    request.atom_op = static_cast<std::uint8_t>(isa::AtomOp::kCas);
    request.atom_bytes = 8;
    request.byte_enable[0] = 0xff00;
    std::memcpy(request.data.data(), &image[64 * i + 8], 8);
    if (i % 5 == 0) request.data[i / 5 % 2] ^= 1u << random() % 32;  // not the one that it finds
    for (const unsigned c : {2u, 3u}) request.data[c] = static_cast<std::uint32_t>(random());
    send(system, request);
  }
  ASSERT_TRUE(system.run_until_idle(200'000));
  expect_consistent(system, image);
}

TEST_F(MemorySystemTest, AFaultPlantedInTheCellsIsRead) {
  const Config config = load_config("8600gts");
  MemorySystem system(config, true);
  system.memory->flip_bits(0x1234, 0x08);
  send(system, request_of(MemOp::kRead, 0x1220, 32, 0));
  ASSERT_TRUE(system.run_until_idle(5'000));
  ASSERT_EQ(system.ports[0]->replies.size(), 1u);
  EXPECT_EQ(system.ports[0]->replies[0].data[5], 0x08u);
}

// A reply waits at the outputs; the number of its slot is then that behind the last one.
TEST_F(MemorySystemTest, AFaultInTheSlotOfAReplyReadsNothingBehindTheSlots) {
  const Config config = load_config("8600gts", {"dram.window=8", "dram.write_high=8", "dram.write_low=0",
                                                "partition.queue=8", "partition.reply_latency=8", "xbar.queue=1"});
  constexpr unsigned kSlots = 24;
  MemorySystem system(config, true, 4, seed);
  MemoryPartition& partition = system.channels[0]->partition;
  const auto value = [&](const char* field) { return static_cast<unsigned>(testing::value_of(partition, field)); };
  for (unsigned i = 0; i < 500; ++i) send(system, request_of(MemOp::kRead, i % 512 * 128, 128, i % 2));
  const auto run = [](unsigned ns) { sc_core::sc_start(sc_core::sc_time(ns, sc_core::SC_NS)); };
  unsigned waits = 0, bit = 0;
  for (unsigned i = 0; i < 50'000 && waits < 8; ++i) {
    run(2);
    bit = value("reply_slot") ^ kSlots;
    waits = value("reply_offered") && (bit & (bit - 1)) == 0 ? waits + 1 : 0;
  }
  ASSERT_EQ(waits, 8u) << "a reply of such a slot waits";
  testing::flip(partition, "reply_slot", static_cast<unsigned>(__builtin_ctz(bit)));
  EXPECT_ANY_THROW(run(50'000));
}

TEST_F(MemorySystemTest, AnUnloadedReadTakesBothPathsAndTheDram) {
  const Config config = load_config("8600gts");
  MemorySystem system(config, false);
  send(system, request_of(MemOp::kRead, 0x40, 32, 0));
  ASSERT_TRUE(system.run_until_idle(5'000));
  const Cycle took = system.ports[0]->replied_at.at(0) - system.ports[0]->sent_at.at(0);
  const double ns = static_cast<double>(took) * 1e3 / config.clock.core_mhz;
  const unsigned path = config.xbar.request_latency + config.xbar.reply_latency + config.partition.request_latency +
                        config.partition.reply_latency;
  const double fixed = path * 1e3 / config.clock.core_mhz;
  const double dram = (config.dram.t_rcd + config.dram.cl + config.dram.burst_cycles) * 1e3 / config.clock.dram_mhz;
  EXPECT_GT(ns, fixed + dram);
  EXPECT_LT(ns, fixed + dram + 30);  // the partition's registers and two clock crossings
}

TEST_F(MemorySystemTest, EveryRegisterOfAPartitionsPathsCostsOneCycleAndNoRate) {
  const auto cycles = [&](unsigned reads, unsigned request, unsigned reply) {
    renew_context();
    sent.clear();
    const Config config = load_config("8600gts", {fmt::format("partition.request_latency={}", request),
                                                  fmt::format("partition.reply_latency={}", reply),
                                                  "dram.t_refi=1000000", "clock.core_mhz=500", "clock.dram_mhz=1000"});
    MemorySystem system(config, true);
    for (unsigned i = 0; i < reads; ++i) send(system, request_of(MemOp::kRead, 32 * (i % 8), 32, 0));
    EXPECT_TRUE(system.run_until_idle(20'000));
    return system.ports[0]->replied_at.at(reads - 1) - system.ports[0]->sent_at.at(0);
  };
  for (const unsigned reads : {1u, 300u}) {
    const Cycle direct = cycles(reads, 0, 0);
    EXPECT_EQ(cycles(reads, 0, 1), direct) << "the memories of replies have an address register";
    for (const unsigned registers : {1u, 2u, 31u, 127u}) {
      EXPECT_EQ(cycles(reads, registers, 0), direct + registers) << reads << " reads";
      EXPECT_EQ(cycles(reads, 0, 1 + registers), direct + registers) << reads << " reads";
    }
  }
}

TEST_F(MemorySystemTest, APartitionStartsTransactionsAtItsRate) {
  for (const unsigned cycles : {4u, 9u}) {
    renew_context();
    sent.clear();
    const Config config = load_config("8600gts", {fmt::format("partition.cycles_per_transaction={}", cycles)});
    MemorySystem system(config, true);
    for (unsigned i = 0; i < 40; ++i)
      send(system, request_of(MemOp::kRead, 32 * (i % 8), 32, 0));  // one row of one partition
    ASSERT_TRUE(system.run_until_idle(20'000));
    const auto& performed = system.logs[locate_partition(system.map, 0).partition].performed;
    ASSERT_EQ(performed.size(), 40u);
    EXPECT_EQ(performed.back().edge - performed.front().edge, 39 * cycles) << "no limit but the front end";
  }
}

// Its word goes the way of a read's. With crossbar ports that move 16 flits a cycle both packets of both kinds take one
// cycle.
TEST_F(MemorySystemTest, AnAtomicRepliesAsSoonAsARead) {
  for (const unsigned latency : {0u, 20u}) {
    const Config config = load_config("8600gts", {fmt::format("partition.reply_latency={}", latency),
                                                  "xbar.request_flits_per_cycle=16", "xbar.reply_flits_per_cycle=16"});
    Cycle took[2] = {};
    for (const bool atomic : {false, true}) {
      renew_context();
      sent.clear();
      MemorySystem system(config, false);
      MemRequest request = request_of(atomic ? MemOp::kAtomic : MemOp::kRead, 0x400, 32, 0);
      if (atomic) request.byte_enable[0] = 0xf;
      send(system, request);
      ASSERT_TRUE(system.run_until_idle(5'000));
      took[atomic] = system.ports[0]->replied_at.at(0) - system.ports[0]->sent_at.at(0);
    }
    EXPECT_EQ(took[1], took[0]);
  }
}

// Atomics of one partition follow one another, also those to different bursts of an open row: each gets its word on the
// way of the replies, passes the unit's stages, and waits until DRAM has its result.
TEST_F(MemorySystemTest, AtomicsGoOneAfterTheOther) {
  const Config config = load_config("8600gts", {"gpu.num_partitions=1", "dram.t_refi=900000"});
  MemorySystem system(config, true);
  for (unsigned i = 0; i < 24; ++i) {
    MemRequest request = request_of(i % 3 == 0 ? MemOp::kReduce : MemOp::kAtomic, 32 * i, 32, 0);
    request.byte_enable[0] = 0xf;
    request.data[0] = i + 1;
    send(system, request);
  }
  ASSERT_TRUE(system.run_until_idle(20'000));
  const std::vector<Cycle>& replied = system.ports[0]->replied_at;
  ASSERT_EQ(replied.size(), 16u);
  const double clocks = config.dram.cl + config.dram.wl + 2.0 * config.dram.burst_cycles;
  const double least = clocks * config.clock.core_mhz / config.clock.dram_mhz + config.partition.reply_latency + 3 +
                       2 * config.clock.crossing_edges;
  for (std::size_t i = 1; i < replied.size(); ++i)
    EXPECT_GT(static_cast<double>(replied[i] - replied[i - 1]), (i % 2 == 0 ? 2 : 1) * least) << "reply " << i;
  const auto& counters = system.channels[0]->partition.counters();
  EXPECT_GT(static_cast<double>(counters.atomic_stalls), 23 * least);
  EXPECT_EQ(counters.slot_stalls, 0u);
  for (unsigned i = 0; i < 24; ++i) {
    std::uint32_t word = 0;
    system.memory->read(32 * i, &word, 4);
    EXPECT_EQ(word, i + 1);
  }
  expect_consistent(system, std::vector<std::uint8_t>(1u << 16));
}

// Reads that wait for data keep their slots: the next one waits, and what it waited for is counted.
TEST_F(MemorySystemTest, AReadWithoutASlotWaitsAndIsCounted) {
  MemorySystem system(load_config("tiny", {"partition.queue=1", "dram.window=1", "dram.write_high=1"}), true);
  for (unsigned i = 0; i < 50; ++i) send(system, request_of(MemOp::kRead, 1024 * i, 32, 0));
  ASSERT_TRUE(system.run_until_idle(200'000));
  EXPECT_GT(system.channels[0]->partition.counters().slot_stalls, 100u);
  expect_consistent(system, std::vector<std::uint8_t>(1u << 16));
}

// The partition alone: its word may not wait for that of a crossbar or of the DRAM controller.
TEST_F(MemorySystemTest, APartitionWithAWriteOnItsWayToTheCellsIsNotIdle) {
  MemorySystem system(load_config("tiny"), true);
  MemRequest request = request_of(MemOp::kWrite, 0x80, 32, 0);
  request.byte_enable[0] = 0xffffffff;
  request.data.fill(0xabcdef01);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  send(system, request);
  unsigned busy = 0;
  std::uint32_t word = 0;
  for (int ns = 0; ns < 2000; ++ns) {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    system.memory->read(0x80, &word, 4);
    const bool idle = system.channels[0]->partition.registers().idle;
    if (!system.logs[0].performed.empty() && idle) {
      EXPECT_EQ(word, 0xabcdef01u) << ns;
    }
    busy += idle ? 0u : 1u;
  }
  EXPECT_GT(busy, 10u);
  EXPECT_EQ(word, 0xabcdef01u);
  ASSERT_EQ(system.logs[0].performed.size(), 1u);
  EXPECT_EQ(system.logs[0].performed[0].number, 1u) << "what a partition performs is numbered from 1";
}

TEST_F(MemorySystemTest, APartitionWithAReadOrAtomicUnderWayIsNotIdle) {
  for (const MemOp op : {MemOp::kRead, MemOp::kAtomic, MemOp::kReduce}) {
    renew_context();
    sent.clear();
    MemorySystem system(load_config("tiny"), true);
    MemRequest request = request_of(op, 0x80, 32, 0);
    request.byte_enable[0] = 0xf;
    request.data[0] = 7;
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
    send(system, request);
    for (int ns = 0; ns < 2000; ++ns) {
      sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
      if (system.logs[0].performed.empty() || !system.channels[0]->partition.registers().idle) continue;
      std::uint32_t word = 0;
      system.memory->read(0x80, &word, 4);
      ASSERT_EQ(word, op == MemOp::kRead ? 0u : 7u) << ns;
      ASSERT_EQ(system.logs[0].returned.size(), 1u) << ns;
    }
    EXPECT_TRUE(system.channels[0]->partition.registers().idle);
  }
}

TEST_F(MemorySystemTest, IdleMeansEveryStoreIsInTheCells) {
  const Config config = load_config("tiny");
  MemorySystem system(config, false);
  MemRequest request = request_of(MemOp::kWrite, 0x80, 32, 0);
  request.byte_enable[0] = 0xffffffff;
  request.data.fill(0xabcdef01);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  ASSERT_TRUE(system.idle());
  send(system, request);
  std::uint32_t word = 0;
  bool was_busy = false;
  for (int ns = 0; ns < 1000 && word == 0; ++ns) {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    if (ns > 5 && word == 0 && system.ports[0]->sent_at.size() == 1) {
      system.memory->read(0x80, &word, 4);
      if (word == 0) {
        was_busy = true;
        ASSERT_FALSE(system.idle()) << ns;
      }
    }
  }
  EXPECT_TRUE(was_busy);
  EXPECT_EQ(word, 0xabcdef01u);
}

}  // namespace
}  // namespace g80
