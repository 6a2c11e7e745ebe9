// SPDX-License-Identifier: Apache-2.0
#include "app/run/failure_record.h"

#include <fmt/format.h>

#include "app/run/event_search.h"
#include "app/run/make_backend.h"
#include "input/input_error.h"
#include "tb/check/lockstep.h"
#include "tb/machine/gpu_backend.h"
#include "tb/scenario/memory_image.h"
#include "tb/waves/trace_file.h"

namespace g80 {
namespace {

constexpr std::uint64_t kCyclesAfter = 200;  // cycles recorded after the failure, if the machine ran on

}  // namespace

std::optional<std::uint64_t> write_flight_log(const Backend& failed, const std::string& name) {
  const FlightLog log = failed.flight_log();
  if (log.text.empty()) return std::nullopt;
  const std::string file = name + ".flight.txt";
  try {
    write_file(file, log.text);
    fmt::print(stderr, "g80: {} contains the last events, up to shader cycle {}\n", file, log.cycle);
  } catch (const InputError& error) {  // must not hide the failure itself
    fmt::print(stderr, "g80: the last events could not be written: {}\n", error.what());
  }
  return log.cycle;
}

void FailureRecord::write(const Backend& failed, const ModelError* error) const {
  const std::optional<std::uint64_t> last = write_flight_log(failed, scenario_.name);
  const std::string& asked = common_.simulation.wave_on_failure;
  const auto* const machine = dynamic_cast<const GpuBackend*>(&failed);
  if (const auto twin = machine != nullptr ? machine->twin_difference() : std::nullopt) {
    // The wave is part of the answer, so nobody has to ask for it: what surrounds the block, up to the edge.
    const std::string around = twin->block.substr(0, twin->block.rfind('.'));
    draw({asked.empty() ? scenario_.name + ".rtl-check.fst" : asked, twin->cycle, twin->cycle, {around}});
    return;
  }
  const auto* differs = dynamic_cast<const LockStepError*>(error);
  if (!last || asked.empty()) return;
  const std::uint64_t cycle = differs != nullptr && differs->cycle != 0 ? differs->cycle : *last;
  draw({asked, cycle, cycle + kCyclesAfter, {}});
}

void FailureRecord::draw(const Wave& wave) const {
  const SimulationOptions& sim = common_.simulation;
  CommonRunOptions again = silent(common_);
  again.simulation.wave = wave.file;
  again.simulation.wave_from = wave.failure > sim.wave_before ? wave.failure - sim.wave_before : 1;
  again.simulation.wave_to = wave.to;
  again.simulation.wave_scope = wave.scopes;
  again.simulation.wave_failure = wave.failure;
  try {
    const std::unique_ptr<Backend> backend = make_backend(again, config_);
    run_scenario(scenario_, module_, config_, silent(options_), *backend);
    for (const std::string& sentence : backend->finish()) fmt::print(stderr, "g80: {}\n", sentence);
  } catch (const ModelError&) {       // the same failure, reported already
  } catch (const WaveError& error) {  // must not hide the failure itself
    fmt::print(stderr, "g80: the wave of the failure could not be written: {}\n", error.what());
    return;
  }
  fmt::print(stderr, "g80: shader cycles {} to {} of a second run: gtkwave {}.gtkw\n", again.simulation.wave_from,
             again.simulation.wave_to, wave.file);
}

}  // namespace g80
