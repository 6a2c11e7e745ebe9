// SPDX-License-Identifier: Apache-2.0
#include "app/run/common_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "app/run/whole_number.h"
#include "hw/config/config_keys.h"
#include "input/input_error.h"
#include "input/nearest_name.h"
#include "tb/waves/number.h"

namespace g80 {

std::string mistake_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> words = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || words.empty()) return error.what();
  const auto dashed = std::find_if(words.begin(), words.end(),
                                   [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (dashed == words.end()) return fmt::format("'{}' is an unexpected argument", words.front());
  const std::string option = dashed->substr(0, dashed->find('='));
  const auto commands = app.get_subcommands();
  std::vector<std::string> names, longer;
  for (const CLI::Option* known : (commands.empty() ? app : *commands.front()).get_options()) {
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  }
  const std::string dashes = option.compare(0, 2, "--") == 0 ? option : "-" + option;
  std::copy_if(names.begin(), names.end(), std::back_inserter(longer),
               [&](const std::string& name) { return name.compare(0, dashes.size(), dashes) == 0; });
  return fmt::format("unknown option {}{}", option, did_you_mean(dashes, longer.empty() ? names : longer));
}

void check_arguments(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& word : option->results()) {
      if (word.empty()) throw CLI::ValidationError(option->get_name(), "the argument is empty");
    }
  }
  for (const CLI::App* command : app.get_subcommands()) check_arguments(*command);
}

static constexpr unsigned kMostThreads = 64;  // a chip has fewer groups of blocks to step side by side

/// "shuffle:7" is 7 where the choice `drawn` is "shuffle".
static std::optional<std::uint64_t> seed_in(const std::string& drawn, const std::string& text) {
  const std::string prefix = drawn + ":";
  std::uint64_t seed = 0;
  if (text.compare(0, prefix.size(), prefix) == 0 && parse_number(text.substr(prefix.size()), seed)) return seed;
  return std::nullopt;
}

