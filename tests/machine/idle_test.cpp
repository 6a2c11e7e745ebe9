// SPDX-License-Identifier: Apache-2.0
// What "idle" is worth: every block's word against an independent count, in machines of random timing, and what the
// host is told about a grid: all of it is over, its stores and its faults included.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/driver/driver.h"
#include "tests/machine/idle_witness.h"
#include "tests/machine/machine_run.h"
#include "tests/machine/random_configuration.h"
#include "tests/support/random_seed.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

using testing::IdleWitness;

/// Small grids whose last instructions are stores, reductions or texture reads.
struct SmallGrid {
  const char* kernel;
  Assignments args;
};
const SmallGrid kGrids[] = {
    {"global_sync", {{"blocks", "3"}, {"block", "64"}}},
    {"coordinates", {{"grid_x", "2"}, {"grid_y", "2"}}},
    {"atomics", {{"blocks", "1"}, {"block", "20"}}},
    {"local_spill", {{"blocks", "2"}, {"block", "48"}}},
    {"texture_read", {{"block", "32"}}},
    {"constant_read", {{"blocks", "2"}, {"block", "64"}}},
};

struct Seen {
  std::uint64_t rests = 0, grids = 0, idle = 0, busy = 0;
  std::map<std::string, std::int64_t> through;
};

void run_watched(const SmallGrid& grid, const std::vector<std::string>& sets, Seen& seen) {
  SCOPED_TRACE(fmt::format("g80 run {} --device tiny --set {}", grid.kernel, fmt::join(sets, " --set ")));
  const Scenario scenario = testing::scenario_of(grid.kernel);
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, "tiny", sets);
  MachineOptions machine;
  machine.lockstep = false;
  GpuBackend gpu(config, machine);
  IdleWitness witness(gpu.gpu());
  // Fresh buffers lie one behind the other from the beginning of memory.
  witness.watch_cells(0, 1u << 20);
  RunOptions options;
  options.args = grid.args;
  const RunResult result = run_scenario(scenario, module, config, options, gpu);
  witness.end_of_run();
  EXPECT_EQ(exit_code(result), kExitPass);
  for (const LaunchResult& launch : result.launches) EXPECT_EQ(launch.message, "");
  for (const std::string& complaint : witness.complaints) ADD_FAILURE() << complaint;
  EXPECT_GE(witness.grids_done, result.launches.size());
  seen.rests += witness.rests;
  seen.grids += witness.grids_done;
  seen.idle += witness.idle_words;
  seen.busy += witness.busy_words;
  for (const auto& [block, count] : witness.through) {
    std::string kind = block;
    kind.erase(std::remove_if(kind.begin(), kind.end(), [](char c) { return c >= '0' && c <= '9'; }), kind.end());
    seen.through[kind] += count;
  }
}

TEST(Idle, ABlockThatSaysSoHoldsNothingAndAGridThatIsDoneIsOver) {
  testing::ConfigurationGenerator machines(random_seed());
  Seen seen;
  for (unsigned trial = 0; trial < 24; ++trial) {
    std::vector<std::string> sets = machines.timing("tiny");
    if (trial == 0) sets.clear();
    if (trial % 4 == 1) sets.insert(sets.end(), {"gpu.num_tpcs=2", "gpu.sms_per_tpc=2", "gpu.num_partitions=2"});
    run_watched(kGrids[trial % std::size(kGrids)], sets, seen);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(seen.rests, 100u);
  EXPECT_GT(seen.grids, 24u);
  EXPECT_GT(seen.idle, 1000u);
  EXPECT_GT(seen.busy, 1000u);
  for (const auto& [block, count] : seen.through) EXPECT_GT(count, 0) << "nothing went through " << block;
}

TEST(Idle, StoresInFrontOfTheCoalescerBelongToTheGrid) {
  Seen seen;
  run_watched(kGrids[0], {"sm.address_latency=230"}, seen);
  run_watched(kGrids[0], {"sm.address_latency=255", "clock.shader_mhz=300"}, seen);
  run_watched(kGrids[1], {"sm.address_latency=255", "clock.core_mhz=3000", "clock.shader_mhz=100"}, seen);
}

/// Every thread stores to `out`, `place` instructions from the beginning.
Module storing_kernel(unsigned place) {
  const auto filler = [](unsigned count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i) text += "  mov b32 $r2 0x12345678\n";
    return text;
  };
  return assemble(".kernel probe\n.param ptr out\n  mov b32 $r1 b32 s[out]\n" + filler(place) +
                      "  st b32 g14[$r1] $r1\n  exit nop\n" + filler(32),
                  "probe.sasm");
}

/// Two clocks so far apart that a fence is in memory before the SM has looked at a refusal.
const std::vector<std::string> kSlowShader = {"clock.shader_mhz=20",    "clock.core_mhz=2000",  "clock.dram_mhz=2000",
                                              "clock.crossing_edges=8", "sm.ibuffer_entries=4", "sm.fetch_bytes=8"};

/// A posted store that the TLB refuses is known when the block has long ended: the refusal goes to the SM, whose clock
/// may be slow, and from there to the CTA scheduler.
TEST(Idle, AFaultOnItsWayBelongsToTheGrid) {
  testing::ConfigurationGenerator machines(random_seed());
  for (unsigned trial = 0; trial < 20; ++trial) {
    const Module module = storing_kernel(trial);  // where it ends decides which lines are on their way
    const std::vector<std::string> sets = trial % 2 == 0 ? kSlowShader : machines.timing("tiny");
    SCOPED_TRACE(fmt::format("{}", fmt::join(sets, " ")));
    MachineOptions machine;
    machine.lockstep = false;
    GpuBackend gpu(load_config("tiny", sets), machine);
    gpu.load(module);
    const std::uint32_t out = gpu.allocate(256, "out");
    // One refusal alone: many would keep the TLB busy until the first has arrived.
    const LaunchResult result =
        gpu.launch({gpu.config(), module.kernels.front(), {1, 1, 1}, {1, 1, 1}, {out + 0x10000}});
    EXPECT_EQ(result.end, LaunchEnd::kFault) << result.message;
    EXPECT_EQ(gpu.driver().last_launch().record.outcome, LaunchOutcome::kFault);
    EXPECT_EQ(gpu.driver().last_launch().record.fault.kind, FaultKind::kPageNotPresent);
  }
}

}  // namespace
}  // namespace g80
