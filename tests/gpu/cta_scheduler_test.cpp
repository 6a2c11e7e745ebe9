// SPDX-License-Identifier: Apache-2.0
// The CTA scheduler against SMs that hold each CTA for a while: nothing is lost, nothing is doubled, nobody overflows.
#include "hw/gpu/cta_scheduler.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "hw/bundles/launch_state.h"
#include "hw/config/occupancy.h"
#include "tb/machine/random_state.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

/// An SM that only keeps CTAs for a random time, or faults on one of them.
class PatientSm final : public Clocked<NoRegs> {
 public:
  PatientSm(const sc_core::sc_module_name& name, unsigned seed, unsigned longest)
      : Clocked(name), random_(seed), longest_(longest) {}
  sc_core::sc_port<CrossingReadIf<CtaLaunch>> cta_i{"cta_i"};
  sc_core::sc_port<CrossingWriteIf<CtaDone>> done_o{"done_o"};
  sc_core::sc_port<CrossingWriteIf<KernelFault>> fault_o{"fault_o"};
  std::vector<CtaLaunch> seen;
  std::vector<Cycle> ends;
  std::size_t most = 0;
  int fault_at = -1;          // number of the CTA that faults when it comes
  Cycle fault_edge = 0;       // at which the first CTA faults
  unsigned longest_idle = 1;  // cycles until it says that it is idle
  bool idle() const { return running_.empty() && idle_from_ == 0; }

 private:
  void next() override {
    if (cta_i->available()) {
      const CtaLaunch cta = cta_i->front();
      cta_i->pop();
      if (static_cast<int>(seen.size()) == fault_at) fail(cta);
      seen.push_back(cta);
      running_.push_back({edge() + 1 + random_() % longest_, cta});
      most = std::max(most, running_.size());
    }
    if (fault_edge != 0 && edge() == fault_edge) fail(seen.at(0));
    const auto ended =
        std::find_if(running_.begin(), running_.end(), [this](const auto& c) { return c.first <= edge(); });
    if (ended != running_.end() && done_o->can_push()) {  // the queue takes one word an edge
      done_o->push({true, ended->second.cta_x, ended->second.cta_y});
      running_.erase(ended);
      ends.push_back(edge());
      idle_from_ = edge() + 1 + random_() % longest_idle;
    }
    const bool tells = running_.empty() && idle_from_ != 0;
    if (tells && edge() >= idle_from_ && done_o->can_push()) {
      done_o->push({true, 0, 0, true});
      idle_from_ = 0;
    }
    if (running_.empty() && idle_from_ == 0) sleep();
  }
  void drive() override {}
  void fail(const CtaLaunch& cta) {
    KernelFault fault;
    fault.valid = true;
    fault.kind = FaultKind::kTrap;
    fault.cta_x = cta.cta_x;
    fault_o->push(fault);
  }
  std::mt19937 random_;
  unsigned longest_;
  std::vector<std::pair<Cycle, CtaLaunch>> running_;
  Cycle idle_from_ = 0;  // when it says that it is idle; 0: it has nothing to say
};

