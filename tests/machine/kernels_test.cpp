// SPDX-License-Identifier: Apache-2.0
// Every kernel of the project on four chips, in lock-step: it ends as its scenario says, equals its golden, issues what
// the reference issues, and the counters add up.
#include <gtest/gtest.h>

#include "input/input_error.h"
#include "tb/scenario/golden_backend.h"
#include "tests/machine/machine_run.h"
#include "tests/support/data_dirs.h"

namespace g80 {
namespace {

using testing::execute;
using testing::expect_counters_add_up;
using testing::kernel_names;
using testing::kernel_path;
using testing::MachineRun;
using testing::scenario_of;

/// Fewer blocks for the smallest machine, which has one SM.
Assignments tiny_arguments(const std::string& kernel) {
  if (kernel == "matrix_mul") return {{"tile", "8"}, {"width", "24"}};
  if (kernel == "dot_product") return {{"n", "2000"}};
  if (kernel.rfind("square_array", 0) == 0) return {{"blocks", "2"}, {"per_thread", "8"}};
  return {};
}

/// The smallest machine and one chip of each compute capability run every kernel; any other preset runs each sixth.
bool is_sampled(const std::string& preset) {
  return preset != "tiny" && preset != "8600gts" && preset != "8800gtx" && preset != "gtx280";
}

/// `g80 suite --device PRESET` has these: kernels whose runs are long for 30 SMs, and those that are not in the sample.
bool is_left_to_the_suite(std::size_t index, const std::string& kernel, const std::string& preset) {
  if (is_sampled(preset)) return index % 6 != 0;
  return preset == "gtx280" &&
         (kernel.rfind("square_array", 0) == 0 || kernel == "reduction_endless" || kernel == "dot_product_hang");
}

void expect_runs_as_on_the_reference(const MachineRun& run, const Scenario& scenario) {
  const RunResult result = execute(run).result;
  EXPECT_TRUE(as_expected(result)) << verdict(result) << "\n" << run_details(result);
  EXPECT_EQ(result.compared, scenario.expect == Expectation::kPass);
  expect_counters_add_up(result);
  if (scenario.expect != Expectation::kPass || scenario.name == "block_flag")
    return;  // their number of instructions depends on time
  const Config config = scenario_config(scenario, run.device, run.sets);
  GoldenBackend reference(config);
  RunOptions options;
  options.args = run.args;
  const RunTotals golden = totals(run_scenario(scenario, load_module(scenario), config, options, reference));
  const RunTotals seen = totals(result);
  EXPECT_EQ(seen.warp_instructions, golden.warp_instructions);
  EXPECT_EQ(seen.thread_instructions, golden.thread_instructions);
  EXPECT_EQ(seen.branches, golden.branches);
  EXPECT_EQ(seen.divergent_branches, golden.divergent_branches);
}

class Chip : public ::testing::TestWithParam<std::string> {};

TEST_P(Chip, RunsEveryKernelInLockStep) {
  const std::string preset = GetParam();
  const Config chip = load_config(preset);
  std::size_t right = 0, total = 0, left = 0;
  const std::vector<std::string> kernels = kernel_names();
  for (std::size_t index = 0; index < kernels.size(); ++index) {
    const std::string& kernel = kernels[index];
    if (is_left_to_the_suite(index, kernel, preset)) {
      ++left;
      continue;
    }
    SCOPED_TRACE(kernel + " on " + preset);
    const Scenario scenario = scenario_of(kernel);
    const auto level = static_cast<unsigned>(load_module(scenario).arch);
    MachineRun run{kernel, preset};
    // The chip's own shape, also for scenarios that choose one.
    run.sets = {fmt::format("gpu.num_tpcs={}", chip.gpu.num_tpcs),
                fmt::format("gpu.sms_per_tpc={}", chip.gpu.sms_per_tpc)};
    if (preset == "tiny") run.args = tiny_arguments(kernel);
    const auto failures = [] {
      return ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
    };
    const int before = failures();
    try {
      expect_runs_as_on_the_reference(run, scenario);
    } catch (const InputError& refusal) {
      const std::string reason = refusal.what();
      std::printf("%s: %s\n", kernel.c_str(), reason.c_str());
      EXPECT_GT(level, chip.device.compute_minor) << reason;
      EXPECT_NE(reason.find(fmt::format("the kernel needs sm_1{}", level)), std::string::npos) << reason;
      continue;  // this chip has no such instructions
    }
    ++total;
    right += failures() == before;
  }
  test::tally("kernels", right, total, "kernels/*/scenario.toml on the cycle model (" + preset + ")");
  EXPECT_GE(total + left, kernels.size() - 1);
  EXPECT_LE(left, is_sampled(preset) ? kernels.size() * 5 / 6 : 4u);
}

INSTANTIATE_TEST_SUITE_P(Presets, Chip, ::testing::ValuesIn(preset_names()),
                         [](const auto& info) { return std::string("On_") + info.param; });

}  // namespace
}  // namespace g80
