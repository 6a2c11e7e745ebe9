// SPDX-License-Identifier: Apache-2.0
#include "runtime/session.h"

#include <errno.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "app/report/hot_listing.h"
#include "app/report/report.h"
#include "app/report/statistics.h"
#include "app/run/common_options.h"
#include "app/run/execute.h"
#include "hw/config/config_override.h"
#include "input/input_error.h"

namespace g80::cuda {
namespace {

constexpr const char* kDefaultDevice = "8600gts";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

Session& Session::current() {
  static Session& session = *new Session;
  return session;
}

const CommonRunOptions& Session::options() {
  if (options_) return *options_;
  const std::string text = environment("G80_RUN"), device = environment("G80_DEVICE");
  CommonRunOptions options = parse_common_options(text, "G80_RUN");
  if (!options.device.empty() && !device.empty() && options.device != device) {
    throw InputError(fmt::format("G80_DEVICE is {}, but G80_RUN has --device {}", device, options.device));
  }
  if (options.device.empty()) options.device = device.empty() ? kDefaultDevice : device;
  const std::string guard = environment("G80_GUARD");
  if (!guard.empty() && guard != "0" && guard != "1")
    throw InputError(fmt::format("G80_GUARD is '{}'; allowed are 0 and 1", guard));
  const bool guarded = guard == "1";
  options.command = fmt::format("{}G80_DEVICE={} G80_RUN=\"{}\" {}", guarded ? "G80_GUARD=1 " : "", options.device,
                                text, program_invocation_name);
  check_options(options);
  const SimulationOptions& sim = options.simulation;
  if (!sim.wave_on_failure.empty() || (!sim.wave_on.empty() && sim.wave_before_given)) {
    throw InputError(
        fmt::format("G80_RUN: {} needs a second run, which a program cannot start: record with --wave "
                    "and --wave-on, or with --wave-from and the cycle that the first run printed",
                    sim.wave_on_failure.empty() ? "--wave-before with --wave-on" : "--wave-on-failure"));
  }
  placement_ = guarded ? Placement::kGuarded : Placement::kHeap;
  options_ = options;
  return *options_;
}

const Config& Session::config() {
  if (!config_) {
    std::vector<ConfigOverride> overrides;
    for (const std::string& set : options().sets) overrides.push_back({set, "G80_RUN: --set " + set});
    config_ = load_config_with(options().device, overrides,
                               environment("G80_DEVICE").empty() ? "G80_RUN: --device " : "G80_DEVICE=");
  }
  return *config_;
}

CommonRunOptions Session::options_of_next_machine() {
  CommonRunOptions next = options();
  if (++machines_ == 1) return next;
  for (std::string* const file : {&next.simulation.wave, &next.simulation.timeline}) {
    if (file->empty()) continue;
    std::filesystem::path path = *file;
    *file = path.replace_extension(fmt::format("{}{}", machines_, path.extension().string())).string();
  }
  return next;
}

void Session::set_model(const std::string& name) {
  result_.scenario = program_invocation_short_name;
  result_.model = name;
  result_.shader_mhz = config().clock.shader_mhz;
}

void Session::keep(LaunchResult result) {
  if (options().stats.empty() && options().hot == 0 && options().simulation.report.empty()) return;
  result_.launches.push_back(std::move(result));
  keep_longest_history(result_.launches);
}

void Session::write_results() {
  if (!options_ || machines_ == 0) return;
  if (options_->hot != 0) fmt::print(stderr, "{}", hot_listing(result_, options_->hot));
  if (options_->stats.empty() && options_->simulation.report.empty()) return;
  result_.manifest = make_manifest(*options_, options_->device, *config_);
  result_.manifest.kernel_file = program_invocation_name;
  StatisticsFile(options_->stats).write(statistics_text(options_->stats, {result_}));
  if (!options_->simulation.report.empty()) write_report(options_->simulation.report, result_);
}

}  // namespace g80::cuda
