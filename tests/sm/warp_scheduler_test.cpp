// SPDX-License-Identifier: Apache-2.0
// Which warp issues under each policy, which reason is charged when none does, and when the issue port is free again.
#include "hw/sm/warp_scheduler.h"

#include <algorithm>
#include <random>

#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

PickInput random_input(std::mt19937& random) {
  PickInput in;
  in.eligible = random() & random();  // NOLINT(misc-redundant-expression): two numbers
  in.last = random() % 32;
  std::shuffle(in.age.begin(), in.age.end(), random);
  return in;
}
unsigned oldest_of(const PickInput& in) {
  unsigned best = 32;
  for (unsigned w = 0; w < 32; ++w) {
    if ((in.eligible >> w & 1) != 0 && (best == 32 || in.age[w] < in.age[best])) best = w;
  }
  return best;
}

TEST(PickWarp, FollowsEachPolicy) {
  std::mt19937 random(5);
  for (unsigned i = 0; i < 20000; ++i) {
    const PickInput in = random_input(random);
    if (in.eligible == 0) continue;
    unsigned next = (in.last + 1) % 32;
    while ((in.eligible >> next & 1) == 0) next = (next + 1) % 32;
    // clang-format off
    EXPECT_EQ(pick_warp(SchedulerPolicy::kLooseRoundRobin, in), next);
    EXPECT_EQ(pick_warp(SchedulerPolicy::kOldestFirst, in), oldest_of(in));
    EXPECT_EQ(pick_warp(SchedulerPolicy::kGreedyThenOldest, in), (in.eligible >> in.last & 1) != 0 ? in.last : oldest_of(in));
    // clang-format on
  }
}

TEST(PickWarp, PicksNothingWhenNothingIsEligible) {
  for (const auto policy :
       {SchedulerPolicy::kLooseRoundRobin, SchedulerPolicy::kOldestFirst, SchedulerPolicy::kGreedyThenOldest}) {
    EXPECT_EQ(pick_warp(policy, {}), std::nullopt);
  }
}

TEST(StallReason, IsTheWaitNearestToProgress) {
  WarpReady r;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kNoWarp);
  r.resident = 0xff;
  r.wait_barrier = 0xff;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kBarrier);
  r.wait_barrier = 0x7f, r.wait_memory = r.has_head = 0x80;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kMemory);
  r.wait_barrier = 0x3f, r.wait_drain = 0x40, r.has_head = 0xc0;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kDrain);
  r.wait_barrier = 0x1f;  // warp 5 waits for nothing but instructions
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kFetch);
  r.wait_control = 0x10;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kControl);
  r.wait_alu = 0x08;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kAlu);
  r.ready = 0x04;
  EXPECT_EQ(stall_reason(r, 0, false), StallReason::kUnitBusy);
  EXPECT_EQ(stall_reason(r, 0, true), StallReason::kMemoryQueue);
}

/// The scheduler of one SM with wires in the place of its neighbours.
struct SchedulerBench {
  SchedulerBench(const Config& config, bool no_sleep)
      : shader("shader", 0, 1000, 2, no_sleep), scheduler("scheduler", config) {
    scheduler.ready_i(ready);
    scheduler.start_i(start);
    scheduler.collector_credit_i(credit);
    scheduler.memory_credit_i(credit);
    scheduler.load_credit_i(credit);
    scheduler.replay_i(replay);
    scheduler.pick_o(pick);
    shader.add(scheduler, Rate::kHalf);
    sc_core::sc_start(sc_core::sc_time(3500, sc_core::SC_PS));  // behind the reset; inputs change between even edges
  }
  /// One scheduler cycle. A collector unit is free again as soon as it is taken.
  void cycle() {
    sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS));
    if (!pick.read().valid) return;
    picked_at.push_back(shader.last_edge());
    Credits freed = credit.read();
    ++freed.collector;
    credit.write(freed);
  }

  Domain shader;
  WarpScheduler scheduler;
  Wire<WarpReady> ready{"ready"};
  Wire<Redirect> start{"start"};
  Wire<Credits> credit{"credit"};
  Wire<bool> replay{"replay"};
  Wire<Pick> pick{"pick"};
  std::vector<Cycle> picked_at;
};

