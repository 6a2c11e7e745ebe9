// SPDX-License-Identifier: Apache-2.0
#include "app/run/failure_record.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/run/event_search.h"
#include "app/run/make_backend.h"
#include "hw/common/input_error.h"
#include "source_dir.h"
#include "tb/check/lockstep.h"
#include "tb/machine/gpu_backend.h"
#include "tb/machine/machine_views.h"
#include "tb/scenario/memory_image.h"

namespace g80 {
namespace {

constexpr std::uint64_t kCyclesAfter = 200;  // cycles recorded after the failure, if the machine ran on

/// The file's name with another suffix.
std::string beside(const std::string& file, const char* suffix) {
  return std::filesystem::path(file).replace_extension(suffix).string();
}

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
  if (!last) return;
  const auto* differs = dynamic_cast<const LockStepError*>(error);
  const std::uint64_t cycle = differs != nullptr && differs->cycle != 0 ? differs->cycle : *last;
  if (!common_.simulation.wave_on_failure.empty()) draw(cycle);
}

void FailureRecord::draw(std::uint64_t cycle) const {
  const SimulationOptions& sim = common_.simulation;
  CommonRunOptions again = silent(common_);
  again.simulation.wave = sim.wave_on_failure;
  again.simulation.wave_from = cycle > sim.wave_before ? cycle - sim.wave_before : 1;
  again.simulation.wave_to = cycle + kCyclesAfter;
  const std::unique_ptr<Backend> backend = make_backend(again, config_);
  const auto& machine = dynamic_cast<const GpuBackend&>(*backend);
  const std::string view = beside(sim.wave_on_failure, ".gtkw");
  const auto time = [&](std::uint64_t at) { return Domain::edge_time(config_.clock.shader_mhz, at); };
  write_failure_view(machine, view, std::string(G80_SOURCE_DIR) + "/waves/filters",
                     std::filesystem::absolute(sim.wave_on_failure + ".lines").string(),
                     time(again.simulation.wave_from), time(cycle), time(again.simulation.wave_to));
  try {
    run_scenario(scenario_, module_, config_, silent(options_), *backend);
    for (const std::string& sentence : backend->finish()) fmt::print(stderr, "g80: {}\n", sentence);
  } catch (const ModelError&) {  // the same failure, reported already
  }
  fmt::print(stderr, "g80: shader cycles {} to {} of a second run: gtkwave {} {}\n", again.simulation.wave_from,
             again.simulation.wave_to, sim.wave_on_failure, view);
}

}  // namespace g80
