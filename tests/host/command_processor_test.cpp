// SPDX-License-Identifier: Apache-2.0
// Packets become launches, fences and constants; wrong ones become records.
#include "hw/host/command_processor.h"

#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/support/flip.h"
#include "tests/support/grid_stub.h"
#include "tests/support/level.h"
#include "tests/support/memory_stub.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

/// Keeps what the bus carries, edge by edge.
class BusListener final : public Clocked<NoRegs> {
 public:
  explicit BusListener(const sc_core::sc_module_name& name) : Clocked(name) {}
  In<LaunchBeat> beat_i{"beat_i"};
  In<GridStart> grid_i{"grid_i"};
  std::vector<unsigned> rows;
  std::vector<Cycle> edges;
  Cycle started = 0;

 private:
  void next() override {
    if (grid_i.read().valid && started == 0) started = edge();
    if (!beat_i.read().valid) return sleep();
    rows.push_back(beat_i.read().row);
    edges.push_back(edge());
  }
  void drive() override {}
};

struct CommandProcessorRig {
  explicit CommandProcessorRig(const std::vector<std::string>& sets = {}, bool checked = true)
      : config(load_config("tiny", sets)),
        core("core", 1, config.clock.core_mhz, 2, false),
        processor("processor", config),
        grids("grids"),
        memory("memory", 1 << 16, 1, checked),
        push("push", nullptr, &core, 4096, 2),
        events("events", &core, nullptr, 8, 2) {
    processor.push_i(push);
    processor.event_o(events);
    processor.grid_o(grid);
    processor.launch_o(launch);
    processor.status_i(status);
    processor.request_o(request);
    processor.request_ready_i(ready);
    processor.memory_idle_i(memory_idle);
    processor.copy_idle_i(copy_idle);
    processor.hold_copies_o(hold_copies);
    processor.tlb_flush_orders_i(flush_orders);
    processor.tlb_flush_o(tlb_flush);
    processor.code_flush_o(code_flush);
    processor.texture_flush_o(texture_flush);
    bus.beat_i(launch);
    bus.grid_i(grid);
    core.add(bus);
    grids.grid_i(grid);
    grids.status_o(status);
    memory.request_i(request);
    memory.request_ready_o(ready);
    memory.reply_o(reply);
    copy_idle.write(true);
    core.add(processor);
    core.add(grids);
    core.add(memory);
    if (checked) sleep_check.emplace(std::vector<Domain*>{&core});
    sc_core::sc_start(100, sc_core::SC_NS);
  }
  void method(std::uint32_t number, std::initializer_list<std::uint32_t> values, bool same = false,
              std::uint32_t subchannel = 1) {
    push.push({1, {encode_header({number, subchannel, static_cast<std::uint32_t>(values.size()), same})}});
    for (const std::uint32_t value : values) push.push({1, {value}});
  }
  void bind() { method(method::kBindClass, {kComputeClassG80}); }
  void legal_launch_state() {
    bind();
    method(method::kLanes32Enable, {1});
    method(method::kRegMode, {kRegModeStriped});
    method(method::kCpRegAllocTemp, {4});
    method(method::kSharedSize, {0x40});
    method(method::kGridDim, {1u << 16 | 3});
    method(method::kBlockdimXy, {1u << 16 | 32, 1});
    method(method::kBlockAlloc, {32});
    method(method::kBlockdimLatch, {1});
  }
  static void run_ns(double ns) { sc_core::sc_start(ns, sc_core::SC_NS); }
  const LaunchRecord& last() const { return processor.launches().back(); }
  /// Of the last launch.
  Cycle cycles() const { return last().ended_edge - last().accepted_edge; }

  Config config;
  Domain core;
  CommandProcessor processor;
  BusListener bus{"bus"};
  testing::GridStub grids;
  testing::MemoryStub memory;
  CrossingFifo<PushWords> push;
  CrossingFifo<HostEvent> events;
  Wire<GridStart> grid{"grid"};
  Wire<LaunchBeat> launch{"launch"};
  Wire<GridStatus> status{"status"};
  Wire<MemRequest> request{"request"};
  Wire<MemReply> reply{"reply"};
  Wire<bool> ready{"ready"}, copy_idle{"copy_idle"}, hold_copies{"hold_copies"};
  Wire<std::uint32_t> code_flush{"code_flush"}, texture_flush{"texture_flush"};
  Wire<std::uint32_t> flush_orders{"flush_orders"}, tlb_flush{"tlb_flush"};
  testing::Level memory_idle{"memory_idle", [this] { return memory.idle(); }};
  RandomState random_state{{&core}, 7, false};  // what holds nothing holds any bits
  std::optional<SleepCheck> sleep_check;        // of every test that does not count steps
};

using CommandProcessorTest = testing::SystemCTest;

