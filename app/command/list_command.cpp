// SPDX-License-Identifier: Apache-2.0
// g80 list: prints kernels, devices, configuration keys and other names.
#include <fmt/format.h>
#include <unistd.h>

#include "app/command/commands.h"
#include "app/command/scenario_locator.h"
#include "app/report/counters.h"
#include "app/run/terminal.h"
#include "hw/common/input_error.h"
#include "hw/config/config.h"
#include "hw/config/config_keys.h"
#include "hw/config/delays.h"
#include "rtl/adapters/twins.h"
#include "tb/events/coverage.h"
#include "tb/machine/machine_views.h"
#include "tb/scenario/run_result.h"
#include "tb/scenario/scenario_file.h"

namespace g80 {
namespace {

/// A line of a list; what the terminal has no room for goes on below its last column, which begins at `column`.
void print_line(std::size_t column, const std::string& line) {
  fmt::print("{}", fold_lines(line + '\n', column, terminal_width(STDOUT_FILENO)));
}

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
void list_keys() {
  fmt::print("configuration keys (--set key=value):\n");
  for (const ConfigKey& key : config_keys())
    print_line(37, fmt::format("  {:<34} {}; {}", key.full_name(), key.doc, key.allowed()));
}
void list_delays(const std::string& device) {
  const ConfigDetails details = load_config_details(device);
  print_line(
      2, fmt::format("keys that add cycles: value on {}, form in the model, hardware, where (docs/delays.md)", device));
  for (const Delay& delay : delays()) {
    const std::size_t index = *find_config_key(delay.key);
    const ConfigKey& key = config_keys()[index];
    print_line(
        6, fmt::format("  {:<34} {:>5} {:<16} {:<10} {}; {}", delay.key, quote_config_value(key.load(details.config)),
                       key.unit, delay_form_text(delay.form), delay.hardware, delay.file));
    print_line(6, fmt::format("      {}: {}", details.origins[index].status, details.origins[index].source));
  }
}
void list_counters() {
  CounterScope scope = CounterScope::kLaunch;
  for (const Counter& counter : counters()) {
    if (counter.scope != scope) fmt::print("counters of {} (--stats F):\n", scope_title(counter.scope));
    scope = counter.scope;
    print_line(47, fmt::format("  {:<30} {:<13} {}", counter.name, counter.unit, counter.meaning));
  }
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
  const bool of_machine = !options.views.empty() || options.what == "delays";
  if (options.device != ListCommand{}.device && !of_machine)
    throw InputError("--device is for list --views DIR and list delays");
  if (!options.coverage.empty()) {
    fmt::print("# Functional coverage: {}\n\n{}", options.coverage,
               coverage_page(read_coverage_file(options.coverage)));
    return kExitPass;
  }
  if (!options.views.empty()) {
    write_machine_views(load_config(options.device), options.views);
    return kExitPass;
  }
  if (options.what.empty() || options.what == "kernels") list_kernels();
  if (options.what.empty() || options.what == "presets") list_presets();
  if (options.what.empty() || options.what == "keys") list_keys();
  if (options.what.empty() || options.what == "delays") list_delays(options.device);
  if (options.what.empty() || options.what == "counters") list_counters();
  if (options.what.empty() || options.what == "twins") list_twins();
  return kExitPass;
}

}  // namespace g80