/// Two warps that always have an instruction for the SPs.
WarpReady two_ready_warps() {
  WarpReady r;
  r.resident = r.has_head = r.ready = r.sp = 3;
  return r;
}

/// Shader cycles between two picks, when every pass of `passes` in a row, which begin with the first pick, leaves lanes
/// to another.
Cycle pick_distance(unsigned passes, unsigned replay_cycles, bool no_sleep) {
  testing::SystemCTest::renew_context();
  SchedulerBench bench(load_config("tiny", {fmt::format("sm.replay_cycles={}", replay_cycles)}), no_sleep);
  bench.ready.write(two_ready_warps());
  while (bench.picked_at.empty()) bench.cycle();
  bench.replay.write(passes != 0);
  for (unsigned i = 0; i < passes; ++i) bench.cycle();
  bench.replay.write(false);
  for (unsigned i = 0; i < 400 && bench.picked_at.size() < 2; ++i) bench.cycle();
  return bench.picked_at.size() < 2 ? 0 : bench.picked_at[1] - bench.picked_at[0];
}

using WarpSchedulerTest = testing::SystemCTest;

// The port is taken for four cycles by the instruction and for sm.replay_cycles by each pass, whether the passes follow
// one another without a gap or not and whether the scheduler has anything else to do meanwhile. It looks every two
// cycles.
TEST_F(WarpSchedulerTest, EveryPassOfAConflictTakesThePortAsleepOrNot) {
  for (const unsigned passes : {0u, 1u, 2u, 3u, 15u}) {
    for (const unsigned replay_cycles : {2u, 3u, 8u, 16u}) {
      for (const bool no_sleep : {false, true}) {
        const Cycle port = 4 + Cycle{passes} * replay_cycles;
        EXPECT_EQ(pick_distance(passes, replay_cycles, no_sleep), port + port % 2)
            << passes << " passes of " << replay_cycles << " cycles" << (no_sleep ? ", never asleep" : "");
      }
    }
  }
}

/// Edges of the first `count` picks, counted from the first one, of two warps; `shared`: those with an operand from
/// s[].
std::vector<Cycle> picks(unsigned count, unsigned shared_cycles, WarpMask shared) {
  testing::SystemCTest::renew_context();
  SchedulerBench bench(load_config("tiny", {fmt::format("sm.shared_operand_cycles={}", shared_cycles)}), false);
  for (unsigned i = 0; i < 10; ++i) bench.cycle();
  WarpReady ready = two_ready_warps();
  ready.shared = shared;
  bench.ready.write(ready);
  for (unsigned i = 0; i < 40 * count && bench.picked_at.size() < count; ++i) bench.cycle();
  std::vector<Cycle> edges;
  for (const Cycle edge : bench.picked_at) edges.push_back(edge - bench.picked_at.front());
  return edges;
}

// The port serves one instruction, and one more may wait for it.
TEST_F(WarpSchedulerTest, AnOperandFromSharedMemoryNeedsItsPort) {
  EXPECT_EQ(picks(6, 6, 0), (std::vector<Cycle>{0, 4, 8, 12, 16, 20}));
  EXPECT_EQ(picks(6, 6, 3), (std::vector<Cycle>{0, 4, 8, 12, 18, 24}));
  EXPECT_EQ(picks(6, 6, 1), (std::vector<Cycle>{0, 4, 8, 12, 16, 20})) << "the other warp takes its turn";
  EXPECT_EQ(picks(4, 4, 3), (std::vector<Cycle>{0, 4, 8, 12}));
}