TEST_F(CommandProcessorTest, ALaunchWaitsForAnIdleMachineAndCountsItsCycles) {
  CommandProcessorRig rig({"host.copy_channel=false"});
  rig.copy_idle.write(false);
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  EXPECT_TRUE(rig.processor.launches().empty());
  rig.copy_idle.write(true);
  CommandProcessorRig::run_ns(1000);
  ASSERT_EQ(rig.processor.launches().size(), 1u);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
  EXPECT_EQ(rig.processor.launch_state().grid_x, 3u);
  // From the accepted doorbell: the rows and their way, one cycle to the scheduler, the grid, one cycle back.
  EXPECT_EQ(rig.cycles(), 38 + kControlWay + 1 + 1 + rig.grids.length + 1);
}

TEST_F(CommandProcessorTest, AGridIsSetUpForTheLaunchCyclesButNotBeforeItsRowsHaveArrived) {
  for (const unsigned launch_cycles : {0u, 30u, 51u, 52u, 500u}) {
    renew_context();
    CommandProcessorRig rig({"host.launch_cycles=" + std::to_string(launch_cycles)});
    rig.legal_launch_state();
    rig.method(method::kLaunch, {0, 0}, true);
    CommandProcessorRig::run_ns(4000);
    ASSERT_EQ(rig.grids.starts.size(), 2u);
    ASSERT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
    EXPECT_EQ(rig.cycles(), std::max(launch_cycles, 38 + kControlWay + 1) + 1 + rig.grids.length + 1) << launch_cycles;
  }
}

TEST_F(CommandProcessorTest, ALaunchSendsARowAtEachEdgeAndThoseOfTexturesWhereTheyChanged) {
  CommandProcessorRig rig;
  BusListener& bus = rig.bus;
  const auto launch = [&] {
    bus.rows.clear(), bus.edges.clear(), bus.started = 0;
    rig.method(method::kLaunch, {0});
    CommandProcessorRig::run_ns(2000);
    ASSERT_FALSE(bus.edges.empty());
    EXPECT_EQ(bus.edges.back() - bus.edges.front(), bus.edges.size() - 1) << "one at each edge";
    // A row that is on the bus at an edge has passed the way kControlWay edges later, and the grid is seen behind that.
    EXPECT_EQ(bus.started, bus.edges.back() + kControlWay + 1);
  };
  rig.legal_launch_state();
  launch();
  EXPECT_EQ(bus.rows.size(), 38u);
  EXPECT_EQ(bus.rows.back(), launch_row::kLimits);
  rig.method(method::kUserParamCount, {3u << 8});
  launch();
  EXPECT_EQ(bus.rows.size(), 38u + 2);
  rig.method(method::kBindTic, {1u << 9});
  launch();
  EXPECT_EQ(bus.rows.size(), 38u + 2 + 70);
  EXPECT_EQ(bus.rows.back(), launch_row::kLimits);
  launch();
  EXPECT_EQ(bus.rows.size(), 38u + 2) << "they are there";
}

TEST_F(CommandProcessorTest, RowsComeNoFasterThanAnSmTakesThem) {
  CommandProcessorRig rig({"clock.shader_mhz=400"});  // the core clock: 540 MHz
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  ASSERT_EQ(rig.bus.edges.size(), 38u);
  for (std::size_t i = 1; i < 38; ++i) EXPECT_EQ(rig.bus.edges[i] - rig.bus.edges[i - 1], 3u) << i;
}

TEST_F(CommandProcessorTest, ALaunchThatIsRefusedLeavesTheRowsOfTexturesToTheNextOne) {
  CommandProcessorRig rig;
  rig.legal_launch_state();
  rig.method(method::kTexLimits, {0});
  rig.method(method::kTicLimit, {5});
  rig.method(method::kBindTic, {5u << 9 | 1u << 1 | 1});  // texture 1 of one
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(1000);
  EXPECT_EQ(rig.last().error, LaunchError::kTextures);
  EXPECT_EQ(rig.last().kernel, 0u);
  EXPECT_TRUE(rig.grids.starts.empty());
  rig.method(method::kTexLimits, {1u << 4});
  rig.method(method::kCpRegAllocTemp, {0});
  rig.method(method::kLaunch, {0});
  rig.method(method::kCpRegAllocTemp, {4});
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  ASSERT_EQ(rig.processor.launches().size(), 3u);
  EXPECT_EQ(rig.processor.launches()[1].error, LaunchError::kRegisters);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
  EXPECT_EQ(rig.last().kernel, 1u);
  EXPECT_EQ(std::count(rig.bus.rows.begin(), rig.bus.rows.end(), launch_row::kParam - 1), 2)
      << "the second launch is refused at its last row";
  EXPECT_EQ(rig.processor.texture_bindings().texture(1).entry, 5u);
}

TEST_F(CommandProcessorTest, AnIdleWordCountsWhenItCannotBeOlderThanTheLastRequest) {
  CommandProcessorRig rig({}, false);
  rig.bind();
  rig.method(method::kQueryAddressHigh, {0, 0x100, 7, 0});
  Cycle written = 0, told = 0;
  for (int i = 0; i < 1000 && told == 0; ++i) {
    CommandProcessorRig::run_ns(1);
    if (written == 0 && !rig.memory.seen.empty()) written = rig.core.edge();
    if (rig.events.available()) told = rig.core.edge();
  }
  ASSERT_NE(told, 0u);
  EXPECT_GE(told, written + kControlWay);
}

