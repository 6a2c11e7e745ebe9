// SPDX-License-Identifier: Apache-2.0
// The steps of one run: configuration, program, machine, run, manifest.
#include "app/run/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "app/report/statistics.h"
#include "app/run/event_search.h"
#include "app/run/failure_record.h"
#include "app/run/make_backend.h"
#include "app/run/program_source.h"
#include "hw/common/check.h"
#include "hw/common/version.h"
#include "hw/config/data_folder.h"
#include "input/input_error.h"
#include "tb/machine/debugger.h"
#include "tb/machine/gpu_backend.h"
#include "tb/machine/interrupt.h"
#include "tb/scenario/memory_image.h"
#include "tb/waves/text_trace.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80 {
namespace {

void check_suffix(const std::string& option, const std::string& file, const std::vector<std::string>& allowed) {
  if (file.empty()) return;
  const std::string suffix = std::filesystem::path(file).extension().string();
  std::string list;
  for (const std::string& one : allowed) {
    if (suffix == one) return;
    list += (list.empty() ? "" : " or ") + one;
  }
  throw InputError(fmt::format("{} {}: the name must end in {}", option, file, list));
}

/// Refuses the launch of a kernel that the program does not have.
void check_kernel(const char* option, const Event& event, const Module& module) {
  const std::vector<std::string> names = module.kernel_names();
  if (event.kernel.empty() || !kernels_named(event.kernel, names).empty()) return;
  throw InputError(fmt::format("{} {}: {}", option, event.text, no_such_kernel(event.kernel, names)));
}

void print_sentences(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) fmt::print(stderr, "g80: {}\n", sentence);
}

}  // namespace