// Of two warps, one stores four words, and the other one adds in fp64: they take turns at the wide words.
TEST_F(WarpSchedulerTest, OneInstructionWithWideWordsIsInTheCollector) {
  renew_context();
  SchedulerBench bench(load_config("gtx280", {"sm.scheduler=loose_round_robin"}), false);
  WarpReady ready;
  ready.resident = ready.has_head = ready.ready = ready.wide = 3;
  ready.memory = 1;
  ready.dp = 2;
  bench.ready.write(ready);
  std::array<unsigned, 2> issued{};
  for (unsigned i = 0; i < 200; ++i) {
    bench.cycle();
    if (bench.pick.read().valid) ++issued[bench.pick.read().warp];
    Credits freed = bench.credit.read();
    const unsigned wide = issued[0] + issued[1];
    ASSERT_LE(wide, freed.wide + 1u);
    if (i % 20 != 19) continue;
    ASSERT_EQ(wide, freed.wide + 1u);
    freed.memory = static_cast<std::uint8_t>(issued[0]);
    ++freed.wide;
    bench.credit.write(freed);
  }
  EXPECT_EQ(issued[0], 5u);
  EXPECT_EQ(issued[1], 5u);
}

// When the SFUs are free, the warp that issued last is always the one for the SPs, and its successor goes to the SFUs.
TEST_F(WarpSchedulerTest, NoWarpWaitsForEverForAUnitThatIsFreeNowAndThen) {
  renew_context();
  SchedulerBench bench(load_config("tiny", {"sm.scheduler=loose_round_robin"}), false);
  WarpReady ready;
  ready.resident = ready.has_head = ready.ready = 7;
  ready.sp = 1;
  ready.sfu = 6;
  bench.ready.write(ready);
  std::array<unsigned, 4> issued{};
  for (unsigned i = 0; i < 8 * 2 * (kPickPatience + 2); ++i) {
    bench.cycle();
    if (bench.pick.read().valid) ++issued[bench.pick.read().warp];
  }
  EXPECT_GT(issued[1], 0u);
  EXPECT_GT(issued[2], 0u);
}

// Random warps, credits and passes, with long times in which no wire changes: what a scheduler that sleeps through them
// does is what one does that looks every cycle.
TEST_F(WarpSchedulerTest, SleepChangesNothing) {
  const unsigned seed = random_seed();
  for (unsigned round = 0; round < 12; ++round) {
    std::vector<std::uint64_t> seen[2];
    for (const bool no_sleep : {false, true}) {
      renew_context();
      std::mt19937 random(seed + round);
      SchedulerBench bench(load_config("tiny", {fmt::format("sm.replay_cycles={}", random() % 17),
                                                fmt::format("sm.control_cycles={}", 2 + random() % 63),
                                                fmt::format("sm.shared_operand_cycles={}", 4 + random() % 13),
                                                fmt::format("sm.num_sfus={}", 1u << random() % 3), "sm.sfu_latency=60",
                                                fmt::format("sm.sfu_mul={}", random() % 2)}),
                           no_sleep);
      for (unsigned step = 0; step < 400; ++step) {
        WarpReady r;
        r.resident = r.has_head = random() % 16;
        r.ready = r.resident & random();
        r.wait_alu = r.resident & ~r.ready;
        for (unsigned w = 0; w < 4; ++w) *std::array{&r.sp, &r.sfu, &r.control}[random() % 3] |= r.has_head & 1u << w;
        r.shared = r.sp & random();
        bench.ready.write(r);
        if (random() % 4 == 0) bench.replay.write(random() % 2 != 0);
        for (unsigned quiet = random() % 24; quiet > 0; --quiet) bench.cycle();
        // The banks make no more passes than the port can be told of.
        if (bench.scheduler.registers().port_wait > 200) bench.replay.write(false);
      }
      seen[no_sleep].assign(bench.picked_at.begin(), bench.picked_at.end());
      for (const std::uint64_t n : bench.scheduler.counters(bench.shader.last_edge()).stall)
        seen[no_sleep].push_back(n);
      EXPECT_GT(bench.picked_at.size(), 100u) << "seed " << seed + round;
    }
    EXPECT_EQ(seen[0], seen[1]) << "seed " << seed + round;
  }
}

}  // namespace
}  // namespace g80