TEST_F(CommandProcessorTest, WithOneChannelASecondGridHoldsTheCopiesToo) {
  CommandProcessorRig rig({"host.copy_channel=false"});
  rig.legal_launch_state();
  rig.grids.length = 400;
  rig.method(method::kLaunch, {0, 0}, true);
  for (int i = 0; i < 3000 && rig.grids.starts.size() < 2; ++i) CommandProcessorRig::run_ns(1);
  ASSERT_EQ(rig.grids.starts.size(), 2u);
  EXPECT_TRUE(rig.hold_copies.read());
}

TEST_F(CommandProcessorTest, AGridStartsBesideCopiesThatHaveAChannelOfTheirOwn) {
  CommandProcessorRig rig;
  rig.copy_idle.write(false);
  rig.memory.held_busy = true;  // by the copy
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  EXPECT_TRUE(rig.processor.launches().empty());
  EXPECT_TRUE(rig.hold_copies.read()) << "the memory system has to empty";
  rig.memory.held_busy = false;
  CommandProcessorRig::run_ns(100);
  ASSERT_EQ(rig.processor.launches().size(), 1u);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kRunning);
  EXPECT_FALSE(rig.hold_copies.read()) << "the copy goes on beside the grid";
  rig.memory.held_busy = true;
  rig.method(method::kQueryAddressHigh, {0, 0x100, 7, 0});
  CommandProcessorRig::run_ns(20);
  EXPECT_FALSE(rig.hold_copies.read()) << "the grid still runs";
  CommandProcessorRig::run_ns(2000);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
  EXPECT_TRUE(rig.hold_copies.read()) << "its stores have to be performed before the fence";
  EXPECT_FALSE(rig.events.available());
  rig.memory.held_busy = false;
  CommandProcessorRig::run_ns(1000);
  ASSERT_TRUE(rig.events.available());
  EXPECT_EQ(rig.events.front().value, 7u);
  EXPECT_GE(rig.events.front().time * kPicosecondsPerTick, rig.core.edge_time(rig.last().ended_edge));
  EXPECT_FALSE(rig.hold_copies.read());
}

TEST_F(CommandProcessorTest, WithOneChannelCopiesAreHeldUntilTheStoresOfAGridArePerformed) {
  CommandProcessorRig rig({"host.copy_channel=false"});
  rig.legal_launch_state();
  EXPECT_FALSE(rig.hold_copies.read());
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(100);
  ASSERT_EQ(rig.processor.launches().size(), 1u);
  EXPECT_TRUE(rig.hold_copies.read());
  rig.memory.held_busy = true;
  CommandProcessorRig::run_ns(2000);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
  EXPECT_TRUE(rig.hold_copies.read());
  rig.memory.held_busy = false;
  CommandProcessorRig::run_ns(100);
  EXPECT_FALSE(rig.hold_copies.read());
}

TEST_F(CommandProcessorTest, AResetAfterALaunchLeavesNothing) {
  CommandProcessorRig rig({}, false);
  const testing::ResetCheck check({&rig.processor});
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  EXPECT_EQ(rig.processor.launch_state().grid_x, 3u);
  EXPECT_EQ(rig.processor.launches().size(), 1u);
  check.expect_fresh();
  EXPECT_EQ(rig.processor.launch_state(), LaunchState{});
  EXPECT_TRUE(rig.processor.launches().empty());
  testing::expect_none_counted(rig.processor.counters());
}

TEST_F(CommandProcessorTest, ALaunchWaitsForTheMemorySystem) {
  CommandProcessorRig rig;
  rig.memory.held_busy = true;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  EXPECT_TRUE(rig.processor.launches().empty());
  EXPECT_TRUE(rig.processor.busy());
  EXPECT_FALSE(rig.hold_copies.read()) << "there are none";
  rig.memory.held_busy = false;
  CommandProcessorRig::run_ns(100);
  EXPECT_TRUE(rig.processor.busy()) << "the grid runs";
  CommandProcessorRig::run_ns(1000);
  EXPECT_EQ(rig.processor.launches().size(), 1u);
  EXPECT_FALSE(rig.processor.busy());
}

TEST_F(CommandProcessorTest, AFenceWaitsForTheWordOfTheSms) {
  CommandProcessorRig rig;
  rig.grids.sms_idle_after = 200;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  rig.method(method::kQueryAddressHigh, {0, 0x100, 7, 0});
  Cycle fence = 0;
  for (int i = 0; i < 4000 && fence == 0; ++i) {
    CommandProcessorRig::run_ns(1);
    if (rig.events.available()) fence = rig.core.edge();
  }
  ASSERT_EQ(rig.processor.launches().size(), 1u);
  EXPECT_GT(fence, rig.last().ended_edge + 200);
}

