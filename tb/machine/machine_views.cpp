// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/machine_views.h"

#include <fmt/format.h>

#include <cmath>

#include "tb/machine/gpu_backend.h"
#include "tb/scenario/memory_image.h"
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

void write_failure_view(const GpuBackend& machine, const std::string& file, const std::string& filters,
                        const std::string& lines, Picoseconds start, Picoseconds marker, Picoseconds end) {
  constexpr double kWindows = 5;  // GTKWave's waves are about a thousand pixels wide
  ViewSpec view = standard_views().front();
  view.question = "What happened before the failure at the marker?";
  view.start = start;
  view.marker = marker;
  view.zoom = std::log2(static_cast<double>(end - start) / kWindows);
  write_file(file, view_text(view, machine.wave_signals(), filters, lines));
}

}  // namespace g80
