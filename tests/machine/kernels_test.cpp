// Every kernel of the project on the cycle model, in lock-step: results equal their golden, counters add up, and
// nothing but time depends on the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "tb/machine/gpu_backend.h"
#include "tb/report/statistics.h"
#include "tb/report/summary_table.h"
#include "tb/scenario/golden_backend.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"

namespace g80 {
namespace {

std::string path_of(const std::string& kernel) { return std::string(G80_SOURCE_DIR) + "/kernels/" + kernel; }

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_of(""))) {
    if (std::filesystem::exists(entry.path() / "scenario.toml")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct MachineRun {
  std::string kernel;
  std::string device{};             // empty: the scenario's own
  Assignments args{};
  std::vector<std::string> sets{};  // --set
  bool no_sleep = false;
  bool lockstep = true;
  std::uint64_t seed = 1;
};

RunResult execute(const MachineRun& run) {
  const Scenario scenario = read_scenario(path_of(run.kernel) + "/scenario.toml");
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, run.device, run.sets);
  MachineOptions machine;
  machine.no_sleep = run.no_sleep;
  machine.lockstep = run.lockstep;
  GpuBackend backend(config, machine);
  RunOptions options;
  options.args = run.args;
  options.seed = run.seed;
  RunResult result = run_scenario(scenario, module, config, options, backend);
  if (run.lockstep) {
    EXPECT_EQ(backend.lockstep()->counters().instructions, totals(result).warp_instructions)
        << "the reference stepped what the model issued";
  }
  return result;
}

std::string statistics(const MachineRun& run) { return statistics_json({execute(run)}); }

/// Every SM accounts for each scheduler cycle of a launch, and the blocks of the grid ended exactly once.
void expect_counters_add_up(const RunResult& result) {
  for (const LaunchResult& launch : result.launches) {
    std::uint64_t blocks = 0;
    for (const SmCounters& sm : launch.sms) {
      const std::uint64_t stalls = std::accumulate(sm.stall.begin(), sm.stall.end(), std::uint64_t{0},
                                                   [](std::uint64_t sum, const NamedCount& s) { return sum + s.second; });
      EXPECT_EQ(sm.issued + stalls, sm.scheduler_cycles) << launch.kernel;
      EXPECT_EQ(sm.issued, sm.warp_instructions);
      EXPECT_LE(sm.divergent_branches, sm.branches);
      EXPECT_LE(sm.bank_conflict_passes, sm.shared_passes);
      EXPECT_LE(sm.thread_instructions, sm.warp_instructions * kWarpSize);
      if (launch.end == LaunchEnd::kFinished) {
        EXPECT_EQ(sm.scheduler_cycles, (launch.shader_cycles + 1) / 2) << launch.kernel;
        EXPECT_EQ(std::accumulate(sm.active_lanes.begin(), sm.active_lanes.end(), std::uint64_t{0}), sm.warp_instructions);
      }
      blocks += sm.blocks;
    }
    if (launch.end == LaunchEnd::kFinished) {
      EXPECT_EQ(blocks, std::uint64_t{launch.grid[0]} * launch.grid[1]);
    }
  }
}

/// Arguments that fit the smallest machine (blocks of up to 128 threads), for kernels whose defaults do not.
Assignments tiny_arguments(const std::string& kernel) {
  if (kernel == "matrix_mul") return {{"tile", "8"}, {"width", "24"}};
  if (kernel == "dot_product") return {{"n", "2000"}, {"block", "64"}};
  const Scenario scenario = read_scenario(path_of(kernel) + "/scenario.toml");
  for (const ArgumentDecl& argument : scenario.args) {
    if (argument.name == "block" && std::atoi(argument.default_value.text.c_str()) > 128) return {{"block", "128"}};
  }
  return {};
}

/// square_array launches blocks of 512 threads, whatever its arguments.
bool needs_large_blocks(const std::string& kernel) { return kernel.rfind("square_array", 0) == 0; }

class OnTheMachine : public ::testing::TestWithParam<std::string> {};

TEST_P(OnTheMachine, EndsOnThe8600GtsAsItsScenarioSays) {
  const RunResult result = execute({GetParam(), "8600gts"});
  EXPECT_TRUE(as_expected(result)) << verdict(result) << "\n" << run_details(result);
  EXPECT_EQ(result.compared, result.expectation == "pass");
  expect_counters_add_up(result);
}

TEST_P(OnTheMachine, EndsOnTheSmallestMachineAsItsScenarioSays) {
  MachineRun run{GetParam(), "tiny", tiny_arguments(GetParam())};
  if (needs_large_blocks(GetParam())) {
    run.sets = {"device.max_threads_per_block=512", "device.max_block_x=512", "sm.max_warps=16", "sm.max_threads=512",
                "sm.num_registers=8192"};
    run.args = {{"blocks", "2"}, {"per_thread", "8"}};
  }
  const RunResult result = execute(run);
  EXPECT_TRUE(as_expected(result)) << verdict(result) << "\n" << run_details(result);
  expect_counters_add_up(result);
}

TEST_P(OnTheMachine, RepeatsExactlyAndSleepChangesNothing) {
  MachineRun run{GetParam(), "8600gts"};
  if (needs_large_blocks(GetParam())) run.args = {{"blocks", "4"}, {"per_thread", "16"}};
  if (GetParam() == "matrix_mul") run.args = {{"width", "32"}};
  if (GetParam() == "reduction_endless" || GetParam() == "dot_product_hang") run.sets = {"gpu.hang_cycles=10000"};
  const std::string first = statistics(run);
  EXPECT_EQ(statistics(run), first) << "a second run";
  run.no_sleep = true;
  EXPECT_EQ(statistics(run), first) << "--no-sleep";
}

TEST_P(OnTheMachine, IssuesWhatTheReferenceIssues) {
  const Scenario scenario = read_scenario(path_of(GetParam()) + "/scenario.toml");
  if (scenario.expect != Expectation::kPass) GTEST_SKIP() << "ends when it is found out";
  if (!scenario.order_dependent.empty()) GTEST_SKIP() << scenario.order_dependent;
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, "8600gts", {});
  GoldenBackend reference(config);
  const RunTotals golden = totals(run_scenario(scenario, module, config, {}, reference));
  const RunTotals seen = totals(execute({GetParam(), "8600gts"}));
  EXPECT_EQ(seen.warp_instructions, golden.warp_instructions);
  EXPECT_EQ(seen.thread_instructions, golden.thread_instructions);
  EXPECT_EQ(seen.branches, golden.branches);
  EXPECT_EQ(seen.divergent_branches, golden.divergent_branches);
}