TEST_F(CommandProcessorTest, ATlbFlushWaitsForTheGridAndHoldsBackTheNextLaunch) {
  CommandProcessorRig rig;
  rig.grids.length = 300;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(400);
  ASSERT_EQ(rig.grids.starts.size(), 1u);
  rig.flush_orders.write(1);
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(100);
  EXPECT_EQ(rig.tlb_flush.read(), 0u);
  CommandProcessorRig::run_ns(1500);
  EXPECT_EQ(rig.tlb_flush.read(), 1u);
  EXPECT_EQ(rig.grids.starts.size(), 2u);
}

// The caches are empty before the grid that was launched after the order begins.
TEST_F(CommandProcessorTest, ALaunchThatWaitsWithATlbFlushIsAcceptedAfterIt) {
  CommandProcessorRig rig;
  rig.memory.held_busy = true;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(1000);
  rig.flush_orders.write(1);
  CommandProcessorRig::run_ns(100);
  rig.memory.held_busy = false;
  bool flushed = false;
  for (int i = 0; i < 1000 && rig.processor.launches().empty(); ++i) {
    flushed = rig.tlb_flush.read() == 1;
    CommandProcessorRig::run_ns(1e3 / rig.config.clock.core_mhz);
  }
  EXPECT_FALSE(rig.processor.launches().empty());
  EXPECT_TRUE(flushed);
}

// A whole packet in one cycle: the header that is left is the same before and after.
TEST_F(CommandProcessorTest, AWholePacketInACycleLosesNoWakeUp) {
  const unsigned seed = random_seed();
  std::mt19937 random(seed);
  const std::vector<std::uint64_t> recorded[] = {{4238}, {4358}, {2920}, {3610}};
  // With and without a channel for copies; wake-ups checked or steps counted; a store faults.
  for (unsigned run = 0; run < 6; ++run) {
    SCOPED_TRACE(fmt::format("seed {}, run {}", seed, run));
    renew_context();
    CommandProcessorRig rig(
        {"host.pushbuffer_words_per_cycle=8", run / 2 == 0 ? "host.launch_cycles=0" : "host.launch_cycles=100",
         run % 2 == 0 ? "host.copy_channel=true" : "host.copy_channel=false"},
        run < 2);
    testing::StepCount steps({&rig.processor});
    rig.grids.length = 20;
    rig.legal_launch_state();
    rig.method(method::kCbDefAddressHigh, {0, 0x2000, 0x100});
    CommandProcessorRig::run_ns(1000);
    const std::uint64_t before = rig.processor.counters().methods;
    unsigned methods = 0, launches = 0, queries = 0, told = 0;
    std::uint32_t flushes = 0;
    std::vector<std::uint32_t> words;
    const auto packet = [&](std::uint32_t number, std::initializer_list<std::uint32_t> values) {
      words.push_back(encode_header({number, 1, static_cast<std::uint32_t>(values.size()), false}));
      words.insert(words.end(), values);
      methods += static_cast<unsigned>(values.size());
    };
    for (unsigned round = 0; round < 120; ++round) {
      words.clear();
      for (unsigned packets = 1 + random() % 3; packets != 0; --packets) {
        switch (random() % 6) {
          case 0: packet(method::kLaunch, {0}), ++launches; break;
          case 1: packet(method::kQueryGet, {1u << 15}), ++queries; break;
          case 2: packet(method::kQueryAddressHigh, {0, 0x100, round, 0}), ++queries; break;
          case 3: packet(method::kCbData, {round}); break;
          case 4: packet(method::kCpRegAllocTemp, {static_cast<std::uint32_t>(random() % 8)}); break;
          default: packet(method::kCodeCbFlush, {0}); break;
        }
      }
      for (std::size_t i = 0; i < words.size();) {
        PushWords together;
        const std::size_t most = 1 + random() % 8;
        while (together.count < most && i < words.size()) together.word[together.count++] = words[i++];
        rig.push.push(together);
      }
      if (run >= 4 && round == 60) rig.grids.fault_later = 60;
      if (random() % 4 == 0) rig.flush_orders.write(++flushes);
      if (random() % 4 == 0) rig.copy_idle.write(random() % 2 == 0);
      CommandProcessorRig::run_ns(random() % 600);
      for (; rig.events.available(); rig.events.pop()) ++told;
    }
    rig.copy_idle.write(true);
    for (int i = 0; i < 200; ++i) {
      CommandProcessorRig::run_ns(1000);
      for (; rig.events.available(); rig.events.pop()) ++told;
    }
    EXPECT_EQ(rig.processor.counters().methods - before, methods);
    EXPECT_EQ(rig.processor.launches().size(), launches);
    EXPECT_EQ(told, queries);
    EXPECT_EQ(rig.tlb_flush.read(), flushes);
    EXPECT_FALSE(rig.processor.busy());
    if (run >= 2 && seed == 1) steps.expect(recorded[run - 2]);
  }
}

