// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/recorders.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "input/input_error.h"

namespace g80 {

Recorders::Recorders(Gpu& gpu, const MachineOptions& options, isa::Arch arch)
    : arch_(arch), flight_(gpu.num_sms()), source_(gpu) {
  using Detail = EventSource::Detail;
  source_.add(flight_, Detail::kArchitecture);
  if (options.events != nullptr) source_.add(*options.events, Detail::kArchitecture);
  if (options.history) {
    sampler_ = std::make_unique<Sampler>("sampler", gpu);
    latency_ = std::make_unique<LoadLatency>(arch);
    source_.add(*latency_, Detail::kArchitecture);
  }
  if (!options.timeline) return;
  if (options.timeline->sm >= gpu.num_sms()) {
    throw InputError(
        fmt::format("--timeline-sm {}: this device has SMs 0 to {}", options.timeline->sm, gpu.num_sms() - 1));
  }
  timeline_ = std::make_unique<Timeline>(*options.timeline);
  source_.add(*timeline_, Detail::kEverything);
  if (is_kanata(options.timeline->file)) {
    stages_ = std::make_unique<StageEvents>(gpu, options.timeline->sm, *timeline_);
  }
}

Recorders::~Recorders() {
  if (timeline_empty()) return;  // the error came before anything ran
  try {
    finish();
  } catch (const InputError& error) {
    fmt::print(stderr, "g80: {}\n", error.what());
  }
}

void Recorders::launch_begins(const LoadedKernel&, std::uint64_t) {
  if (!sampler_) return;
  sampler_->begin();
  latency_->begin();
}

void Recorders::launch_ends(Cycle accepted, LaunchResult& result) {
  if (!sampler_) return;
  result.series = sampler_->end(accepted, result.shader_cycles);
  result.latencies = latency_->histograms();
}

FlightLog Recorders::flight_log() const {
  const std::vector<MachineEvent> kept = flight_.kept();
  if (kept.empty()) return {};
  return {flight_text(flight_, arch_), kept.back().cycle};
}

std::vector<std::string> Recorders::finish() {
  if (!timeline_ || std::exchange(written_, true)) return {};
  const TimelineOptions& options = timeline_->options();
  std::ofstream out(options.file);
  if (is_kanata(options.file)) {
    write_kanata(out, timeline_->events(), arch_);
  } else {
    write_perfetto(out, timeline_->events(), arch_, options.all);
  }
  if (!out.flush()) throw InputError(fmt::format("--timeline {}: the file cannot be written", options.file));
  if (timeline_->events().empty()) return {fmt::format("{}: no warp ran in the window of the timeline", options.file)};
  if (timeline_->cut() == 0) return {};
  return {fmt::format(
      "{} ends before shader cycle {}: it holds {} events; select others with --timeline-from and --timeline-to",
      options.file, timeline_->cut(), timeline_->events().size())};
}

}  // namespace g80