struct Rig {
  explicit Rig(const Config& config_in, bool no_sleep = false, unsigned longest = 200)
      : config(config_in),
        shader("shader", 0, config.clock.shader_mhz, 2, no_sleep),
        core("core", 1, config.clock.core_mhz, 2, no_sleep),
        scheduler("scheduler", config) {
    const unsigned num_sms = config.gpu.num_tpcs * config.gpu.sms_per_tpc;
    scheduler.grid_i(grid);
    scheduler.status_o(status);
    core.add(scheduler);
    for (unsigned i = 0; i < num_sms; ++i) {
      const std::string n = std::to_string(i);
      sms.push_back(std::make_unique<PatientSm>(("sm" + n).c_str(), 100 + i, longest));
      cta.push_back(std::make_unique<CrossingFifo<CtaLaunch>>(("cta" + n).c_str(), &core, &shader, kMaxCtasPerSm, 2));
      done.push_back(std::make_unique<CrossingFifo<CtaDone>>(("done" + n).c_str(), &shader, &core, 2, 2));
      fault.push_back(std::make_unique<CrossingFifo<KernelFault>>(("fault" + n).c_str(), &shader, &core, 2, 2));
      scheduler.cta_o[i](*cta[i]);
      scheduler.done_i[i](*done[i]);
      scheduler.fault_i[i](*fault[i]);
      sms[i]->cta_i(*cta[i]);
      sms[i]->done_o(*done[i]);
      sms[i]->fault_o(*fault[i]);
      shader.add(*sms[i]);
    }
    run_ns(100);
  }
  static void run_ns(double ns) { sc_core::sc_start(ns, sc_core::SC_NS); }
  /// Starts a kernel; all SMs together hold `ctas_per_sm` times their number.
  void start(std::uint32_t kernel) {
    const Occupancy fits = occupancy(config, {launch.threads, launch.registers, launch.shared_bytes});
    grid.write({true, false, kernel, static_cast<std::uint8_t>(fits.blocks), launch.grid_x, launch.grid_y});
  }
  /// Starts a kernel and runs until it ended; false if it did not within a millisecond.
  bool run(std::uint32_t kernel) {
    start(kernel);
    for (int i = 0; i < 1000 && status.read().finished != kernel; ++i) run_ns(1000);
    grid.write({});
    return status.read().finished == kernel;
  }

  Config config;
  LaunchState launch;
  Domain shader, core;
  CtaScheduler scheduler;
  Wire<GridStart> grid{"grid"};
  Wire<GridStatus> status{"status"};
  std::vector<std::unique_ptr<PatientSm>> sms;
  std::vector<std::unique_ptr<CrossingFifo<CtaLaunch>>> cta;
  std::vector<std::unique_ptr<CrossingFifo<CtaDone>>> done;
  std::vector<std::unique_ptr<CrossingFifo<KernelFault>>> fault;
  RandomState random_state{{&shader, &core}, 7, false};  // what holds nothing holds any bits
};

using CtaSchedulerTest = testing::SystemCTest;

void shape(LaunchState& launch, std::uint16_t grid_x, std::uint16_t grid_y, std::uint16_t threads,
           std::uint8_t registers, std::uint16_t shared) {
  launch.grid_x = grid_x;
  launch.grid_y = grid_y;
  launch.block_x = launch.threads = threads;
  launch.registers = registers;
  launch.shared_bytes = shared;
}

TEST_F(CtaSchedulerTest, AResetInTheMiddleLeavesNothing) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}));
  const testing::ResetCheck check({&rig.scheduler});
  rig.run_ns(100);
  shape(rig.launch, 20, 10, 32, 4, 64);
  for (auto& sm : rig.sms) sm->fault_at = 4;
  rig.start(1);
  rig.run_ns(400);
  EXPECT_GT(rig.scheduler.counters().ctas_placed, 0u);
  EXPECT_GT(rig.scheduler.counters().faults, 0u);
  check.expect_fresh();
  testing::expect_none_counted(rig.scheduler.counters());
}