TEST_F(CommandProcessorTest, WithoutAChannelForCopiesNoLaunchBeginsBesideOneWheneverItStarts) {
  unsigned before = 0;
  for (unsigned edges = 0; edges < 80; ++edges) {
    renew_context();
    CommandProcessorRig rig({"host.copy_channel=false"}, false);
    rig.legal_launch_state();
    rig.method(method::kLaunch, {0});
    const double period = 1000 / rig.config.clock.core_mhz;
    CommandProcessorRig::run_ns(edges * period);
    rig.copy_idle.write(false);
    const std::size_t launches = rig.processor.launches().size();
    CommandProcessorRig::run_ns(500);
    EXPECT_EQ(rig.processor.launches().size(), launches) << edges;
    before += launches;
  }
  EXPECT_GT(before, 5u);
  EXPECT_LT(before, 75u);
}

TEST_F(CommandProcessorTest, ALaunchOfWhichOneBlockFitsOnAnSmIsAccepted) {
  CommandProcessorRig rig;
  rig.legal_launch_state();
  rig.method(method::kSharedSize, {rig.config.sm.shared_bytes & ~0x3fu});
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(4000);
  ASSERT_EQ(rig.processor.launches().size(), 1u);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
}

TEST_F(CommandProcessorTest, LaunchesRunOneAfterTheOther) {
  CommandProcessorRig rig;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0, 0}, true);
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(4000);
  ASSERT_EQ(rig.processor.launches().size(), 3u);
  ASSERT_EQ(rig.grids.starts.size(), 3u);
  for (unsigned i = 1; i < 3; ++i) {
    EXPECT_GE(rig.processor.launches()[i].accepted_edge, rig.processor.launches()[i - 1].ended_edge);
    EXPECT_EQ(rig.processor.launches()[i].kernel, i + 1);
  }
}

TEST_F(CommandProcessorTest, AQueryWritesItsFenceAfterTheGrid) {
  CommandProcessorRig rig;
  rig.grids.length = 500;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  rig.method(method::kQueryAddressHigh, {0, 0x101c, 0xabcd, 0});
  CommandProcessorRig::run_ns(800);
  EXPECT_FALSE(rig.events.available());
  CommandProcessorRig::run_ns(1000);
  ASSERT_TRUE(rig.events.available());
  EXPECT_EQ(rig.events.front().kind, HostEventKind::kFence);
  EXPECT_EQ(rig.events.front().value, 0xabcdu);
  ASSERT_EQ(rig.memory.seen.size(), 1u);
  const MemRequest& write = rig.memory.seen.front();
  EXPECT_EQ(write.virtual_address, 0x1000u);
  EXPECT_EQ(write.byte_enable[0], 0xffff0000u);
  EXPECT_EQ(write.data[4], 0xabcdu);
  EXPECT_EQ(write.data[5], 0u);
  EXPECT_EQ(write.data[6] % kTimerStep, 0u);
  EXPECT_GT(write.data[6] + kTimerStep, rig.core.edge_time(rig.last().ended_edge) / 1000);
}

TEST_F(CommandProcessorTest, ATimeHasTwoWords) {
  CommandProcessorRig rig({}, false);
  testing::flip(rig.processor, "timer.steps", 40);
  rig.bind();
  rig.method(method::kQueryAddressHigh, {0, 0x1000, 7, 0});
  CommandProcessorRig::run_ns(1000);
  ASSERT_EQ(rig.memory.seen.size(), 1u);
  EXPECT_EQ(rig.memory.seen[0].data[3], std::uint64_t{kTimerStep} << 40 >> 32);
  EXPECT_LT(rig.memory.seen[0].data[2], 2000u);
  EXPECT_GT(rig.events.front().time, std::uint64_t{kTimerStep} << 40);
}

TEST_F(CommandProcessorTest, ConstantsAreWrittenWordByWord) {
  CommandProcessorRig rig;
  rig.bind();
  rig.method(method::kCbDefAddressHigh, {0, 0x2000, 5u << 16 | 0x100});
  rig.method(method::kCbAddr, {2u << 8 | 5});
  rig.method(method::kCbData, {0x11, 0x22, 0x33}, true);
  rig.method(method::kCbAddr, {0x40u << 8 | 5});
  rig.method(method::kCbData, {0x44});
  CommandProcessorRig::run_ns(1000);
  ASSERT_EQ(rig.memory.seen.size(), 3u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(rig.memory.seen[i].virtual_address, 0x2000u);
    EXPECT_EQ(rig.memory.seen[i].byte_enable[0], 0xfull << (8 + 4 * i));
    EXPECT_EQ(rig.memory.seen[i].data[2 + i], 0x11 * (i + 1));
  }
  EXPECT_EQ(rig.processor.counters().refused_constants, 1u);
}

TEST_F(CommandProcessorTest, FlushesAreCounted) {
  CommandProcessorRig rig;
  rig.bind();
  rig.method(method::kCodeCbFlush, {0});
  rig.method(method::kCodeCbFlush, {0});
  rig.method(method::kTexCacheCtl, {0x20});
  CommandProcessorRig::run_ns(200);
  EXPECT_EQ(rig.code_flush.read(), 2u);
  EXPECT_EQ(rig.texture_flush.read(), 1u);
}

