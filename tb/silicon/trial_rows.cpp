// The seven times of square_array on a GeForce 8600 GTS.
#include <fmt/format.h>

#include "source_dir.h"
#include "tb/main/execute.h"
#include "tb/scenario/input_error.h"
#include "tb/scenario/scenario_file.h"
#include "tb/silicon/rows.h"

namespace g80::silicon {
namespace {

constexpr unsigned kAllBlocks = 1024, kFewBlocks = 8, kManyBlocks = 16;
constexpr const char* kSource = "mean of 1000 runs on a GeForce 8600 GTS, 2^25 elements";

double milliseconds(unsigned trial, unsigned blocks) {
  static const Scenario scenario = read_scenario(G80_SOURCE_DIR "/kernels/square_array/scenario.toml");
  CommonRunOptions common;
  common.simulation.check = "off";
  common.simulation.check_given = true;
  RunOptions options;
  options.args = {{"trial", std::to_string(trial)}, {"blocks", std::to_string(blocks)}};
  const RunResult result = execute(scenario, common, options);
  if (!as_expected(result)) throw InputError(fmt::format("square_array, trial {}: the result differs from its golden", trial));
  return static_cast<double>(totals(result).shader_cycles) / (result.shader_mhz * 1e3);
}

#define TRIAL(number, ms, what, decided)                                                            \
  {"trial" #number, 'A', "8600gts", what, "ms", ms, ms, kSource, decided,                          \
   [](const Bench&) { return trial_milliseconds(number, false); }}

const std::vector<Row> kRows = {
    TRIAL(1, 14.5, "stride 32, offset 0, groups of 512", "latency of a load, and the DRAM's row activations"),
    TRIAL(2, 14.7, "stride 16, offset 0, groups of 512", "latency of a load, and the DRAM's row activations"),
    TRIAL(3, 86.0, "stride 8, offset 0, groups of 512", "DRAM data bus; the window keeps rows together"),
    TRIAL(4, 93.5, "stride 32, offset 1, groups of 512", "DRAM data bus; balance of the partitions"),
    TRIAL(5, 14.4, "stride 32, offset 0, groups of 16", "as trial 1: each side owns whole half-warps"),
    TRIAL(6, 22.1, "stride 32, offset 0, groups of 8", "DRAM data bus; each half-warp moves 64 bytes for each side"),
    TRIAL(7, 85.5, "stride 8, offset 1, groups of 8", "DRAM data bus; the window keeps rows together"),
};

}  // namespace

double trial_milliseconds(unsigned trial, bool full) {
  if (full) return milliseconds(trial, kAllBlocks);
  const double few = milliseconds(trial, kFewBlocks), many = milliseconds(trial, kManyBlocks);
  return many + (many - few) / (kManyBlocks - kFewBlocks) * (kAllBlocks - kManyBlocks);
}

const std::vector<Row>& trial_rows() { return kRows; }

}  // namespace g80::silicon
