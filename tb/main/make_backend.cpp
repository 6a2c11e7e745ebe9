// The choice of machine.
#include "tb/main/make_backend.h"

#include <fmt/format.h>

#include "tb/scenario/golden_backend.h"
#include "tb/scenario/input_error.h"

namespace g80 {

void check_model_options(const CommonRunOptions& common) {
  if (common.model == "gpu") throw InputError("--model gpu: this build has no cycle model; allowed is --model golden");
  const SimulationOptions& sim = common.simulation;
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

std::unique_ptr<Backend> make_backend(const CommonRunOptions&, const Config& config) {
  return std::make_unique<GoldenBackend>(config);
}

}  // namespace g80
