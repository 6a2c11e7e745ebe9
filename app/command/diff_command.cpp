// SPDX-License-Identifier: Apache-2.0
// g80 diff: compares two runs.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/command/commands.h"
#include "app/command/scenario_locator.h"
#include "app/report/comparison.h"
#include "app/report/comparison_page.h"
#include "app/report/report.h"
#include "app/report/statistics.h"
#include "app/run/common_options.h"
#include "app/run/execute.h"
#include "app/run/terminal.h"
#include "input/input_error.h"
#include "tb/record/schedule.h"
#include "tb/scenario/arguments.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/run_result.h"

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;

Json read_statistics(const std::string& file) {
  const Json document = Json::parse(read_file(file), nullptr, false);
  if (document.is_discarded()) throw InputError(fmt::format("{}: this is not a statistics file of --stats", file));
  return document;
}

/// One side of the comparison: its statistics, and its schedule if the run has time.
struct Side {
  Json statistics;
  Schedule schedule;
  isa::Arch arch = isa::Arch::kSm10;
  bool records_missing = false;
};

void run_side(const DiffCommand& options, const std::string& text, const char* name, Side& side) {
  RunCommand run = options.run;
  run.common = parse_common_options(text, name);
  run.common.command = "g80 run " + shell_word(run.target);
  for (const std::string& argument : run.args) run.common.command += " --arg " + shell_word(argument);
  if (!text.empty()) run.common.command += " " + text;
  check_options(run.common);
  if (run.common.hot != 0) throw InputError(fmt::format("{}: --hot lists one run: g80 run X --hot N", name));
  if (!options.report.empty()) run.common.hot = 1;  // counts by instruction, for the page's lines
  run.common.simulation.events = &side.schedule;
  show_progress(run.common);
  const Scenario scenario = locate_scenario(run);
  RunOptions choices;
  for (const std::string& argument : run.args) choices.args.push_back(split_assignment(argument, "--arg"));
  choices.seed = run.common.seed;
  choices.max_cycles = run.common.max_cycles;
  const Config config = scenario_config(scenario, run.common.device, run.common.sets);
  side.arch = static_cast<isa::Arch>(config.device.compute_minor);
  const RunResult result = execute(scenario, run.common, choices);
  side.records_missing = result.records_missing;
  side.statistics = statistics_document({result});
  if (!run.common.stats.empty()) StatisticsFile(run.common.stats).write(statistics_text(run.common.stats, {result}));
  if (!run.common.simulation.report.empty()) write_report(run.common.simulation.report, result);
}

std::string schedule_text(const Side& a, const Side& b) {
  if (a.schedule.sms().empty() || b.schedule.sms().empty()) return "no schedules: the golden reference has no time\n";
  if (const auto parting = first_parting(a.schedule, b.schedule))
    return parting_text(*parting, a.schedule, b.schedule, a.arch);
  const bool cut = a.schedule.cut() || b.schedule.cut();
  return cut ? fmt::format("the schedules are equal for their first {} issues\n", Schedule::kMostIssues)
             : "the schedules are equal\n";
}

/// Results are equal and the gates hold; prints what is not so.
bool passes_gates(const Comparison& comparison, const std::vector<Gate>& gates, bool quiet) {
  bool passes = comparison.only_a.empty() && comparison.only_b.empty();
  const auto wrong = [&](const std::string& sentence) {
    fmt::print("{}\n", coloured(sentence, Colour::kRed, STDOUT_FILENO));
    passes = false;
  };
  for (const RunComparison& run : comparison.runs) {
    passes = passes && run.results_stay();
    if (quiet && !run.results_stay()) wrong(run.run + ": the results differ");
    if (run.rtl_changes_a_metric())
      wrong(run.run + ": the runs differ only in --rtl, so cycles and counters must be equal");
  }
  for (const Gate& gate : gates) {
    for (const std::string& sentence : broken(gate, comparison)) wrong(sentence);
  }
  return passes;
}

}  // namespace

int diff_command(const DiffCommand& options) {
  std::vector<Gate> gates;
  for (const std::string& gate : options.gates) gates.push_back(parse_gate(gate));
  if (!options.report.empty()) check_writable("--report", options.report);
  Side a, b;
  NamedStatistics documents;
  const bool runs = !options.run.target.empty();
  if (runs) {
    run_side(options, options.a, "--a", a);
    run_side(options, options.b, "--b", b);
    documents = {{"A", std::move(a.statistics)}, {"B", std::move(b.statistics)}};
  } else if (options.files.empty()) {
    throw InputError("give statistics files, or --run X (see g80 diff --help)");
  } else {
    for (const std::string& file : options.files) documents.emplace_back(file, read_statistics(file));
  }
  bool passes = true;
  for (std::size_t d = 1; d < documents.size(); ++d) {
    const auto& [name, statistics] = documents[d];
    const Comparison comparison =
        compare_statistics(documents.front().second, documents.front().first, statistics, name);
    if (documents.size() > 2 && !options.quiet) fmt::print("{} -> {}:\n", documents.front().first, name);
    if (!options.quiet) {
      fmt::print("{}", fold_lines(comparison_text(comparison, options.all), 8, terminal_width(STDOUT_FILENO)));
    }
    passes = passes_gates(comparison, gates, options.quiet) && passes;
  }
  if (runs && !options.quiet) fmt::print("{}", cut_lines(schedule_text(a, b), terminal_width(STDOUT_FILENO)));
  if (!options.report.empty()) {
    for (auto& [name, statistics] : documents) name = std::filesystem::path(name).stem().string();
    write_file(options.report, comparison_page(documents, options.run.common.command));
  }
  return passes && !a.records_missing && !b.records_missing ? kExitPass : kExitDiffers;
}

}  // namespace g80
