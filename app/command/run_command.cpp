// SPDX-License-Identifier: Apache-2.0
// g80 run: runs one scenario and prints its row of the table and its details.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "app/command/bare_scenario.h"
#include "app/command/commands.h"
#include "app/command/scenario_locator.h"
#include "app/report/hot_listing.h"
#include "app/report/report.h"
#include "app/report/statistics.h"
#include "app/report/summary_table.h"
#include "app/run/execute.h"
#include "app/run/terminal.h"
#include "app/shell/shell.h"
#include "input/input_error.h"
#include "tb/machine/until_stop.h"
#include "tb/scenario/arguments.h"
#include "tb/scenario/memory_image.h"

namespace g80 {
namespace {

Assignments assignments(const std::vector<std::string>& texts, const char* option) {
  Assignments list;
  for (const std::string& text : texts) list.push_back(split_assignment(text, option));
  return list;
}

/// Asks the user before --update-golden overwrites a file.
void confirm_update(const RunCommand& options) {
  if (options.golden.empty()) throw InputError("--update-golden needs --golden F: the file to write");
  if (options.yes) return;
  if (!isatty(STDIN_FILENO))
    throw InputError("--update-golden asks before it writes, but there is no terminal: add --yes");
  if (!confirmed(fmt::format("{} {}", std::filesystem::exists(options.golden) ? "Overwrite" : "Write", options.golden)))
    throw InputError(fmt::format("{} was not changed", options.golden));
}

bool with_shell(const RunCommand& options) { return options.shell || !options.shell_script.empty(); }

/// The object that can halt the run: the shell, an event, or none.
std::unique_ptr<Debugger> make_debugger(const RunCommand& options) {
  const std::optional<Event> until = event_option("--until", options.until);
  if (!until && !with_shell(options)) return nullptr;
  if (options.common.model != "gpu") {
    throw InputError(fmt::format("{} needs the cycle model (--model gpu); the golden reference has no time",
                                 until ? "--until" : "--shell"));
  }
  if (with_shell(options)) return std::make_unique<Shell>(open_lines(options.shell_script), until);
  return std::make_unique<UntilStop>(*until, "--until");
}

}  // namespace

int run_command(const RunCommand& options) {
  check_options(options.common);
  const Scenario scenario = locate_scenario(options);
  RunOptions run;
  const bool bare = is_bare_kernel(scenario.path);
  if (!bare) run.args = assignments(options.args, "--arg");
  run.load = assignments(options.load, "--load");
  run.dump = assignments(options.dump, "--dump");
  if (bare) {
    const Assignments more = assignments(argument_dumps(options), "--arg");
    run.dump.insert(run.dump.end(), more.begin(), more.end());
  }
  run.seed = options.common.seed;
  run.max_cycles = options.common.max_cycles;
  Outputs outputs = outputs_of(options.common);
  for (const auto& [name, file] : run.dump) outputs.emplace_back(fmt::format("--dump {}", name), file);
  if (options.update_golden) {
    confirm_update(options);
    outputs.emplace_back("--golden", options.golden);
    run.update_golden_file = options.golden;
  } else {
    run.golden_file = options.golden;
  }
  check_outputs(outputs);
  const char* const result_option = !options.common.stats.empty()               ? "--stats"
                                    : !options.common.simulation.report.empty() ? "--report"
                                    : options.common.hot != 0                   ? "--hot"
                                    : !run.dump.empty()                         ? "--dump"
                                                                                : nullptr;
  if (!options.until.empty() && !with_shell(options) && result_option != nullptr)
    throw InputError(fmt::format("--until ends the run before it has a result: leave {} out", result_option));

  const StatisticsFile statistics(options.common.stats);
  const std::unique_ptr<Debugger> debugger = make_debugger(options);
  CommonRunOptions common = options.common;
  if (!with_shell(options)) show_progress(common);
  RunResult result;
  try {
    result = execute(scenario, common, run, debugger.get());
  } catch (const EventReached& reached) {
    if (reached.what()[0] != '\0') fmt::print("{}\n", reached.what());
    return reached.records_missing && !with_shell(options) ? kExitDiffers : kExitPass;
  }
  if (!options.quiet || !as_expected(result)) {
    fmt::print("{}{}", summary_table(result, terminal_width(STDOUT_FILENO)), run_details(result));
    print_rtl_note(options.common.simulation);
  } else {
    fmt::print("{}", result.contents);
  }
  if (options.common.hot != 0) {
    const std::size_t terminal = terminal_width(STDOUT_FILENO);
    fmt::print("{}", fold_lines(hot_listing(result, options.common.hot, terminal), terminal / 2, terminal));
  }
  if (!options.common.stats.empty()) statistics.write(statistics_text(options.common.stats, {result}));
  if (!options.common.simulation.report.empty()) write_report(options.common.simulation.report, result);
  const std::string& wave = options.common.simulation.wave;
  if (!options.quiet && !wave.empty() && !result.records_missing) print_viewer_command(result.scenario, wave);
  if (!options.until.empty() && debugger->missed() && exit_code(result) == kExitPass) {
    fmt::print(stderr, "g80: --until: {} did not happen\n", options.until);
    return kExitDiffers;
  }
  return exit_code(result);
}

}  // namespace g80
