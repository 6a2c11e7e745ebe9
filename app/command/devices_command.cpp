// SPDX-License-Identifier: Apache-2.0
// g80 devices: the presets, or one as deviceQuery prints it.
#include <fmt/format.h>
#include <unistd.h>

#include "app/command/commands.h"
#include "app/report/device_report.h"
#include "app/run/terminal.h"
#include "hw/config/config_override.h"
#include "tb/scenario/run_result.h"

namespace g80 {

int devices_command(const DevicesCommand& options) {
  if (!options.name.empty()) {
    fmt::print("{}", device_query_text(load_config_with(options.name, {}, "devices ")));
    return kExitPass;
  }
  for (const std::string& name : preset_names()) {
    const Config config = load_config(name);
    const std::string line =
        fmt::format("{:<10} {:<20} sm_{}{}, {} SMs at {} MHz, {} partitions\n", name, config.device.name,
                    config.device.compute_major, config.device.compute_minor,
                    config.gpu.num_tpcs * config.gpu.sms_per_tpc, config.clock.shader_mhz, config.gpu.num_partitions);
    fmt::print("{}", fold_lines(line, 32, terminal_width(STDOUT_FILENO)));
  }
  return kExitPass;
}

}  // namespace g80