TEST_F(CommandProcessorTest, UnknownMethodsAreCountedAndHarmless) {
  CommandProcessorRig rig;
  rig.legal_launch_state();
  rig.method(0x0ffc, {0x77});
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  EXPECT_EQ(rig.processor.counters().unknown_methods, 1u);
  EXPECT_EQ(rig.processor.counters().last_unknown_method, 0x0ffcu);
  EXPECT_EQ(rig.processor.counters().last_unknown_value, 0x77u);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
}

TEST_F(CommandProcessorTest, WithoutAClassNothingIsSetAndALaunchIsRefused) {
  CommandProcessorRig rig;
  rig.method(method::kCpRegAllocTemp, {4}, false, 3);
  rig.method(method::kLaunch, {0}, false, 3);
  CommandProcessorRig::run_ns(500);
  EXPECT_EQ(rig.processor.counters().unknown_methods, 1u);
  ASSERT_EQ(rig.processor.launches().size(), 1u);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kRefused);
  EXPECT_EQ(rig.last().error, LaunchError::kNoClass);
}

TEST_F(CommandProcessorTest, AnIllegalLaunchIsARecordAndTheNextOneRuns) {
  CommandProcessorRig rig;
  rig.legal_launch_state();
  rig.method(method::kCpRegAllocTemp, {0});
  rig.method(method::kLaunch, {0});
  rig.method(method::kCpRegAllocTemp, {4});
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  ASSERT_EQ(rig.processor.launches().size(), 2u);
  EXPECT_EQ(rig.processor.launches()[0].error, LaunchError::kRegisters);
  EXPECT_EQ(rig.processor.launches()[1].outcome, LaunchOutcome::kComplete);
  EXPECT_EQ(rig.grids.starts.size(), 1u);
}

TEST_F(CommandProcessorTest, AfterAFaultEveryLaunchIsRefused) {
  CommandProcessorRig rig;
  rig.grids.faults = true;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  rig.method(method::kLaunch, {0});
  rig.method(method::kQueryAddressHigh, {0, 0x1000, 1, 0});
  CommandProcessorRig::run_ns(3000);
  ASSERT_EQ(rig.processor.launches().size(), 2u);
  EXPECT_EQ(rig.processor.launches()[0].outcome, LaunchOutcome::kFault);
  EXPECT_EQ(rig.processor.launches()[0].fault.kind, FaultKind::kPageNotPresent);
  EXPECT_EQ(rig.processor.launches()[1].error, LaunchError::kAfterFault);
  EXPECT_EQ(rig.processor.launches()[1].outcome, LaunchOutcome::kRefused);
  EXPECT_TRUE(rig.events.available());
}

TEST_F(CommandProcessorTest, AfterAFaultAFenceDoesNotWaitForCopies) {
  CommandProcessorRig rig({"host.copy_channel=false"});
  rig.grids.faults = true;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(1000);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kFault);
  rig.copy_idle.write(false);
  rig.method(method::kQueryAddressHigh, {0, 0x1000, 1, 0});
  CommandProcessorRig::run_ns(1000);
  EXPECT_TRUE(rig.events.available());
}