TEST_F(CtaSchedulerTest, EveryCtaOfAGridRunsOnceAndTheLedgerHolds) {
  const unsigned seed = 5;
  std::mt19937 random(seed);
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}));
  testing::StepCount steps({&rig.scheduler});
  for (std::uint32_t kernel = 1; kernel <= 20; ++kernel) {
    for (auto& sm : rig.sms) sm->seen.clear(), sm->most = 0;
    shape(rig.launch, static_cast<std::uint16_t>(1 + random() % 20), static_cast<std::uint16_t>(1 + random() % 10),
          static_cast<std::uint16_t>(1 + random() % 512), static_cast<std::uint8_t>(1 + random() % 16),
          static_cast<std::uint16_t>(64 * (1 + random() % 128)));
    const BlockNeeds needs{rig.launch.threads, rig.launch.registers, rig.launch.shared_bytes};
    const Occupancy expected = occupancy(rig.config, needs);
    ASSERT_GT(expected.blocks, 0u);
    ASSERT_TRUE(rig.run(kernel)) << "seed " << seed << " kernel " << kernel;
    EXPECT_TRUE(rig.status.read().complete);
    std::set<std::pair<unsigned, unsigned>> ran;
    std::size_t total = 0;
    for (unsigned sm = 0; sm < rig.sms.size(); ++sm) {
      EXPECT_LE(rig.sms[sm]->most, expected.blocks);
      for (const CtaLaunch& cta : rig.sms[sm]->seen) {
        EXPECT_EQ(cta.kernel, kernel);
        ran.insert({cta.cta_x, cta.cta_y});
        ++total;
      }
      EXPECT_EQ(rig.scheduler.registers().resident[sm], 0u);
    }
    EXPECT_EQ(total, std::size_t{rig.launch.grid_x} * rig.launch.grid_y);
    EXPECT_EQ(ran.size(), total);
    Rig::run_ns(random() % 1000);
  }
  steps.expect({5176});
}

TEST_F(CtaSchedulerTest, ACtaLeavesForItsSmTheLaunchCyclesAfterItsDecision) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}));
  shape(rig.launch, 1, 1, 64, 8, 64);
  rig.start(1);
  Cycle decided = 0;
  for (int i = 0; i < 100'000 && rig.cta[0]->size() == 0; ++i) {
    if (decided == 0 && rig.scheduler.counters().ctas_placed == 1) decided = rig.scheduler.edge();
    Rig::run_ns(0.1);
  }
  EXPECT_EQ(rig.cta[0]->size(), 1u);
  EXPECT_EQ(rig.scheduler.edge() - decided, 10u);
}

TEST_F(CtaSchedulerTest, SleepingChangesNothing) {
  std::vector<Cycle> ends[2];
  for (const bool no_sleep : {false, true}) {
    sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext();
    Rig rig(load_config("8800gtx", {"gpu.cta_launch_cycles=7"}), no_sleep);
    shape(rig.launch, 40, 3, 96, 10, 1024);
    ASSERT_TRUE(rig.run(1));
    EXPECT_EQ(rig.sms[0]->seen.front().cta_x, 0u) << "the first block of a grid goes to SM 0";
    for (const auto& sm : rig.sms) ends[no_sleep].insert(ends[no_sleep].end(), sm->ends.begin(), sm->ends.end());
  }
  EXPECT_EQ(ends[0].size(), 120u);
  EXPECT_EQ(ends[0], ends[1]);
}

