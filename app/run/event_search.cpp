// SPDX-License-Identifier: Apache-2.0
#include "app/run/event_search.h"

#include "app/run/make_backend.h"
#include "hw/common/check.h"
#include "tb/machine/until_stop.h"

namespace g80 {

CommonRunOptions silent(CommonRunOptions common) {
  SimulationOptions& sim = common.simulation;
  sim.wave.clear();
  sim.wave_on.clear();
  sim.wave_off.clear();
  sim.wave_scope.clear();
  sim.wave_from = sim.wave_to = 0;
  sim.wave_on_failure.clear();
  sim.trace.clear();
  sim.timeline.clear();
  sim.coverage.clear();
  sim.progress = false;
  sim.events = nullptr;
  return common;
}

RunOptions silent(RunOptions options) {
  options.dump.clear();
  options.update_golden_file.clear();
  return options;
}

std::optional<std::uint64_t> find_event(const Event& event, const Scenario& scenario, const Module& module,
                                        const Config& config, const CommonRunOptions& common,
                                        const RunOptions& options) {
  UntilStop stop(event, "--wave-on");
  const std::unique_ptr<Backend> backend = make_backend(silent(common), config, &stop);
  try {
    run_scenario(scenario, module, config, silent(options), *backend);
  } catch (const EventReached& reached) {
    return reached.cycle;
  } catch (const ModelError&) {  // the run that follows reports it
  }
  return std::nullopt;
}

}  // namespace g80