TEST_F(CommandProcessorTest, SleepsWhileAGridRunsWhileItIsSetUpAndWithoutCommands) {
  CommandProcessorRig rig({"host.launch_cycles=500"}, false);
  testing::StepCount steps({&rig.processor});
  CommandProcessorRig::run_ns(1000);
  steps.expect_none("without commands");
  rig.grids.length = 2000;
  rig.legal_launch_state();
  rig.method(method::kWatchdogTimer, {30});
  rig.method(method::kLaunch, {0});
  for (int i = 0; i < 1000 && rig.processor.launches().empty(); ++i) CommandProcessorRig::run_ns(1);
  steps.restart();
  while (!rig.grid.read().valid) {
    EXPECT_TRUE(rig.processor.moves_unmarked(0, false));
    CommandProcessorRig::run_ns(1);
  }
  EXPECT_FALSE(rig.processor.moves_unmarked(0, false));
  EXPECT_TRUE(rig.processor.moves_unmarked(0, true)) << "the watchdog";
  CommandProcessorRig::run_ns(10'000);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
  EXPECT_FALSE(rig.processor.moves_unmarked(0, false));
  steps.expect_at_most(8 + 38, "rows, then nothing to the end of the grid");
}

TEST_F(CommandProcessorTest, ReadsAsManyWordsInACycleAsTheKeySays) {
  for (const unsigned rate : {1u, 2u, 8u}) {
    renew_context();
    CommandProcessorRig rig({"host.pushbuffer_words_per_cycle=" + std::to_string(rate)});
    std::vector<std::uint32_t> words = {encode_header({method::kBindClass, 1, 1, false}), kComputeClassG80};
    while (words.size() < 82) {
      words.push_back(encode_header({method::kRegMode, 1, 1, false}));
      words.push_back(kRegModeStriped);
    }
    for (std::size_t i = 0; i < words.size(); i += rate) {
      PushWords together;
      while (together.count < rate && i + together.count < words.size()) {
        together.word[together.count] = words[i + together.count];
        ++together.count;
      }
      rig.push.push(together);
    }
    const Cycle start = rig.core.edge();
    while (rig.processor.counters().words < 82) {
      const std::uint64_t before = rig.processor.counters().words;
      CommandProcessorRig::run_ns(1e3 / rig.config.clock.core_mhz);
      EXPECT_LE(rig.processor.counters().words - before, rate);
    }
    EXPECT_NEAR(static_cast<double>(rig.core.edge() - start), 82.0 / rate, 3);
    EXPECT_EQ(rig.processor.counters().methods, 41u);
    EXPECT_EQ(rig.processor.counters().unknown_methods, 0u);
  }
}

// A memory has one port to write to.
TEST_F(CommandProcessorTest, OfTheMethodsThatWriteAMemoryOneIsParsedAtAnEdge) {
  for (const std::uint32_t number :
       {std::uint32_t{method::kUserParam}, std::uint32_t{method::kCbDefSet}, std::uint32_t{method::kBindTic}}) {
    renew_context();
    CommandProcessorRig rig({"host.pushbuffer_words_per_cycle=8"});
    rig.bind();
    CommandProcessorRig::run_ns(200);
    rig.push.push({8, {encode_header({number, 1, 7, number != method::kUserParam}), 1, 2, 3, 4, 5, 6, 7}});
    const Cycle start = rig.core.edge();
    std::uint64_t most = 0;
    for (std::uint64_t before = 2; before < 10 && rig.core.edge() < start + 100;) {
      CommandProcessorRig::run_ns(1e3 / rig.config.clock.core_mhz);
      most = std::max(most, rig.processor.counters().words - before);
      before = rig.processor.counters().words;
    }
    EXPECT_EQ(rig.processor.counters().words, 10u);
    EXPECT_EQ(most, 2u) << "the header and a word: " << std::hex << number;
  }
}

TEST_F(CommandProcessorTest, AMethodCountsUpUnlessThePacketSaysOtherwise) {
  CommandProcessorRig rig;
  rig.bind();
  rig.method(0x0f00, {1, 2, 3});  // means nothing: the last of them is recorded
  CommandProcessorRig::run_ns(300);
  EXPECT_EQ(rig.processor.counters().last_unknown_method, 0x0f08u);
  EXPECT_EQ(rig.processor.counters().last_unknown_value, 3u);
  rig.method(0x0f00, {4, 5}, true);
  CommandProcessorRig::run_ns(300);
  EXPECT_EQ(rig.processor.counters().last_unknown_method, 0x0f00u);
  EXPECT_EQ(rig.processor.counters().last_unknown_value, 5u);
  EXPECT_EQ(rig.processor.counters().unknown_methods, 5u);
}

TEST_F(CommandProcessorTest, EachSubchannelHasAClassOfItsOwn) {
  CommandProcessorRig rig;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0}, false, 2);  // nothing is bound there
  rig.method(method::kBindClass, {kComputeClassGt215}, false, 2);
  rig.method(method::kLaunch, {0}, false, 2);
  rig.method(method::kBindClass, {0x1234}, false, 1);  // a class that the chip does not have unbinds
  rig.method(method::kLaunch, {0}, false, 1);
  rig.method(method::kLaunch, {0}, false, 2);
  CommandProcessorRig::run_ns(6000);
  std::vector<LaunchError> errors;
  for (const LaunchRecord& record : rig.processor.launches()) errors.push_back(record.error);
  EXPECT_EQ(errors, (std::vector<LaunchError>{LaunchError::kNoClass, LaunchError::kNone, LaunchError::kNoClass,
                                              LaunchError::kNone}));
  EXPECT_EQ(rig.processor.counters().last_unknown_method, method::kBindClass);
  EXPECT_EQ(rig.processor.counters().last_unknown_value, 0x1234u);
  EXPECT_EQ(rig.processor.counters().launches, 4u);
  EXPECT_EQ(rig.processor.counters().refused_launches, 2u);
}

TEST_F(CommandProcessorTest, AShortQueryWritesItsSequenceAloneAndBothAreWritesOfTheHost) {
  CommandProcessorRig rig;
  rig.bind();
  rig.method(method::kQueryAddressHigh, {0, 0x1017, 0x77, 1u << 15});
  CommandProcessorRig::run_ns(500);
  ASSERT_EQ(rig.memory.seen.size(), 1u);
  const MemRequest& write = rig.memory.seen.front();
  EXPECT_EQ(write.op, MemOp::kWrite);
  EXPECT_EQ(write.client, MemClient::kCopy);
  EXPECT_EQ(write.port, rig.config.gpu.num_tpcs);
  EXPECT_EQ(write.bytes, 32);
  EXPECT_EQ(write.origin.sm, kNoSm);
  EXPECT_EQ(write.virtual_address, 0x1000u);
  EXPECT_EQ(write.byte_enable[0], 0xfull << 0x14);
  EXPECT_EQ(write.byte_enable[1], 0u);
  EXPECT_EQ(write.data[5], 0x77u);
  EXPECT_EQ(write.data[6], 0u);
  EXPECT_EQ(rig.processor.counters().queries, 1u);
}

