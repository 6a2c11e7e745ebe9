// SPDX-License-Identifier: Apache-2.0
#include "app/report/device_report.h"

#include <fmt/format.h>

#include <cmath>

#include "hw/common/types.h"

namespace g80 {

std::string device_query_text(const Config& config) {
  const auto& device = config.device;
  std::string text = "There is 1 device supporting CUDA\n\n";
  text += fmt::format("Device 0: \"{}\"\n", device.name);
  const auto line = [&text](std::string_view label, const std::string& value) {
    text += fmt::format("  {:<46} {}\n", fmt::format("{}:", label), value);
  };
  const auto bytes = [](std::uint64_t count) { return fmt::format("{} bytes", count); };
  line("Major revision number", fmt::format("{}", device.compute_major));
  line("Minor revision number", fmt::format("{}", device.compute_minor));
  line("Total amount of global memory", bytes(device.memory_bytes));
  line("Total amount of constant memory", bytes(device.constant_bytes));
  line("Total amount of shared memory per block", bytes(config.sm.shared_bytes));
  line("Total number of registers available per block", fmt::format("{}", config.sm.num_registers));
  line("Warp size", fmt::format("{}", kWarpSize));
  line("Maximum number of threads per block", fmt::format("{}", device.max_threads_per_block));
  line("Maximum sizes of each dimension of a block",
       fmt::format("{} x {} x {}", device.max_block_x, device.max_block_y, device.max_block_z));
  line("Maximum sizes of each dimension of a grid", fmt::format("{} x {} x 1", device.max_grid, device.max_grid));
  line("Maximum memory pitch", bytes(device.max_pitch));
  line("Texture alignment", bytes(device.texture_alignment));
  line("Clock rate", fmt::format("{} kilohertz", std::llround(config.clock.shader_mhz * 1000)));
  return text + "\nTest PASSED\n";
}

}  // namespace g80
