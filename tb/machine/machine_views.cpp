// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/machine_views.h"

#include <fmt/format.h>

#include "tb/machine/gpu_backend.h"
#include "tb/waves/signal_table.h"
#include "tb/waves/standard_views.h"
#include "tb/waves/trace_file.h"
#include "tb/waves/wave_view.h"

namespace g80 {

std::vector<std::string> write_machine_views(const Config& config, const std::string& dir) {
  MachineOptions options;
  options.lockstep = false;
  options.rtl = "all";
  const GpuBackend machine(config, options);
  const std::vector<Signal> signals = machine.wave_signals();
  for (const ViewSpec& view : standard_views()) {
    const std::vector<std::string> missing = missing_groups(view, signals);
    if (!missing.empty()) {
      throw WaveError(fmt::format("view {}: this machine has no block for {}", view.name, fmt::join(missing, ", ")));
    }
  }
  return write_views(dir, standard_views(), signals, kViewFilters);
}

}  // namespace g80