void add_common_options(CLI::App& app, CommonRunOptions& common) {
  SimulationOptions& sim = common.simulation;
  const std::string setup = "Setup", limits = "Limits", results = "Results", waves = "Waves", model = "Cycle model";
  app.add_option("--model", common.model, "gpu (cycle model) or golden (only the reference, without time)")
      ->check(CLI::IsMember({"gpu", "golden"}))
      ->capture_default_str()
      ->group(setup);
  app.add_option("--device", common.device, "preset or configuration file (default: the scenario's)")
      ->type_name("PRESET|FILE")
      ->group(setup);
  app.add_option("--set", common.sets, "set a configuration key, repeatable: --set sm.max_warps=16")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(setup);
  app.add_option("--seed", common.seed, "seed of random data")
      ->transform(whole_number())
      ->capture_default_str()
      ->group(setup);
  app.add_option("--max-cycles", common.max_cycles, "stop a launch after N shader cycles (golden: warp instructions)")
      ->type_name("N")
      ->transform(whole_number(1, INT64_MAX))
      ->group(limits);
  app.add_option("--stats", common.stats,
                 "write all counters and the manifest; -: to standard output, and the rest to standard error")
      ->type_name("F.json|F.csv|-")
      ->group(results);
  app.add_option("--hot", common.hot,
                 "print for each kernel the N instructions and source lines at which warps waited longest")
      ->type_name("N")
      ->transform(whole_number(1, 10000))
      ->group(results);
  app.add_option("--rtl", sim.rtl, "simulate these blocks as RTL: a comma-separated list, or all (`g80 list twins`)")
      ->type_name("LIST|all")
      ->group(model);
  app.add_option("--rtl-check", sim.rtl_check,
                 "simulate RTL twins beside these blocks, with the same inputs; stop at the first difference")
      ->type_name("LIST|all")
      ->group(model);
  app.add_option("--check", sim.check,
                 "comparison with the reference and rules of handshakes: lockstep, final or off; sleep: lockstep, and "
                 "blocks that sleep are stepped too and must not change")
      ->check(CLI::IsMember({"lockstep", "sleep", "final", "off"}))
      ->capture_default_str()
      ->group(model)
      ->each([&sim](const std::string&) { sim.check_given = true; });
  app.add_option("--inject", sim.faults,
                 "inject a fault into a register, memory or wire, repeatable: sm0.barrier.waiting=0@1000..2000 sets, "
                 "^=0x4@1000 inverts bits; "
                 "names as in waves, shader cycles")
      ->type_name("PATH=VALUE@WHEN")
      ->allow_extra_args(false)
      ->group(model);
  app.add_option("--threads", sim.threads,
                 "threads that step the machine; results are the same. --rtl of single blocks, --rtl-check, --inject, "
                 "--x random, --step-order and --check sleep use one")
      ->type_name("N")
      ->transform(whole_number(1, kMostThreads))
      ->capture_default_str()
      ->group(model);
  app.add_flag("--no-sleep", sim.no_sleep, "run every module in every cycle; results are the same")->group(model);
  app.add_option_function<std::string>(
         "--step-order",
         [&sim](const std::string& text) {
           sim.shuffle = seed_in("shuffle", text);
           if (sim.shuffle || text == "fixed") return;
           throw CLI::ValidationError("--step-order", fmt::format("'{}' is not fixed or shuffle:SEED", text));
         },
         "fixed, or shuffle:SEED: run the modules of each clock edge in a random order; results are the same")
      ->type_name("ORDER")
      ->group(model);
  app.add_option_function<std::vector<std::string>>(
         "--x",
         [&sim](const std::vector<std::string>& texts) {
           const auto set = [](std::optional<std::uint64_t>& seed, std::optional<std::uint64_t> given,
                               const std::string& text) {
             if (seed) throw CLI::ValidationError("--x", fmt::format("'{}' is a second seed of the same kind", text));
             seed = given;
           };
           for (const std::string& text : texts) {
             if (const auto seed = seed_in("random", text)) {
               set(sim.random_state, seed, text);
             } else if (const auto late = seed_in("crossings", text)) {
               set(sim.late_crossings, late, text);
             } else if (text != "zero") {
               throw CLI::ValidationError("--x", fmt::format("'{}' is not zero, random:SEED or crossings:SEED", text));
             }
           }
         },
         "what hardware does not determine, repeatable. random:SEED: registers without a reset value and memory that "
         "nobody wrote start from random bits, not from zero; cycles and results are the same. crossings:SEED: bits "
         "that cross between clocks may come an edge late; results are the same")
      ->type_name("STATE")
      ->allow_extra_args(false)
      ->group(model);
  app.add_flag(
         "--progress", sim.progress,
         "on a terminal: show the progress of launches and long copies, and the remaining time; run, suite and diff "
         "do so anyway")
      ->group(model);
  app.add_option("--wave", sim.wave, "record signals")->type_name("F.vcd|F.fst")->group(waves);
  app.add_option("--wave-from", sim.wave_from, "first shader cycle recorded")
      ->transform(whole_number(0, kLastCycle))
      ->type_name("CYCLE")
      ->group(waves);
  app.add_option("--wave-to", sim.wave_to, "last shader cycle recorded")
      ->transform(whole_number(0, kLastCycle))
      ->type_name("CYCLE")
      ->group(waves);
  app.add_option("--wave-scope", sim.wave_scope,
                 "record only these modules, repeatable: gpu.tpc0.sm0.*; !*.rtl excludes modules")
      ->type_name("GLOB")
      ->allow_extra_args(false)
      ->group(waves);
  app.add_option("--wave-level", sim.wave_level,
                 "detail: arch (events of warps and blocks); pipeline (also wires); all (also registers); "
                 "lanes (also each SP); memories (also what lies in them, for a few modules: --wave-scope)")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"arch", "pipeline", "all", "lanes", "memories"}))
      ->capture_default_str()
      ->group(waves);
  app.add_option("--wave-on", sim.wave_on,
                 "start recording at an event: launch (to the end of that launch), launch=N, launch=KERNEL, cycle=N, "
                 "fault, or a condition on signals")
      ->type_name("EVENT")
      ->group(waves);
  app.add_option("--wave-off", sim.wave_off, "stop recording at this event")->type_name("EVENT")->group(waves);
  app.add_option("--report", sim.report,
                 "write a page about one run: where its time went, plots over time, hot instructions")
      ->type_name("F.html")
      ->group(results);
  app.add_option("--wave-on-failure", sim.wave_on_failure,
                 "after a mismatch, fault or hang: run again and record the cycles before it; F.fst.gtkw opens them at "
                 "the failure")
      ->type_name("F.vcd|F.fst")
      ->group(waves);
  app.add_option("--wave-before", sim.wave_before,
                 "shader cycles to record before the failure of --wave-on-failure, or before the event of --wave-on "
                 "(which needs an additional run)")
      ->transform(whole_number(0, kLastCycle))
      ->type_name("CYCLES")
      ->capture_default_str()
      ->each([&sim](const std::string&) { sim.wave_before_given = true; })
      ->group(waves);
  app.add_option("--timeline", sim.timeline,
                 "write what each warp issued and waited for: .json for Perfetto, .kanata for Konata")
      ->type_name("F.json|F.kanata")
      ->group(results);
  app.add_option("--timeline-from", sim.timeline_from, "first shader cycle of the timeline")
      ->transform(whole_number(0, kLastCycle))
      ->type_name("CYCLE")
      ->group(results);
  app.add_option("--timeline-to", sim.timeline_to, "last shader cycle of the timeline")
      ->transform(whole_number(0, kLastCycle))
      ->type_name("CYCLE")
      ->group(results);
  app.add_option("--coverage", sim.coverage, "add the functional coverage of the machine to this file")
      ->type_name("F")
      ->group(results);
  app.add_option("--timeline-level", sim.timeline_level,
                 "detail of a .json: waits (of 64 shader cycles or more); all (every wait, issue and burst)")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"waits", "all"}))
      ->capture_default_str()
      ->group(results);
  app.add_option("--timeline-sm", sim.timeline_sm, "SM of a .kanata file")
      ->transform(whole_number(0, 255))
      ->type_name("SM")
      ->group(results);
}

CommonRunOptions parse_common_options(const std::string& text, const std::string& name) {
  CommonRunOptions common;
  CLI::App app("Options of a simulation.", name);
  app.set_help_flag();
  add_common_options(app, common);
  try {
    app.parse(text);
    check_arguments(app);
  } catch (const CLI::ParseError& error) {
    throw InputError(name + "=\"" + text + "\": " + mistake_text(app, error));
  }
  if (common.stats == "-")
    throw InputError(name + "=\"" + text + "\": --stats - is for g80 run and g80 suite; here it needs a file");
  return common;
}

}  // namespace g80
