// The choice of machine.
#include "tb/main/make_backend.h"

#include <fmt/format.h>

#include "tb/machine/gpu_backend.h"
#include "tb/scenario/golden_backend.h"
#include "tb/scenario/input_error.h"

namespace g80 {

void check_model_options(const CommonRunOptions& common) {
  const SimulationOptions& sim = common.simulation;
  if (common.model == "gpu") {
    const char* missing = !sim.rtl.empty()        ? "--rtl: no block of this build has a register-transfer twin"
                          : !sim.report.empty()   ? "--report: this build writes no HTML report; --stats F.json has the counters"
                          : !sim.timeline.empty() ? "--timeline: this build writes no timeline; --wave F.vcd shows one"
                                                  : nullptr;
    if (missing) throw InputError(missing);
    return;
  }
  const char* given = !sim.rtl.empty()        ? "--rtl"
                      : sim.check_given       ? "--check"
                      : !sim.wave.empty()     ? "--wave"
                      : !sim.report.empty()   ? "--report"
                      : !sim.timeline.empty() ? "--timeline"
                      : sim.progress          ? "--progress"
                      : sim.no_sleep          ? "--no-sleep"
                                              : nullptr;
  if (given)
    throw InputError(fmt::format("{} needs the cycle model (--model gpu); the golden reference has no time", given));
}

std::unique_ptr<Backend> make_backend(const CommonRunOptions& common, const Config& config) {
  if (common.model == "golden") return std::make_unique<GoldenBackend>(config);
  const SimulationOptions& sim = common.simulation;
  MachineOptions options;
  options.lockstep = sim.check == "lockstep";
  options.no_sleep = sim.no_sleep;
  options.progress = sim.progress;
  if (!sim.wave.empty()) {
    WaveOptions wave;
    wave.file = sim.wave;
    wave.from = sim.wave_from;
    if (sim.wave_to != 0) wave.to = sim.wave_to;
    wave.scopes = sim.wave_scope;
    options.wave = wave;
    options.wave_launch = sim.wave_on == "launch";
  }
  return std::make_unique<GpuBackend>(config, options);
}

}  // namespace g80
