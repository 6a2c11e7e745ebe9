// SPDX-License-Identifier: Apache-2.0
// One launch, from the program that asks for it to the push buffer.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/config/occupancy.h"
#include "input/input_error.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// The device cannot run the launch.
struct LaunchRefused : InputError {
  explicit LaunchRefused(const LaunchRefusal& refusal) : InputError(refusal.text), of_sizes(refusal.of_sizes) {}
  bool of_sizes;  // of grid or block; otherwise a block needs more than an SM has
};

/// Its constructor is the only place where software judges a launch. What gets a Launch relies on that; the chip checks
/// the methods that it is sent.
struct Launch {
  using Extent = std::array<std::uint32_t, 3>;
  /// `dynamic`: bytes of shared memory beyond the kernel's own. `limit`: in shader cycles, or in warp instructions on a
  /// model without time; 0: none. Throws LaunchRefused.
  Launch(const Config& config, const Kernel& kernel_in, const Extent& grid, const Extent& block,
         std::vector<std::uint32_t> params_in = {}, std::uint64_t dynamic = 0, std::uint64_t limit = 0)
      : kernel(&kernel_in), params(std::move(params_in)), dynamic_shared(dynamic), max_cycles(limit) {
    // A cubin of another tool may leave header and parameters out of its shared-memory size.
    const auto end_of_params = kParameterBase + static_cast<std::uint32_t>(4 * params.size());
    shape = {grid, block, std::max(kernel->reg, 1u), block_shared_bytes(std::max(kernel->smem, end_of_params), dynamic),
             params.size()};
    if (const auto refusal = launch_refusal(config, shape)) throw LaunchRefused(*refusal);
  }

  const Kernel* kernel;               // of a loaded module
  std::vector<std::uint32_t> params;  // words from s[0x10]
  std::uint64_t dynamic_shared;
  std::uint64_t max_cycles;
  LaunchShape shape;
};

}  // namespace g80