/// The word of an SM crosses the clock while CTAs do, with any ratio of the two clocks. At the end of a grid no word of
/// before counts, and at last each SM has said its word.
TEST_F(CtaSchedulerTest, TheSmsAreIdleWhenEachHasSaidSoSinceItsLastBlock) {
  const std::vector<std::string> clocks[] = {{}, {"clock.core_mhz=50"}, {"clock.shader_mhz=50"}};
  for (const auto& sets : clocks) {
    renew_context();
    Rig rig(load_config("8600gts", sets), false, 3);
    for (auto& sm : rig.sms) sm->longest_idle = 40;
    shape(rig.launch, 60, 1, 256, 8, 64);
    EXPECT_TRUE(rig.status.read().sms_idle);
    for (std::uint32_t kernel = 1; kernel <= 3; ++kernel) {
      rig.start(kernel);
      unsigned early = 0;
      for (int i = 0; i < 100'000 && rig.status.read().finished != kernel; ++i) Rig::run_ns(1);
      ASSERT_EQ(rig.status.read().finished, kernel);
      const auto all_idle = [&rig] {
        return std::all_of(rig.sms.begin(), rig.sms.end(), [](const auto& sm) { return sm->idle(); });
      };
      for (int i = 0; i < 100'000 && !rig.status.read().sms_idle; ++i) Rig::run_ns(1), ++early;
      EXPECT_TRUE(rig.status.read().sms_idle);
      EXPECT_TRUE(all_idle());
      EXPECT_GT(early, 0u) << "the end of the last CTA takes the word of its SM back";
      rig.grid.write({});
    }
  }
}

TEST_F(CtaSchedulerTest, ShuffledGridsRunTheSameCtas) {
  Rig rig(load_config("8600gts", {"gpu.cta_order=shuffled", "gpu.seed=9"}));
  shape(rig.launch, 13, 7, 64, 8, 64);
  ASSERT_TRUE(rig.run(1));
  std::set<std::pair<unsigned, unsigned>> ran;
  std::size_t total = 0;
  for (const auto& sm : rig.sms) {
    for (const CtaLaunch& cta : sm->seen) ran.insert({cta.cta_x, cta.cta_y}), ++total;
  }
  EXPECT_EQ(ran.size(), 91u);
  EXPECT_EQ(total, 91u);
  EXPECT_NE(rig.sms[0]->seen.front().cta_x, 0u) << "the first one of this seed is another";
}

// The shift register of this seed visits many states outside the grid behind its last CTA, while nothing else happens.
TEST_F(CtaSchedulerTest, AShuffledGridEndsHoweverLateItsLastCtaWasFound) {
  for (const bool no_sleep : {false, true}) {
    renew_context();
    Rig rig(load_config("8600gts", {"gpu.cta_order=shuffled", "gpu.seed=1411"}), no_sleep, 1);
    testing::StepCount steps({&rig.scheduler});
    shape(rig.launch, 17, 17, 64, 8, 64);
    EXPECT_TRUE(rig.run(1));
    EXPECT_EQ(rig.scheduler.counters().ctas_finished, 289u);
    if (!no_sleep) steps.expect({1026});
  }
}

TEST_F(CtaSchedulerTest, OneCtaIsPlacedInACycleTheFirstOnSm0AndTpcsTakeTurns) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}));
  for (std::uint32_t kernel = 1; kernel <= 2; ++kernel) {
    shape(rig.launch, 5, 1, 256, 8, 64);
    for (auto& sm : rig.sms) sm->seen.clear();
    rig.start(kernel);
    std::vector<Cycle> decisions;
    for (int i = 0; i < 1000; ++i) {
      while (decisions.size() < rig.scheduler.counters().ctas_placed - 5 * (kernel - 1))
        decisions.push_back(rig.scheduler.edge());
      Rig::run_ns(0.1);
    }
    ASSERT_EQ(decisions.size(), 5u);
    for (unsigned i = 1; i < 5; ++i) EXPECT_EQ(decisions[i], decisions[0] + i);
    ASSERT_TRUE(rig.run(kernel));
    const std::vector<std::vector<unsigned>> ctas_of_sms = {{0, 4}, {2}, {1}, {3}};
    for (unsigned sm = 0; sm < 4; ++sm) {
      ASSERT_EQ(rig.sms[sm]->seen.size(), ctas_of_sms[sm].size());
      for (unsigned i = 0; i < ctas_of_sms[sm].size(); ++i) {
        EXPECT_EQ(rig.sms[sm]->seen[i].cta_x, ctas_of_sms[sm][i]);
        EXPECT_EQ(rig.sms[sm]->seen[i].cta_y, 0u);
        EXPECT_EQ(rig.sms[sm]->seen[i].kernel, kernel);
      }
    }
  }
  EXPECT_EQ(rig.scheduler.counters().grids, 2u);
  EXPECT_EQ(rig.scheduler.counters().ctas_placed, 10u);
  EXPECT_EQ(rig.scheduler.counters().ctas_finished, 10u);
  EXPECT_EQ(rig.scheduler.counters().faults, 0u);
}

TEST_F(CtaSchedulerTest, InTurnEverySmGetsAsManyCtasHoweverLongTheyRun) {
  const auto ctas_of_sms = [](const char* placement) {
    renew_context();
    Rig rig(load_config("8600gts", {placement}));
    shape(rig.launch, 100, 1, 256, 8, 64);
    EXPECT_TRUE(rig.run(1));
    std::vector<std::size_t> ctas;
    for (const auto& sm : rig.sms) ctas.push_back(sm->seen.size());
    return ctas;
  };
  EXPECT_EQ(ctas_of_sms("gpu.cta_placement=in_turn"), std::vector<std::size_t>(4, 25));
  EXPECT_NE(ctas_of_sms("gpu.cta_placement=round_robin"), std::vector<std::size_t>(4, 25)) << "as they end";
}

