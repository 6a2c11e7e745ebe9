// SPDX-License-Identifier: Apache-2.0
// g80 suite: runs every scenario with a [[suite]] entry. Prints one table; writes statistics, and waves of one run.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/command/commands.h"
#include "app/command/scenario_locator.h"
#include "app/report/cycle_record.h"
#include "app/report/hot_listing.h"
#include "app/report/statistics.h"
#include "app/report/summary_table.h"
#include "app/run/execute.h"
#include "app/run/processes.h"
#include "app/run/terminal.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/scenario_file.h"

namespace g80 {
namespace {

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

/// What is printed and written of one run, as text: a process of its own hands it on.
struct RunEnd {
  std::string left_out;  // why it did not run; then the rest is empty
  std::string row, failure, hot, statistics;
  bool as_expected = false, wave_missing = false;
  int code = kExitPass;
  CycleRow cycles;
};

std::string as_text(const RunEnd& end) {
  const CycleRow& cycles = end.cycles;
  return nlohmann::json{end.left_out,     end.row,  end.failure,   end.hot,    end.statistics, end.as_expected,
                        end.wave_missing, end.code, cycles.device, cycles.run, cycles.verdict, cycles.counts}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

RunEnd run_end(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  return {json[0], json[1], json[2],
          json[3], json[4], json[5],
          json[6], json[7], {json[8], json[9], json[10], json[11].get<std::vector<std::uint64_t>>()}};
}

RunEnd run_one(const Run& one, const SuiteCommand& options, const CommonRunOptions& common, std::size_t label_width,
               std::size_t terminal) {
  RunOptions run;
  run.args.assign(one.arguments.begin(), one.arguments.end());
  run.seed = common.seed;
  run.max_cycles = common.max_cycles;
  RunResult result;
  try {
    result = execute(one.scenario, common, run);
  } catch (const InputError& error) {
    // A kernel may not fit a device that the user chose. On the scenarios' own devices all fit, so that is an error.
    if (common.device.empty() && common.sets.empty()) throw;
    RunEnd end;
    end.left_out = error.what();
    return end;
  }
  RunEnd end;
  end.row = summary_row(result, one.label, label_width, terminal);
  end.row.pop_back();  // the end of the line
  end.as_expected = as_expected(result);
  end.wave_missing = result.records_missing;
  if (!end.as_expected) {
    end.failure = fmt::format("{}: {}\n{}", result.scenario, verdict(result), run_details(result));
    end.code = exit_code(result);
  }
  if (common.hot != 0) end.hot = fold_lines(hot_listing(result, common.hot, terminal), terminal / 2, terminal);
  if (!common.stats.empty()) end.statistics = statistics_text(common.stats, {result});
  if (!options.against.empty() || !options.bless.empty()) end.cycles = cycle_row(result);
  return end;
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

struct Judgement {
  int code = kExitPass;
  std::string text;  // for the last line
};
/// Prints the changes against the record. With --bless, writes the new figures if the user confirms.
Judgement judge_cycles(const SuiteCommand& options, const std::vector<CycleRow>& recorded,
                       const std::vector<CycleRow>& measured) {
  const bool whole = options.only.empty();
  const std::vector<std::string> differences = cycle_differences(recorded, measured, whole);
  for (const std::string& difference : differences) fmt::print("{}\n", difference);
  const std::string& file = options.against.empty() ? options.bless : options.against;
  if (differences.empty()) return {kExitPass, fmt::format("cycles and counters are those of {}", file)};
  const std::string count = fmt::format("{} {}", differences.size(), differences.size() == 1 ? "change" : "changes");
  if (options.bless.empty()) return {kExitDiffers, fmt::format("{} against {}", count, file)};
  if (!confirmed(fmt::format("write {} to {}", count, file)))
    return {kExitDiffers, fmt::format("{} stays as it is", file)};
  write_cycle_record(file, merged(recorded, measured, whole));
  return {kExitPass, fmt::format("{} written to {}", count, file)};
}

/// The scenarios of the suite whose names have one of `parts`. Throws InputError if a part is in no name.
std::vector<Scenario> chosen_scenarios(const std::vector<std::string>& parts) {
  std::vector<Scenario> scenarios;
  std::set<std::string> found;
  for (const std::string& file : kernel_scenarios()) {
    Scenario scenario = read_scenario(file);
    if (scenario.suite.empty()) continue;
    bool chosen = parts.empty();
    for (const std::string& part : parts) {
      if (scenario.name.find(part) == std::string::npos) continue;
      found.insert(part);
      chosen = true;
    }
    if (chosen) scenarios.push_back(std::move(scenario));
  }
  for (const std::string& part : parts) {
    if (found.count(part) == 0)
      throw InputError(fmt::format("--only {}: no scenario of the suite has a name that contains this", part));
  }
  return scenarios;
}

}  // namespace

int suite_command(const SuiteCommand& options) {
  check_options(options.common);
  if (!options.common.simulation.report.empty())
    throw InputError("--report is a page of one run: g80 run X --report F.html");
  if (!options.common.simulation.timeline.empty())
    throw InputError("--timeline is of one run: g80 run X --timeline F.json");
  const std::vector<Scenario> scenarios = chosen_scenarios(options.only);
  const auto is_waved = [&](const Scenario& scenario) { return scenario.name == options.wave_kernel; };
  const SimulationOptions& simulation = options.common.simulation;
  if (!simulation.wave.empty() && std::none_of(scenarios.begin(), scenarios.end(), is_waved)) {
    throw InputError(fmt::format("--wave-kernel {}: no scenario of this suite has that name", options.wave_kernel));
  }

  const std::vector<CycleRow> recorded = recorded_cycles(options);
  const std::vector<Run> runs = runs_of(scenarios);
  const StatisticsFile statistics(options.common.stats);
  const std::size_t terminal = terminal_width(STDOUT_FILENO);
  std::size_t label_width = 0, waved = runs.size();  // the first run of that scenario has the wave
  for (const Run& run : runs) label_width = std::max(label_width, run.label.size());
  if (!simulation.wave.empty())
    waved = static_cast<std::size_t>(
        std::find_if(runs.begin(), runs.end(), [&](const Run& run) { return is_waved(run.scenario); }) - runs.begin());
  if (!options.quiet) fmt::print("{}", summary_head(label_width, terminal));
  std::vector<RunEnd> ends(runs.size());
  const int failed = run_in_processes(
      runs.size(), options.jobs,
      [&](std::size_t k) {
        CommonRunOptions common = options.common;
        if (k != waved) common.simulation.wave.clear();
        if (k == waved && !has_window(common.simulation)) common.simulation.wave_on = "launch";
        if (options.jobs == 1) show_progress(common);
        return as_text(run_one(runs[k], options, common, label_width, terminal));
      },
      [&](std::size_t k, const std::string& text) {
        const RunEnd& end = ends[k] = run_end(text);
        if (options.quiet) return;
        fmt::print("{}\n", end.as_expected ? end.row : coloured(end.row, Colour::kRed, STDOUT_FILENO));
        std::fflush(stdout);
      });
  if (failed != 0) return failed;

  int code = kExitPass;
  bool wave_missing = false;
  std::size_t right = 0, all = 0;
  std::vector<std::string> documents;
  std::vector<CycleRow> measured;
  for (const RunEnd& end : ends) fmt::print("{}", end.hot);
  for (const RunEnd& end : ends) {
    if (!end.left_out.empty()) {
      if (!options.quiet) fmt::print("left out: {}\n", end.left_out);
      continue;
    }
    ++all;
    right += end.as_expected ? 1 : 0;
    wave_missing = wave_missing || end.wave_missing;
    code = std::max(code, end.code);
    fmt::print("{}", end.failure);
    documents.push_back(end.statistics);
    measured.push_back(end.cycles);
  }
  if (all == 0) throw InputError("no kernel of the suite runs on this device");
  if (!options.common.stats.empty()) statistics.write(joined_statistics(options.common.stats, documents));
  std::string last = fmt::format("{} of {} runs came out as expected", right, all);
  if (!options.against.empty() || !options.bless.empty()) {
    const Judgement cycles = judge_cycles(options, recorded, measured);
    code = std::max(code, cycles.code);
    last += "; " + cycles.text;
  } else if (!options.quiet) {
    print_rtl_note(simulation);
  }
  if (wave_missing) code = std::max<int>(code, kExitDiffers);  // reported above
  if (waved != runs.size() && !wave_missing && !options.quiet)
    print_viewer_command(options.wave_kernel, simulation.wave);
  fmt::print("{}\n", last);
  return code;
}

}  // namespace g80