std::optional<Event> event_option(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  try {
    return parse_event(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

Outputs outputs_of(const CommonRunOptions& common) {
  const SimulationOptions& sim = common.simulation;
  return {{"--stats", common.stats == "-" ? "" : common.stats},
          {"--report", sim.report},
          {"--timeline", sim.timeline},
          {"--wave", sim.wave},
          {"--wave", sim.wave.empty() ? "" : sim.wave + ".part"},  // the name while it is being written
          {"--wave-on-failure", sim.wave_on_failure},
          {"--trace-file", sim.trace_file}};
}

void check_outputs(const Outputs& outputs) {
  std::map<std::filesystem::path, std::string> options;
  for (const auto& [option, file] : outputs) {
    if (file.empty()) continue;
    check_writable(option, file);
    std::error_code error;
    if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)) continue;  // /dev/null
    const auto [first, is_new] = options.emplace(std::filesystem::weakly_canonical(file, error), option);
    if (!is_new) throw InputError(fmt::format("{} and {} both write {}", first->second, option, file));
  }
}

void check_options(const CommonRunOptions& common) {
  const SimulationOptions& sim = common.simulation;
  if (!common.stats.empty()) check_statistics_name(common.stats);
  check_suffix("--wave", sim.wave, {".vcd", ".fst"});
  check_suffix("--report", sim.report, {".html"});
  check_suffix("--timeline", sim.timeline, {".json", ".kanata"});
  check_suffix("--wave-on-failure", sim.wave_on_failure, {".vcd", ".fst"});
  const bool part = sim.timeline_from != 0 || sim.timeline_to != 0 || sim.timeline_sm != 0 ||
                    sim.timeline_level != SimulationOptions{}.timeline_level;
  if (part && sim.timeline.empty())
    throw InputError("--timeline-from, --timeline-to, --timeline-level and --timeline-sm need --timeline F");
  if (sim.timeline_to != 0 && sim.timeline_to < sim.timeline_from) {
    throw InputError(fmt::format("--timeline-to {} is before --timeline-from {}", sim.timeline_to, sim.timeline_from));
  }
  const bool window = sim.wave_from != 0 || sim.wave_to != 0 || !sim.wave_scope.empty() || !sim.wave_on.empty() ||
                      !sim.wave_off.empty() || sim.wave_level != "all";
  if (window && sim.wave.empty())
    throw InputError("--wave-from, --wave-to, --wave-scope, --wave-level, --wave-on and --wave-off need --wave F");
  if (sim.wave_from != 0 && !sim.wave_on.empty())
    throw InputError("--wave-from and --wave-on both set the start of the wave");
  if (sim.wave_before_given && sim.wave_on.empty() && sim.wave_on_failure.empty() && sim.rtl_check.empty())
    throw InputError("--wave-before needs --wave-on-failure F, --wave-on EVENT or --rtl-check LIST");
  event_option("--wave-on", sim.wave_on);
  event_option("--wave-off", sim.wave_off);
  if (sim.wave_to != 0 && sim.wave_to < sim.wave_from) {
    throw InputError(fmt::format("--wave-to {} is before --wave-from {}", sim.wave_to, sim.wave_from));
  }
  if (!sim.trace_file.empty() && sim.trace.empty()) throw InputError("--trace-file needs --trace FIELD=N");
  check_model_options(common);
  if (!sim.trace.empty()) parse_trace_conditions(sim.trace);
  check_outputs(outputs_of(common));
}

void print_rtl_note(const SimulationOptions& sim) {
  if (sim.rtl.empty()) return;
  std::fflush(stdout);
  fmt::print(stderr,
             "g80: --rtl {}: results are checked, but cycles, counters and waves were not compared with the SystemC "
             "blocks (--rtl-check {} does that)\n",
             sim.rtl, sim.rtl);
}

void print_viewer_command(const std::string& kernel, const std::string& wave) {
  namespace fs = std::filesystem;
  constexpr const char* kViewer = "waves/view";
  std::string viewer = "gtkwave";
  if (const std::optional<fs::path> data = find_data_folder(); data && fs::exists(*data / kViewer)) {
    std::error_code other;
    viewer = fs::equivalent(fs::current_path(), *data, other) ? kViewer : (*data / kViewer).string();
  }
  fmt::print("waves of {}:\n    {} {}\n", kernel, viewer, wave);
}

RunManifest make_manifest(const CommonRunOptions& common, const std::string& device, const Config& config) {
  RunManifest manifest;
  manifest.command = common.command;
  manifest.git_id = kGitId;
  manifest.device = device;
  manifest.rtl = common.simulation.rtl;
  manifest.config_json = resolved_config_json(config);
  manifest.config_hash = config_hash(config);
  manifest.seed = common.seed;
  return manifest;
}

void show_progress(CommonRunOptions& common) {
  SimulationOptions& sim = common.simulation;
  sim.progress |= common.model == "gpu" && (sim.trace.empty() || !sim.trace_file.empty());
}

RunResult execute(const Scenario& scenario, const CommonRunOptions& given, const RunOptions& options,
                  Debugger* debugger) {
  const InterruptGuard signals;
  const Config config = scenario_config(scenario, given.device, given.sets);
  const Module module = load_program(scenario, config.device.compute_minor);
  CommonRunOptions common = given;
  SimulationOptions& sim = common.simulation;
  const std::optional<Event> wave_on = event_option("--wave-on", sim.wave_on);
  if (wave_on) check_kernel("--wave-on", *wave_on, module);
  if (const auto event = event_option("--wave-off", sim.wave_off)) check_kernel("--wave-off", *event, module);
  if (debugger != nullptr && debugger->until() != nullptr) check_kernel("--until", *debugger->until(), module);
  if (wave_on && sim.wave_before_given) {
    if (const auto cycle = find_event(*wave_on, scenario, module, config, common, options)) {
      sim.wave_from = *cycle > sim.wave_before ? *cycle - sim.wave_before : 1;
    }
  }
  const std::unique_ptr<Backend> backend = make_backend(common, config, debugger);
  const FailureRecord failure(scenario, module, config, common, options);
  RunResult result;
  try {
    result = run_scenario(scenario, module, config, options, *backend);
    print_sentences(backend->finish());
    if (!sim.rtl_check.empty()) print_sentences({dynamic_cast<const GpuBackend&>(*backend).twin_summary()});
    result.records_missing = backend->records_missing();
  } catch (const ModelError& error) {
    failure.write(*backend, &error);
    throw;
  } catch (EventReached& reached) {
    print_sentences(backend->finish());
    reached.records_missing = backend->records_missing();
    throw;
  } catch (const Interrupted&) {
    try {
      print_sentences(backend->finish());
    } catch (const std::exception& error) {  // the message also says that the run was ended
      print_sentences({error.what()});
    }
    throw;
  }
  // An expected hang counts too: --wave-on-failure records it.
  const auto stuck = [](const LaunchResult& launch) { return launch.end != LaunchEnd::kFinished; };
  const bool to_draw =
      !common.simulation.wave_on_failure.empty() && std::any_of(result.launches.begin(), result.launches.end(), stuck);
  if (!as_expected(result) || to_draw) failure.write(*backend);
  result.manifest = make_manifest(common, common.device.empty() ? scenario.device : common.device, config);
  result.manifest.faults = backend->injected_faults();
  for (const InjectedFault& fault : result.manifest.faults) {
    if (fault.changes == 0)
      fmt::print(stderr, "g80: --inject {}: it changed no value of {}\n", fault.text, fault.field);
  }
  result.manifest.kernel_file = scenario.kernel_file;
  result.manifest.kernel_hash = kernel_hash(module);
  return result;
}

}  // namespace g80