TEST_F(CtaSchedulerTest, SleepsWithoutAGridAndWhileEverySmIsFull) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=100"}), false, 1'000'000);
  testing::StepCount steps({&rig.scheduler});
  Rig::run_ns(1000);
  steps.restart();
  Rig::run_ns(10'000);
  steps.expect_none("without a grid");
  shape(rig.launch, 500, 1, 256, 8, 64);
  rig.start(1);
  Rig::run_ns(2000);
  EXPECT_EQ(rig.scheduler.counters().ctas_placed, 4u * 3);
  EXPECT_FALSE(rig.scheduler.sending());
  steps.expect_at_most(12 + 12 + 6, "places twelve CTAs and sends them");
  Rig::run_ns(10'000);
  EXPECT_LE(steps.of(0), 12u) << "SMs are full; only an end wakes it";
}

TEST_F(CtaSchedulerTest, SleepsWhileTheLastBlocksOfAGridRunThoughSmsHaveRoom) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}), false, 1'000'000);
  testing::StepCount steps({&rig.scheduler});
  shape(rig.launch, 2, 1, 256, 8, 64);
  rig.start(1);
  Rig::run_ns(1000);
  EXPECT_EQ(rig.scheduler.counters().ctas_placed, 2u);
  steps.restart();
  Rig::run_ns(10'000);
  EXPECT_LE(steps.of(0), 2u) << "only an end wakes it";
}

TEST_F(CtaSchedulerTest, AResetInTheMiddleOfAGridLeavesNothing) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=500"}));
  // The fixture has run some edges of rest, after which the block is as new.
  shape(rig.launch, 500, 1, 256, 8, 64);
  rig.start(1);
  Rig::run_ns(100);
  EXPECT_GT(rig.scheduler.counters().ctas_placed, 0u);
  EXPECT_TRUE(rig.scheduler.sending());
  rig.scheduler.hold_reset();
  rig.scheduler.commit();
  EXPECT_FALSE(rig.scheduler.sending());
  EXPECT_FALSE(rig.scheduler.registers().running);
  EXPECT_EQ(rig.scheduler.counters().grids, 0u);
  EXPECT_EQ(rig.scheduler.counters().ctas_placed, 0u);
  for (unsigned sm = 0; sm < 4; ++sm) EXPECT_EQ(rig.scheduler.registers().resident[sm], 0u);
  ASSERT_TRUE(rig.run(1)) << "the grid is still asked for";
}

TEST_F(CtaSchedulerTest, TheFirstOfSeveralFaultsIsToldAndEachIsCounted) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}));
  for (auto& sm : rig.sms) sm->fault_at = 0;
  shape(rig.launch, 4, 1, 512, 8, 64);
  ASSERT_TRUE(rig.run(1));
  EXPECT_FALSE(rig.status.read().complete);
  EXPECT_EQ(rig.status.read().fault.cta_x, 0u) << "SM 0 was the first to get a CTA";
  Rig::run_ns(1000);
  EXPECT_GE(rig.scheduler.counters().faults, 2u);
}

TEST_F(CtaSchedulerTest, OfFaultsThatComeTogetherThatOfTheLowestSmIsTold) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}), false, 100'000);
  shape(rig.launch, 4, 1, 512, 8, 64);
  for (unsigned sm = 1; sm < 4; ++sm) rig.sms[sm]->fault_edge = rig.sms[sm]->edge() + 1'000;
  ASSERT_TRUE(rig.run(1));
  EXPECT_EQ(rig.scheduler.counters().faults, 3u);
  EXPECT_EQ(rig.status.read().fault.cta_x, rig.sms[1]->seen.at(0).cta_x);
}

