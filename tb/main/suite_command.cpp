// g80 suite: the main job. Every scenario with a [[suite]] entry, one table, statistics, waves of one of them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tb/main/commands.h"
#include "tb/main/execute.h"
#include "tb/main/scenario_locator.h"
#include "tb/report/statistics.h"
#include "tb/report/summary_table.h"
#include "tb/scenario/input_error.h"
#include "tb/scenario/scenario_file.h"

namespace g80 {
namespace {

/// With the view that was written beside the waves, if there is one.
std::string gtkwave_command(const std::string& wave) {
  const std::string view = std::filesystem::path(wave).replace_extension(".gtkw").string();
  return std::filesystem::exists(view) ? fmt::format("gtkwave {} {}", wave, view) : fmt::format("gtkwave {}", wave);
}

}  // namespace

int suite_command(const SuiteCommand& options) {
  check_options(options.common);
  std::vector<Scenario> scenarios;
  for (const std::string& file : kernel_scenarios()) {
    Scenario scenario = read_scenario(file);
    if (!scenario.suite.empty() && scenario.name.find(options.only) != std::string::npos)
      scenarios.push_back(std::move(scenario));
  }
  if (scenarios.empty())
    throw InputError(fmt::format("--only {}: no scenario of the suite has this in its name", options.only));
  const auto is_waved = [&](const Scenario& scenario) { return scenario.name == options.wave_kernel; };
  const SimulationOptions& simulation = options.common.simulation;
  if (!simulation.wave.empty() && std::none_of(scenarios.begin(), scenarios.end(), is_waved)) {
    throw InputError(fmt::format("--wave-kernel {}: no scenario of this suite has that name", options.wave_kernel));
  }

  std::vector<RunResult> results;
  bool waves_written = false;
  for (const Scenario& scenario : scenarios) {
    for (const auto& arguments : scenario.suite) {
      RunOptions run;
      run.args.assign(arguments.begin(), arguments.end());
      run.seed = options.common.seed;
      run.max_cycles = options.common.max_cycles;
      CommonRunOptions common = options.common;
      if (waves_written || !is_waved(scenario)) common.simulation.wave.clear();  // the first run of that scenario
      waves_written |= !common.simulation.wave.empty();
      results.push_back(execute(scenario, common, run));
    }
  }
  fmt::print("{}", summary_table(results));
  int code = kExitPass;
  for (const RunResult& result : results) {
    if (as_expected(result)) continue;
    fmt::print("{}: {}\n{}", result.scenario, verdict(result), run_details(result));
    code = std::max(code, exit_code(result));
  }
  if (!options.common.stats.empty()) write_statistics(options.common.stats, results);
  if (waves_written) fmt::print("waves of {}: {}\n", options.wave_kernel, gtkwave_command(simulation.wave));
  return code;
}

}  // namespace g80
