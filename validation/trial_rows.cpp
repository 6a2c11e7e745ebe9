// SPDX-License-Identifier: Apache-2.0
// The seven times of square_array on a GeForce 8600 GTS.
//
// A slice is 64 blocks, sixteen for each SM. The SMs start in step, and because their blocks lie 128 KB apart, all of
// them then access the same partition at the same time. In trials 3 and 7, which read whole 2 KB runs in steps of 32
// bytes, that takes half as long again. They drift apart, within 20 to 60 blocks in most runs, and now and then meet
// again for some blocks. So the rate is measured behind the first 28 blocks, and in trials 3 and 7 it depends on the
// length of the slice: lengths of 57 to 75 blocks give 84 to 121 ms, all 1024 blocks 86. docs/accuracy.md has the full
// runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/run/execute.h"
#include "hw/config/data_folder.h"
#include "hw/isa/float_bits.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/scenario_file.h"
#include "validation/experiment.h"
#include "validation/rows.h"

namespace g80::silicon {
namespace {

constexpr unsigned kAllBlocks = 1024, kThreads = 512, kPerThread = 64, kSms = 4;
constexpr unsigned kSlice = 64;     // blocks
constexpr unsigned kUnsettled = 7;  // blocks of each SM before the rate is measured
constexpr const char* kDevice = "8600gts";
constexpr const char* kSource = "mean of 1000 runs on a GeForce 8600 GTS, 2^25 elements";

struct Shape {
  unsigned stride_log2, offset, group_log2;
};
constexpr std::array<Shape, 7> kShapes = {
    {{5, 0, 9}, {4, 0, 9}, {3, 0, 9}, {5, 1, 9}, {5, 0, 4}, {5, 0, 3}, {3, 1, 3}}};

double milliseconds_in_full(unsigned trial, ExperimentRunner& runner) {
  static const Scenario scenario = read_scenario(data_path("kernels/square_array/scenario.toml"));
  CommonRunOptions common;
  common.simulation.check = "off";
  common.simulation.check_given = true;
  common.sets = runner.sets();
  RunOptions options;
  options.args = {{"trial", std::to_string(trial)}, {"blocks", std::to_string(kAllBlocks)}};
  const RunResult result = execute(scenario, common, options);
  if (!as_expected(result))
    throw InputError(fmt::format("square_array, trial {}: the result differs from its golden", trial));
  runner.note(where_of(result.launches.front(), load_config(kDevice, runner.sets())));
  return static_cast<double>(totals(result).shader_cycles) / (result.shader_mhz * 1e3);
}

double milliseconds_of_slice(unsigned trial, ExperimentRunner& runner) {
  const Shape& shape = kShapes[trial - 1];
  constexpr std::uint32_t kElements = kSlice * kThreads * kPerThread;
  Experiment experiment;
  experiment.kernel = read_text_file(data_path("kernels/square_array/square_array.sasm"));
  experiment.device = kDevice;
  experiment.grid = {kSlice, 1, 1};
  experiment.block = {kThreads, 1, 1};
  experiment.buffers = {Words(kElements)};
  for (std::uint32_t i = 0; i < kElements; ++i) experiment.buffers[0][i] = isa::bits_of(static_cast<float>(i));
  experiment.params = {kElements,         kPerThread,   1u << shape.stride_log2,
                       shape.stride_log2, shape.offset, shape.group_log2};
  experiment.watch = Watch::kEvents;
  const Observation seen = runner.run(experiment);
  std::map<unsigned, unsigned> ended;            // warps, by SM
  std::map<unsigned, std::vector<double>> ends;  // of blocks: an SM has one at a time
  std::vector<double> issues;
  double start = 0, last = 0;
  for (const MachineEvent& event : seen.events) {
    const auto cycle = static_cast<double>(event.cycle);
    if (start == 0 && event.kind == EventKind::kWarpStart) start = cycle;
    if (event.kind == EventKind::kIssue) issues.push_back(cycle);
    if (event.kind != EventKind::kWarpEnd || ++ended[event.unit] % (kThreads / kWarpSize) != 0) continue;
    ends[event.unit].push_back(cycle);
    last = cycle;
  }
  double from = 0, to = last;
  for (const auto& [sm, at] : ends) {
    from = std::max(from, at.at(kUnsettled - 1));
    to = std::min(to, at.back());
  }
  // All blocks have the same number of instructions, so those issued until a cycle tell how many blocks that is.
  const auto blocks_until = [&](double cycle) {
    const auto issued = std::upper_bound(issues.begin(), issues.end(), cycle) - issues.begin();
    return static_cast<double>(issued) * kSlice / static_cast<double>(issues.size());
  };
  const double per_block = (to - from) / (blocks_until(to) - blocks_until(from));
  const double cycles =
      static_cast<double>(seen.result.shader_cycles) - (last - from) + (kAllBlocks - blocks_until(from)) * per_block;
  return cycles / (load_config(kDevice, runner.sets()).clock.shader_mhz * 1e3);
}

#define TRIAL(number, ms, what, decided, chance)                                                               \
  {                                                                                                            \
    "trial" #number, 'A', "8600gts", what, "ms", ms, ms, kSource, decided,                                     \
        [](Bench& b) { return trial_milliseconds(number, false, b.runner()); }, (chance) ? 0.25 : 0.10, chance \
  }

const std::vector<Row> kTrialRows = {
    TRIAL(1, 14.5, "stride 32, offset 0, groups of 512", "latency of a load, and the DRAM's row activations", false),
    TRIAL(2, 14.7, "stride 16, offset 0, groups of 512", "latency of a load, and the DRAM's row activations", false),
    TRIAL(3, 86.0, "stride 8, offset 0, groups of 512", "DRAM data bus; the window keeps rows together", true),
    TRIAL(4, 93.5, "stride 32, offset 1, groups of 512", "DRAM data bus; balance of the partitions", false),
    TRIAL(5, 14.4, "stride 32, offset 0, groups of 16", "as trial 1: each side owns whole half-warps", false),
    TRIAL(6, 22.1, "stride 32, offset 0, groups of 8", "DRAM data bus; each half-warp moves 64 bytes for each side",
          false),
    TRIAL(7, 85.5, "stride 8, offset 1, groups of 8", "DRAM data bus; the window keeps rows together", true),
};

}  // namespace

double trial_milliseconds(unsigned trial, bool full, ExperimentRunner& runner) {
  return full ? milliseconds_in_full(trial, runner) : milliseconds_of_slice(trial, runner);
}

const std::vector<Row>& trial_rows() { return kTrialRows; }

}  // namespace g80::silicon