// The word leaves the queue in the TPC, then come the registers of the way.
TEST_F(CtaSchedulerTest, AnEndCountsWhenItHasPassedTheWay) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}));
  shape(rig.launch, 1, 1, 64, 8, 64);
  rig.start(1);
  rig.sms[0]->longest_idle = 10'000;
  Cycle taken = 0, counted = 0, idle = 0;
  bool busy = false;
  for (int i = 0; i < 400'000 && idle == 0; ++i) {
    Rig::run_ns(0.1);
    const bool ended = !rig.sms[0]->ends.empty();
    if (taken == 0 && ended && rig.done[0]->size() == 0) taken = rig.scheduler.edge();
    if (counted == 0 && rig.scheduler.counters().ctas_finished == 1) counted = rig.scheduler.edge();
    busy |= !rig.status.read().sms_idle;
    if (busy && rig.status.read().sms_idle) idle = rig.scheduler.edge();
  }
  ASSERT_NE(taken, 0u);
  EXPECT_EQ(counted, taken + kControlWay);
  EXPECT_GT(idle, counted) << "the word that the SM is idle comes behind";
}

TEST_F(CtaSchedulerTest, AFaultCountsWhenItHasPassedTheWay) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}));
  rig.sms[0]->fault_at = 0;
  shape(rig.launch, 1, 1, 64, 8, 64);
  rig.start(1);
  Cycle taken = 0, told = 0;
  for (int i = 0; i < 20'000 && told == 0; ++i) {
    Rig::run_ns(0.1);
    if (taken == 0 && rig.scheduler.counters().faults == 1) taken = rig.scheduler.edge();
    if (rig.status.read().fault.valid) told = rig.scheduler.edge();
  }
  ASSERT_NE(taken, 0u);
  EXPECT_EQ(told, taken + kControlWay);
}

TEST_F(CtaSchedulerTest, AFaultEndsTheGridAndNothingMoreIsPlaced) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}));
  testing::StepCount steps({&rig.scheduler});
  rig.sms[2]->fault_at = 1;
  shape(rig.launch, 500, 1, 256, 8, 64);
  ASSERT_TRUE(rig.run(1));
  const GridStatus status = rig.status.read();
  EXPECT_FALSE(status.complete);
  EXPECT_EQ(status.fault.kind, FaultKind::kTrap);
  const std::uint64_t placed = rig.scheduler.counters().ctas_placed;
  EXPECT_LT(placed, 500u);
  Rig::run_ns(5000);
  EXPECT_EQ(rig.scheduler.counters().ctas_placed, placed);
  steps.expect({92});
}

TEST_F(CtaSchedulerTest, AGridThatEndsBeforeAllAreFullLeavesNoWork) {
  Rig rig(load_config("8600gts", {"gpu.cta_launch_cycles=10"}), false, 1'000'000);
  testing::StepCount steps({&rig.scheduler});
  shape(rig.launch, 500, 1, 32, 8, 64);
  rig.start(1);
  while (rig.scheduler.counters().ctas_placed < 3) Rig::run_ns(1);
  rig.grid.write({true, true, 1});
  Rig::run_ns(100);
  rig.grid.write({});
  Rig::run_ns(100);
  steps.restart();
  Rig::run_ns(1000);
  steps.expect_none("behind its end");
  EXPECT_LT(rig.scheduler.counters().ctas_placed, 8u);
}

TEST_F(CtaSchedulerTest, AnAbortedGridEnds) {
  Rig rig(load_config("8600gts"), false, 1'000'000);
  shape(rig.launch, 100, 1, 256, 8, 64);
  rig.start(1);
  Rig::run_ns(10'000);
  EXPECT_EQ(rig.status.read().finished, 0u);
  rig.grid.write({true, true, 1});
  Rig::run_ns(100);
  EXPECT_EQ(rig.status.read().finished, 1u);
  EXPECT_FALSE(rig.status.read().complete);
  EXPECT_FALSE(rig.status.read().fault.valid);
}

}  // namespace
}  // namespace g80
