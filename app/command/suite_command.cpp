// SPDX-License-Identifier: Apache-2.0
// g80 suite: runs every scenario with a [[suite]] entry. Prints one table; writes statistics, and waves of one run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>

#include "app/command/commands.h"
#include "app/command/scenario_locator.h"
#include "app/report/cycle_record.h"
#include "app/report/hot_listing.h"
#include "app/report/statistics.h"
#include "app/report/summary_table.h"
#include "app/run/execute.h"
#include "hw/common/input_error.h"
#include "hw/config/data_folder.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/scenario_file.h"

namespace g80 {
namespace {

/// The command that opens a wave with the project's view, from the current folder.
std::string view_command(const std::string& wave) {
  namespace fs = std::filesystem;
  constexpr const char* kViewer = "waves/view";
  const std::optional<fs::path> data = find_data_folder();
  if (!data || !fs::exists(*data / kViewer)) return fmt::format("gtkwave {}", wave);
  std::error_code other;
  const bool here = fs::equivalent(fs::current_path(), *data, other);
  return fmt::format("{} {}", here ? kViewer : (*data / kViewer).string(), wave);
}

/// True if the user chose a window. Without one, waves show the launch but not the copies around it.
bool has_window(const SimulationOptions& simulation) {
  return simulation.wave_from != 0 || simulation.wave_to != 0 || !simulation.wave_on.empty();
}

/// One row of the table.
struct Run {
  const Scenario& scenario;
  const std::map<std::string, std::string>& arguments;
  std::string label;
};

/// A name for one of several runs of a scenario: the first argument that varies.
std::string label_of(const Scenario& scenario, const std::map<std::string, std::string>& arguments) {
  for (const auto& [name, value] : arguments) {
    for (const auto& other : scenario.suite) {
      const auto same = other.find(name);
      if (same == other.end() || same->second != value) return fmt::format("{} {}={}", scenario.name, name, value);
    }
  }
  return scenario.name;
}

std::vector<Run> runs_of(const std::vector<Scenario>& scenarios) {
  std::vector<Run> runs;
  for (const Scenario& scenario : scenarios) {
    for (const auto& arguments : scenario.suite) runs.push_back({scenario, arguments, label_of(scenario, arguments)});
  }
  return runs;
}

/// Reads the record of cycles that --against or --bless names. Empty without one, or if --bless creates it.
std::vector<CycleRow> recorded_cycles(const SuiteCommand& options) {
  if (options.against.empty() && options.bless.empty()) return {};
  if (!options.against.empty() && !options.bless.empty())
    throw InputError("--against compares with a record and --bless writes one: give one of them");
  if (options.common.model != "gpu")
    throw InputError(fmt::format("--model {}: this model has no cycles to compare", options.common.model));
  if (!options.against.empty()) return read_cycle_record(options.against);
  if (!options.common.sets.empty()) throw InputError("--bless records the presets: leave --set out");
  check_writable("--bless", options.bless);
  if (!std::filesystem::exists(options.bless)) return {};
  return read_cycle_record(options.bless);
}

/// Prints the changes against the record. With --bless, writes the new figures if the user confirms.
int judge_cycles(const SuiteCommand& options, const std::vector<CycleRow>& recorded,
                 const std::vector<RunResult>& results) {
  std::vector<CycleRow> measured;
  for (const RunResult& result : results) measured.push_back(cycle_row(result));
  const bool whole = options.only.empty() && options.bless.empty();
  const std::vector<std::string> differences = cycle_differences(recorded, measured, whole);
  for (const std::string& difference : differences) fmt::print("{}\n", difference);
  const std::string& file = options.against.empty() ? options.bless : options.against;
  if (differences.empty()) {
    fmt::print("{}: cycles and counters are the recorded ones\n", file);
    return kExitPass;
  }
  if (options.bless.empty()) return kExitDiffers;
  fmt::print("write {} changed runs to {}? [y/N] ", differences.size(), file);
  std::fflush(stdout);
  std::string answer;
  std::getline(std::cin, answer);
  if (answer != "y" && answer != "yes") {
    fmt::print("{} stays as it is\n", file);
    return kExitDiffers;
  }
  write_cycle_record(file, merged(recorded, measured));
  return kExitPass;
}

}  // namespace

int suite_command(const SuiteCommand& options) {
  check_options(options.common);
  if (!options.common.simulation.report.empty())
    throw InputError("--report is a page of one run: g80 run X --report F.html");
  std::vector<Scenario> scenarios;
  for (const std::string& file : kernel_scenarios()) {
    Scenario scenario = read_scenario(file);
    if (!scenario.suite.empty() && scenario.name.find(options.only) != std::string::npos)
      scenarios.push_back(std::move(scenario));
  }
  if (scenarios.empty())
    throw InputError(fmt::format("--only {}: no scenario of the suite has a name that contains this", options.only));
  const auto is_waved = [&](const Scenario& scenario) { return scenario.name == options.wave_kernel; };
  const SimulationOptions& simulation = options.common.simulation;
  if (!simulation.wave.empty() && std::none_of(scenarios.begin(), scenarios.end(), is_waved)) {
    throw InputError(fmt::format("--wave-kernel {}: no scenario of this suite has that name", options.wave_kernel));
  }

  const std::vector<CycleRow> recorded = recorded_cycles(options);
  const std::vector<Run> runs = runs_of(scenarios);
  std::size_t label_width = 0;
  for (const Run& run : runs) label_width = std::max(label_width, run.label.size());
  fmt::print("{}", summary_head(label_width));
  std::vector<RunResult> results;
  std::vector<std::string> left_out;
  bool waves_written = false;
  for (const Run& one : runs) {
    RunOptions run;
    run.args.assign(one.arguments.begin(), one.arguments.end());
    run.seed = options.common.seed;
    run.max_cycles = options.common.max_cycles;
    CommonRunOptions common = options.common;
    if (waves_written || !is_waved(one.scenario)) common.simulation.wave.clear();  // the first run of that scenario
    if (!common.simulation.wave.empty()) {
      if (!has_window(common.simulation)) common.simulation.wave_on = "launch";
      waves_written = true;
    }
    try {
      results.push_back(execute(one.scenario, common, run));
    } catch (const InputError& error) {
      // A kernel may not fit a device that the user chose. On the scenarios' own devices all fit, so that is an error.
      if (options.common.device.empty() && options.common.sets.empty()) throw;
      left_out.push_back(error.what());
      continue;
    }
    fmt::print("{}", summary_row(results.back(), one.label, label_width));
    std::fflush(stdout);
  }
  for (const RunResult& result : results) {
    if (options.common.hot != 0) fmt::print("{}", hot_listing(result, options.common.hot));
  }
  for (const std::string& reason : left_out) fmt::print("left out: {}\n", reason);
  if (results.empty()) throw InputError("no kernel of the suite runs on this device");
  const auto right = std::count_if(results.begin(), results.end(), as_expected);
  fmt::print("{} of {} runs came out as expected\n", right, results.size());
  int code = kExitPass;
  bool wave_missing = false;
  for (const RunResult& result : results) {
    wave_missing = wave_missing || result.records_missing;
    if (as_expected(result)) continue;
    fmt::print("{}: {}\n{}", result.scenario, verdict(result), run_details(result));
    code = std::max(code, exit_code(result));
  }
  if (!options.common.stats.empty()) write_statistics(options.common.stats, results);
  if (options.against.empty()) tell_what_rtl_is_not_compared_with(simulation);
  if (!options.against.empty() || !options.bless.empty())
    code = std::max(code, judge_cycles(options, recorded, results));
  if (wave_missing) return std::max<int>(code, kExitDiffers);  // reported above
  if (waves_written) fmt::print("waves of {}:\n    {}\n", options.wave_kernel, view_command(simulation.wave));
  return code;
}

}  // namespace g80