TEST_F(CommandProcessorTest, AFenceIsToldWhenItsWordIsInMemoryAndTheHostHasRoom) {
  CommandProcessorRig rig;
  rig.bind();
  for (std::uint32_t i = 0; i < 9; ++i) rig.method(method::kQueryAddressHigh, {0, 0x1000, i, 0});
  for (int i = 0; i < 300 && rig.memory.seen.empty(); ++i) CommandProcessorRig::run_ns(1);
  rig.memory.held_busy = true;
  CommandProcessorRig::run_ns(500);
  EXPECT_FALSE(rig.events.available());
  EXPECT_EQ(rig.memory.seen.size(), 1u) << "the next query waits behind the fence";
  rig.memory.held_busy = false;
  CommandProcessorRig::run_ns(3000);
  EXPECT_EQ(rig.memory.seen.size(), 9u) << "eight events fill the queue, and the ninth word is in memory";
  for (std::uint32_t i = 0; i < 9; ++i) {
    ASSERT_TRUE(rig.events.available());
    EXPECT_EQ(rig.events.front().value, i);
    rig.events.pop();
    CommandProcessorRig::run_ns(100);
  }
}

TEST_F(CommandProcessorTest, AStoreThatFaultsAfterTheLastBlockIsAFaultOfTheGrid) {
  CommandProcessorRig rig;
  rig.grids.fault_later = 60;
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kFault);
  EXPECT_EQ(rig.last().fault.kind, FaultKind::kPageNotPresent);
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(500);
  EXPECT_EQ(rig.last().error, LaunchError::kAfterFault);
}

TEST_F(CommandProcessorTest, ALaunchWithoutAWatchdogIsNotEndedByThatOfTheLaunchBefore) {
  CommandProcessorRig rig;
  rig.legal_launch_state();
  rig.method(method::kWatchdogTimer, {8});
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(2000);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
  rig.grids.length = 5000;
  rig.method(method::kWatchdogTimer, {0});
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(20'000);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kComplete);
  EXPECT_EQ(rig.processor.launches().size(), 2u);
}

TEST_F(CommandProcessorTest, TheWatchdogCountsShaderCyclesFromTheDoorbell) {
  for (const char* core : {"500", "333"}) {
    renew_context();
    CommandProcessorRig rig({"clock.shader_mhz=1000", std::string("clock.core_mhz=") + core, "host.launch_cycles=20"});
    rig.grids.length = 1'000'000;
    rig.legal_launch_state();
    rig.method(method::kWatchdogTimer, {8});
    rig.method(method::kLaunch, {0});
    CommandProcessorRig::run_ns(20'000);
    ASSERT_EQ(rig.last().outcome, LaunchOutcome::kTimeout);
    const Cycle clocks = watchdog_clocks(8), mhz = std::stoul(core);
    // Up to the end of the last shader cycle, then an edge to the grid, one for its end and one back.
    EXPECT_EQ(rig.cycles(), (clocks * mhz + 999) / 1000 + 2);
  }
}

TEST_F(CommandProcessorTest, AResetForgetsStateRecordsAndCounters) {
  CommandProcessorRig rig({}, false);
  rig.legal_launch_state();
  rig.method(method::kLaunch, {0});
  rig.method(method::kQueryAddressHigh, {0, 0x1000, 1, 0});
  CommandProcessorRig::run_ns(2000);
  EXPECT_EQ(rig.processor.launches().size(), 1u);
  rig.processor.hold_reset();
  rig.processor.commit();
  EXPECT_TRUE(rig.processor.launches().empty());
  EXPECT_EQ(rig.processor.counters().words, 0u);
  EXPECT_EQ(rig.processor.counters().launches, 0u);
  EXPECT_EQ(rig.processor.counters().queries, 0u);
  EXPECT_EQ(rig.processor.launch_state(), LaunchState{});
  rig.method(method::kBindClass, {kComputeClassG80});
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(500);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kRefused) << "the state of the class is empty";
}

TEST_F(CommandProcessorTest, TheWatchdogKillsALongGrid) {
  CommandProcessorRig rig;
  rig.grids.length = 1'000'000;
  rig.legal_launch_state();
  rig.method(method::kWatchdogTimer, {8});  // 7 * 128 shader cycles of 1 ns
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(800);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kRunning);
  CommandProcessorRig::run_ns(400);
  EXPECT_EQ(rig.last().outcome, LaunchOutcome::kTimeout);
  rig.method(method::kLaunch, {0});
  CommandProcessorRig::run_ns(400);
  EXPECT_EQ(rig.last().error, LaunchError::kAfterFault);
}

}  // namespace
}  // namespace g80
