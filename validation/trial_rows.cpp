// SPDX-License-Identifier: Apache-2.0
// The seven times of square_array on a GeForce 8600 GTS.
//
// A slice is twelve blocks, three for each SM. It runs twice: with the SMs in step, as they start, and with the SMs a
// quarter of a block apart. In step the SMs slow each other down, because their blocks lie 128 KB apart and access the
// same DRAM banks at the same time. In a long run the SMs drift between both states. A slice cannot show how long they
// stay in step, so the mean of both runs is extrapolated.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/run/execute.h"
#include "hw/common/input_error.h"
#include "hw/config/data_folder.h"
#include "hw/isa/float_bits.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/scenario_file.h"
#include "validation/experiment.h"
#include "validation/rows.h"
#include "validation/staggered_start.h"

namespace g80::silicon {
namespace {

constexpr unsigned kAllBlocks = 1024, kThreads = 512, kPerThread = 64, kSms = 4, kSliceBlocks = 3 * kSms;
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

/// square_array whose first block on each SM begins `apart` cycles after the one before it.
std::string spread_kernel(std::uint32_t apart) {
  std::string text = read_text_file(data_path("kernels/square_array/square_array.sasm"));
  return text.insert(text.find("  mov b16 $r1l"), staggered(Waits::kFirstBlock, kSms, apart));
}

struct Slice {
  double first_wave = 0;  // cycles from the launch to the end of the first block of every SM, mean
  double block = 0;       // cycles of a block while every SM is busy
  double tail = 0;        // from the last end to the end of the launch
  Words result;
};

Slice run_slice(unsigned trial, std::uint32_t apart, ExperimentRunner& runner) {
  const Shape& shape = kShapes[trial - 1];
  const std::uint32_t elements = kSliceBlocks * kThreads * kPerThread;
  Experiment experiment;
  experiment.kernel = spread_kernel(apart);
  experiment.device = kDevice;
  experiment.grid = {kSliceBlocks, 1, 1};
  experiment.block = {kThreads, 1, 1};
  experiment.buffers = {Words(elements)};
  for (std::uint32_t i = 0; i < elements; ++i) experiment.buffers[0][i] = isa::bits_of(static_cast<float>(i));
  experiment.params = {elements,          kPerThread,   1u << shape.stride_log2,
                       shape.stride_log2, shape.offset, shape.group_log2};
  experiment.watch = Watch::kEvents;
  const Observation seen = runner.run(experiment);
  std::map<unsigned, unsigned> ended;            // warps, by SM
  std::map<unsigned, std::vector<double>> ends;  // of blocks: an SM has one at a time
  std::vector<double> issues;
  double start = 0, last = 0;
  std::uint32_t start_pc = 0;
  for (const MachineEvent& event : seen.events) {
    const auto cycle = static_cast<double>(event.cycle);
    if (start == 0 && event.kind == EventKind::kWarpStart) {
      start = cycle;
      start_pc = event.pc;
    }
    if (event.kind == EventKind::kIssue && event.pc >= start_pc + staggered_bytes(Waits::kFirstBlock))
      issues.push_back(cycle);
    if (event.kind != EventKind::kWarpEnd || ++ended[event.unit] % (kThreads / kWarpSize) != 0) continue;
    ends[event.unit].push_back(cycle);
    last = cycle;
  }
  // All blocks have the same number of instructions. So the instructions issued between the end of the last SM's first
  // block and the first end of an SM's last block tell how many blocks that time corresponds to.
  Slice slice;
  double from = 0, to = last;
  for (const auto& [sm, at] : ends) {
    slice.first_wave += (at.front() - start) / kSms;
    from = std::max(from, at.front());
    to = std::min(to, at.back());
  }
  const auto in_between = static_cast<double>(
      std::count_if(issues.begin(), issues.end(), [&](double cycle) { return cycle > from && cycle <= to; }));
  const double blocks = in_between * kSliceBlocks / static_cast<double>(issues.size());
  slice.block = (to - from) * kSms / blocks;
  slice.tail = static_cast<double>(seen.result.shader_cycles) - (last - start);
  slice.result = seen.buffers.at(0);
  return slice;
}

double milliseconds_of_slices(unsigned trial, ExperimentRunner& runner) {
  const Slice in_step = run_slice(trial, 0, runner);
  const Slice apart = run_slice(trial, static_cast<std::uint32_t>(in_step.block / kSms), runner);
  if (in_step.result != apart.result)
    throw InputError(fmt::format("square_array, trial {}: results differ between two runs", trial));
  const double block = (in_step.block + apart.block) / 2;
  constexpr unsigned kWaves = kAllBlocks / kSms;
  const double cycles = in_step.first_wave + block * (kWaves - 1) + in_step.tail;
  return cycles / (load_config(kDevice, runner.sets()).clock.shader_mhz * 1e3);
}

#define TRIAL(number, ms, what, decided)                                       \
  {                                                                            \
    "trial" #number, 'A', "8600gts", what, "ms", ms, ms, kSource, decided,     \
        [](Bench& b) { return trial_milliseconds(number, false, b.runner()); } \
  }

const std::vector<Row> kTrialRows = {
    TRIAL(1, 14.5, "stride 32, offset 0, groups of 512", "latency of a load, and the DRAM's row activations"),
    TRIAL(2, 14.7, "stride 16, offset 0, groups of 512", "latency of a load, and the DRAM's row activations"),
    TRIAL(3, 86.0, "stride 8, offset 0, groups of 512", "DRAM data bus; the window keeps rows together"),
    TRIAL(4, 93.5, "stride 32, offset 1, groups of 512", "DRAM data bus; balance of the partitions"),
    TRIAL(5, 14.4, "stride 32, offset 0, groups of 16", "as trial 1: each side owns whole half-warps"),
    TRIAL(6, 22.1, "stride 32, offset 0, groups of 8", "DRAM data bus; each half-warp moves 64 bytes for each side"),
    TRIAL(7, 85.5, "stride 8, offset 1, groups of 8", "DRAM data bus; the window keeps rows together"),
};

}  // namespace

double trial_milliseconds(unsigned trial, bool full, ExperimentRunner& runner) {
  return full ? milliseconds_in_full(trial, runner) : milliseconds_of_slices(trial, runner);
}

const std::vector<Row>& trial_rows() { return kTrialRows; }

}  // namespace g80::silicon
