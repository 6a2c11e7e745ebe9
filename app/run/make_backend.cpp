// SPDX-License-Identifier: Apache-2.0
// Makes the backend of a run: the machine or the reference.
#include "app/run/make_backend.h"

#include <fmt/format.h>

#include <cstdio>

#include "input/input_error.h"
#include "tb/machine/gpu_backend.h"
#include "tb/machine/interrupt.h"
#include "tb/machine/twin_select.h"
#include "tb/scenario/golden_backend.h"

namespace g80 {
namespace {

TraceOptions text_trace(const SimulationOptions& sim, const Config& config) {
  std::shared_ptr<std::FILE> file(stdout, [](std::FILE*) {});
  if (!sim.trace_file.empty()) {
    std::FILE* const opened = std::fopen(sim.trace_file.c_str(), "w");
    if (opened == nullptr) throw InputError(fmt::format("--trace-file {}: the file cannot be written", sim.trace_file));
    file.reset(opened, &std::fclose);
  }
  const auto arch = static_cast<isa::Arch>(config.device.compute_minor);
  return {parse_trace_conditions(sim.trace),
          [file, arch](const TraceLine& line) { std::fputs((trace_text(line, arch) + '\n').c_str(), file.get()); },
          [file, name = sim.trace_file] {
            if (std::fflush(file.get()) != 0 || std::ferror(file.get()) != 0)
              throw InputError(name.empty() ? "--trace: standard output cannot be written"
                                            : fmt::format("--trace-file {}: the file cannot be written", name));
          }};
}

}  // namespace

void check_model_options(const CommonRunOptions& common) {
  const SimulationOptions& sim = common.simulation;
  if (common.model == "gpu") {
    select_twins(sim.rtl, sim.rtl_check);  // throws at a name that no twin has
    return;
  }
  const char* given = !sim.rtl.empty()               ? "--rtl"
                      : !sim.rtl_check.empty()       ? "--rtl-check"
                      : sim.check_given              ? "--check"
                      : !sim.wave.empty()            ? "--wave"
                      : !sim.trace.empty()           ? "--trace"
                      : !sim.report.empty()          ? "--report"
                      : !sim.timeline.empty()        ? "--timeline"
                      : !sim.wave_on_failure.empty() ? "--wave-on-failure"
                      : common.hot != 0              ? "--hot"
                      : sim.progress                 ? "--progress"
                      : sim.no_sleep                 ? "--no-sleep"
                      : sim.threads != 1             ? "--threads"
                      : sim.random_state             ? "--x"
                      : sim.late_crossings           ? "--x"
                      : sim.shuffle                  ? "--step-order"
                      : !sim.faults.empty()          ? "--inject"
                      : !sim.coverage.empty()        ? "--coverage"
                                                     : nullptr;
  if (given)
    throw InputError(fmt::format("{} needs the cycle model (--model gpu); the golden reference has no time", given));
}

std::unique_ptr<Backend> make_backend(const CommonRunOptions& common, const Config& config, Debugger* debugger) {
  if (common.model == "golden") {
    auto golden = std::make_unique<GoldenBackend>(config);
    golden->set_watch([](const auto& place) { check_interrupt(place); });
    return golden;
  }
  const SimulationOptions& sim = common.simulation;
  MachineOptions options;
  options.lockstep = sim.check == "lockstep" || sim.check == "sleep";
  options.check_sleep = sim.check == "sleep";
  options.no_sleep = sim.no_sleep;
  options.threads = sim.threads;
  options.random_state = sim.random_state;
  options.late_crossings = sim.late_crossings;
  options.shuffle = sim.shuffle;
  options.rtl = sim.rtl;
  options.rtl_check = sim.rtl_check;
  options.progress = sim.progress;
  options.faults = sim.faults;
  options.coverage = sim.coverage;
  options.events = sim.events;
  options.debugger = debugger;
  options.profile = common.hot != 0 || !common.stats.empty() || !sim.report.empty();
  options.history = !sim.report.empty();
  if (!sim.wave.empty()) {
    WaveOptions wave;
    wave.file = sim.wave;
    wave.from = sim.wave_from;
    if (sim.wave_to != 0) wave.to = sim.wave_to;
    wave.scopes = sim.wave_scope;
    wave.level = sim.wave_level == "arch"       ? WaveLevel::kArchitecture
                 : sim.wave_level == "pipeline" ? WaveLevel::kPipeline
                 : sim.wave_level == "lanes"    ? WaveLevel::kLanes
                 : sim.wave_level == "memories" ? WaveLevel::kMemories
                                                : WaveLevel::kRegisters;
    options.wave = wave;
    options.wave_failure = sim.wave_failure;
    if (!sim.wave_on.empty()) options.wave_on = parse_event(sim.wave_on);
    if (!sim.wave_off.empty()) options.wave_off = parse_event(sim.wave_off);
  }
  if (!sim.timeline.empty()) {
    options.timeline = TimelineOptions{sim.timeline, sim.timeline_from,
                                       sim.timeline_to != 0 ? sim.timeline_to : TimelineOptions::kToTheEnd,
                                       sim.timeline_sm, sim.timeline_level == "all"};
  }
  if (!sim.trace.empty()) options.trace = text_trace(sim, config);
  return std::make_unique<GpuBackend>(config, options);
}

}  // namespace g80
