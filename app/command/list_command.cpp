// SPDX-License-Identifier: Apache-2.0
// g80 list: prints kernels, devices, configuration keys and other names.
#include <fmt/format.h>
#include <unistd.h>

#include "app/command/commands.h"
#include "app/command/scenario_locator.h"
#include "app/report/counters.h"
#include "app/report/statistics.h"
#include "app/run/terminal.h"
#include "hw/config/config.h"
#include "hw/config/key_lists.h"
#include "input/input_error.h"
#include "tb/events/coverage.h"
#include "tb/machine/machine_views.h"
#include "tb/scenario/run_result.h"
#include "tb/scenario/scenario_file.h"
#include "tb/twins/twins.h"

namespace g80 {
namespace {

/// Lines of a list; what the terminal has no room for goes on below, from `column` on.
void print_folded(std::size_t column, const std::string& lines) {
  fmt::print("{}", fold_lines(lines, column, terminal_width(STDOUT_FILENO)));
}
void print_line(std::size_t column, const std::string& line) { print_folded(column, line + '\n'); }

void list_kernels() {
  fmt::print("kernels (g80 run NAME, --arg argument=value):\n");
  for (const std::string& file : kernel_scenarios()) {
    const Scenario scenario = read_scenario(file);
    print_line(27, fmt::format("  {:<24} {}", scenario.name, scenario.summary));
    for (const ArgumentDecl& arg : scenario.args) {
      print_line(27, fmt::format("      {:<20} {} = {}: {}", arg.name, element_type_name(arg.type),
                                 arg.default_value.text, arg.doc));
    }
  }
}
void list_presets() {
  fmt::print("presets (--device NAME):\n");
  for (const std::string& name : preset_names()) fmt::print("  {}\n", name);
}
void list_twins() {
  if (twins().empty()) {
    print_line(2, "blocks with an RTL twin: none, because this g80 was built without RTL (-DG80_RTL=ON)");
    return;
  }
  fmt::print("blocks with an RTL twin (--rtl NAME,NAME or --rtl all):\n");
  for (const TwinInfo& twin : twins())
    print_line(29, fmt::format("  {:<26} {}; {}", twin.name, twin.decides, twin.source));
  print_line(29, fmt::format("  {:<26} all blocks of a multiprocessor, as one model; rtl/sm/sm.sv", "sm"));
}

}  // namespace

int list_command(const ListCommand& options) {
  const std::string& what = options.what;
  const bool of_machine = !options.views.empty() || what == "keys" || what == "quantities" || what == "delays";
  if (options.device != ListCommand{}.device && !of_machine)
    throw InputError("--device is for list --views DIR and list keys, quantities and delays");
  if (!options.coverage.empty()) {
    fmt::print("# Functional coverage: {}\n\n{}", options.coverage,
               coverage_page(read_coverage_file(options.coverage)));
    return kExitPass;
  }
  if (!options.views.empty()) {
    write_machine_views(load_config(options.device), options.views);
    return kExitPass;
  }
  if (what == "schema") {
    fmt::print("{}", statistics_schema());
    return kExitPass;
  }
  if (what.empty() || what == "kernels") list_kernels();
  if (what.empty() || what == "presets") list_presets();
  if (what.empty() || what == "keys") print_folded(6, key_list(options.device));
  if (what.empty() || what == "quantities") print_folded(6, quantity_list(options.device));
  if (what.empty() || what == "delays") print_folded(6, delay_list(options.device));
  if ((what.empty() || what == "numbers") && AddedCommand::numbers != nullptr) print_folded(6, AddedCommand::numbers());
  if (what.empty() || what == "counters") print_folded(6, counter_list());
  if (what.empty() || what == "twins") list_twins();
  return kExitPass;
}

}  // namespace g80
