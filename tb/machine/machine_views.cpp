// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/machine_views.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/machine/gpu_backend.h"
#include "tb/machine/twin_select.h"
#include "tb/waves/signal_table.h"
#include "tb/waves/standard_views.h"
#include "tb/waves/trace_file.h"
#include "tb/waves/wave_view.h"

namespace g80 {

std::vector<std::string> write_machine_views(const Config& config, const std::string& dir) {
  MachineOptions options;
  options.lockstep = false;
  options.rtl = has_twins() ? "all" : "";
  const GpuBackend machine(config, options);
  const std::vector<Signal> signals = machine.wave_signals();
  std::vector<ViewSpec> views = standard_views();
  const auto shows_rtl = [](const ViewSpec& view) { return view.name == "rtl"; };
  if (!has_twins()) views.erase(std::remove_if(views.begin(), views.end(), shows_rtl), views.end());
  for (const ViewSpec& view : views) {
    const std::vector<std::string> missing = missing_groups(view, signals);
    if (!missing.empty()) {
      throw WaveError(fmt::format("view {}: this machine has no block for {}", view.name, fmt::join(missing, ", ")));
    }
  }
  return write_views(dir, views, signals, kViewFilters);
}

}  // namespace g80