INSTANTIATE_TEST_SUITE_P(Kernels, OnTheMachine, ::testing::ValuesIn(kernel_names()),
                         [](const auto& info) { return info.param; });

/// What must not change a result: the order in which warps issue, paths run and blocks start.
class Variation : public ::testing::TestWithParam<std::string> {};

TEST_P(Variation, ChangesNoResult) {
  for (const char* kernel : {"vec_add", "reduction_interleaved", "divergence_in_warp", "local_spill", "atomics", "texture_read",
                             "constant_read", "global_sync"}) {
    const RunResult result = execute({kernel, "8600gts", {}, {GetParam()}, false, true, 7});
    EXPECT_TRUE(as_expected(result)) << kernel << ": " << verdict(result) << "\n" << run_details(result);
    EXPECT_TRUE(result.compared);
    expect_counters_add_up(result);
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, Variation,
                         ::testing::Values("sm.scheduler=loose_round_robin", "sm.scheduler=oldest_first",
                                           "sm.scheduler=greedy_then_oldest", "sm.divergence_first=fallthrough", "gpu.cta_order=shuffled"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

TEST(Lockstep, ChangesNoCycle) {
  for (const char* kernel : {"vec_add", "reduction_sequential", "texture_read", "atomics"}) {
    MachineRun run{kernel, "8600gts"};
    const std::string checked = statistics(run);
    run.lockstep = false;
    EXPECT_EQ(statistics(run), checked) << kernel;
  }
}

TEST(LargestMachine, RunsKernelsOfEachKind) {
  for (const char* kernel : {"vec_add", "dot_product", "reduction_sequential", "local_spill", "texture_read", "constant_read",
                             "sfu_functions", "coordinates"}) {
    const RunResult result = execute({kernel, "8800gtx"});
    EXPECT_TRUE(as_expected(result)) << kernel << ": " << verdict(result) << "\n" << run_details(result);
    expect_counters_add_up(result);
    EXPECT_EQ(result.launches.front().sms.size(), 16u);
  }
}

}  // namespace
}  // namespace g80
