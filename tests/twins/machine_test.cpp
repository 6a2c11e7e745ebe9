// SPDX-License-Identifier: Apache-2.0
// Twins in the running GPU: not a cycle, counter or byte of memory differs from a run on SystemC blocks. That every
// kernel draws the same waves and keeps its statistics is tested with the other variations of the machine
// (tests/machine).
#include <gmock/gmock.h>

#include "hw/common/input_error.h"
#include "rtl/adapters/bank_conflict_rtl.h"
#include "rtl/adapters/coalescer_rtl.h"
#include "rtl/adapters/warp_scheduler_rtl.h"
#include "source_dir.h"
#include "tb/machine/twin_select.h"
#include "tests/machine/machine_run.h"

namespace g80 {
namespace {

using testing::execute;
using testing::first_difference;
using testing::MachineOutcome;
using testing::MachineRun;

void expect_same_on_rtl(MachineRun run) {
  SCOPED_TRACE(run.kernel);
  const MachineOutcome systemc = execute(run);
  EXPECT_TRUE(as_expected(systemc.result)) << run_details(systemc.result);
  run.machine.rtl = "all";
  const MachineOutcome rtl = execute(run);
  EXPECT_EQ(statistics_json({rtl.result}), statistics_json({systemc.result}));
  EXPECT_EQ(first_difference(rtl.buffers, systemc.buffers), "");
}

std::uint64_t counted(const RunResult& result, const std::string& name) {
  std::uint64_t sum = 0;
  for (const LaunchResult& launch : result.launches) {
    for (const SmCounters& sm : launch.sms) {
      for (const NamedCount& counter : sm.other) sum += counter.first == name ? counter.second : 0;
    }
  }
  return sum;
}

TEST(TwinsInTheMachine, StandWhereTheyAreAskedForAndNowhereElse) {
  MachineOptions options;
  options.rtl = "coalescer,warp_scheduler";
  const GpuBackend machine(load_config("8600gts"), options);
  for (const auto& tpc : machine.gpu().tpcs) {
    for (const auto& coalescer : tpc->coalescers)
      EXPECT_NE(dynamic_cast<const CoalescerRtl*>(coalescer.get()), nullptr);
    for (const auto& sm : tpc->sms) {
      EXPECT_NE(dynamic_cast<const WarpSchedulerRtl*>(&sm->warp_scheduler), nullptr);
      EXPECT_NE(dynamic_cast<const BankConflict*>(&sm->bank_conflict), nullptr);
    }
  }
}

TEST(TwinsInTheMachine, AllMeansEveryTwinAndAnUnknownNameIsRefused) {
  const Config config = load_config("tiny");
  const auto all = select_twins("all");
  EXPECT_NE(dynamic_cast<BankConflictRtl*>(all->bank_conflict("a", config).get()), nullptr);
  EXPECT_NE(dynamic_cast<CoalescerRtl*>(all->coalescer("b", config, 0, 0).get()), nullptr);
  EXPECT_NE(dynamic_cast<WarpSchedulerRtl*>(all->warp_scheduler("c", config).get()), nullptr);
  for (const char* list : {"scoreboard", "coalescer,", ",", "coalescer;bank_conflict", "Coalescer", "all,nothing"}) {
    try {
      select_twins(list);
      ADD_FAILURE() << list << " was accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::EndsWith("allowed are bank_conflict, coalescer, warp_scheduler, all"));
      EXPECT_THAT(error.what(), ::testing::StartsWith(std::string("--rtl ") + list));
    }
  }
}

// A module with an adapter is a twin; the others are parts of twins.
TEST(TwinsInTheMachine, AreAllTheModulesWithAnAdapter) {
  std::vector<std::string> listed, found;
  for (const TwinInfo& twin : twins()) listed.emplace_back(twin.source);
  const std::filesystem::path root = G80_SOURCE_DIR;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "rtl")) {
    if (entry.path().extension() != ".sv") continue;
    const std::string adapter = entry.path().stem().string() + "_rtl.h";
    if (std::filesystem::exists(root / "rtl/adapters" / adapter))
      found.push_back(std::filesystem::relative(entry.path(), root).string());
  }
  EXPECT_THAT(listed, ::testing::UnorderedElementsAreArray(found));
  const std::string page = testing::contents_of((root / "rtl/README.md").string());
  for (const std::string& source : listed)
    EXPECT_THAT(page, ::testing::HasSubstr("](" + source.substr(4) + ")")) << "rtl/README.md";
}

TEST(TwinsInTheMachine, CoalesceBySegmentsOnTheGtx280) {
  for (const char* kernel : {"vec_add", "local_spill", "atomics", "reduction_sequential"})
    expect_same_on_rtl({kernel, "gtx280"});
  expect_same_on_rtl({"matrix_mul", "gtx280", {{"width", "32"}}});
  EXPECT_GT(counted(execute({"vec_add", "gtx280"}).result, "gld_coherent"), 0u) << "the segment rule was at work";
}

TEST(TwinsInTheMachine, SleepWithoutChangingAnything) {
  MachineRun run{"reduction_interleaved", "8600gts"};
  run.machine.rtl = "all";
  const MachineOutcome asleep = execute(run);
  run.machine.no_sleep = true;
  EXPECT_EQ(statistics_json({execute(run).result}), statistics_json({asleep.result}));
}

TEST(TwinsInTheMachine, FollowEachSchedulingPolicy) {
  for (const auto& policy : kSchedulerPoliciesOfTheTwin) {
    for (const char* kernel : {"reduction_interleaved", "sfu_functions", "divergence_in_warp", "texture_read"}) {
      expect_same_on_rtl({kernel, "8600gts", {}, {fmt::format("sm.scheduler={}", policy.text)}});
    }
  }
}

// The straps at their smallest and at the largest values that the twins are built for.
TEST(TwinsInTheMachine, TakeEveryValueOfTheirKeysAtRunTime) {
  for (const auto& sets : {std::vector<std::string>{"coalescer.queue=1", "coalescer.cycles_per_transaction=16",
                                                    "sm.collector_units=1", "sm.load_table_entries=1", "sm.num_sfus=1",
                                                    "sm.sfu_latency=44", "sm.smem_passes_per_4_cycles=1"},
                           {"coalescer.queue=64", "coalescer.cycles_per_transaction=1", "sm.collector_units=16",
                            "sm.load_table_entries=64", "sm.num_sfus=4", "sm.smem_passes_per_4_cycles=4"}}) {
    for (const char* kernel : {"reduction_interleaved", "local_spill", "atomics"})
      expect_same_on_rtl({kernel, "8600gts", {}, sets});
  }
}

}  // namespace
}  // namespace g80
