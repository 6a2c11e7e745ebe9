// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/api.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80::cuda {
namespace {

/// Checks the sizes of grid and block, before the checks that depend on the kernel.
bool has_valid_shape(const Config& config, dim3 grid, dim3 block) {
  const auto& device = config.device;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  return grid.x >= 1 && grid.y >= 1 && grid.z == 1 && grid.x <= device.max_grid && grid.y <= device.max_grid &&
         block.x >= 1 && block.y >= 1 && block.z >= 1 && block.x <= device.max_block_x &&
         block.y <= device.max_block_y && block.z <= device.max_block_z && threads <= device.max_threads_per_block;
}

}  // namespace

std::uint32_t parameter_block_bytes(const Kernel& kernel) {
  std::uint32_t end = 0;
  for (const Parameter& parameter : kernel.params)
    end = std::max(end, parameter.offset - kParameterBase + parameter_bytes(parameter));
  return end;
}

std::vector<std::uint32_t> parameter_block(const Kernel& kernel, void** arguments) {
  std::vector<std::uint32_t> words((parameter_block_bytes(kernel) + 3) / 4);
  for (std::size_t k = 0; k < kernel.params.size(); ++k) {
    const Parameter& parameter = kernel.params[k];
    auto* bytes = reinterpret_cast<std::uint8_t*>(words.data());
    std::memcpy(bytes + parameter.offset - kParameterBase, arguments[k], parameter_bytes(parameter));
  }
  return words;
}

cudaError_t refuse_launch(const std::string& kernel, const std::string& why, cudaError_t error) {
  fmt::print(stderr, "g80: kernel {} cannot be launched: {}\n", kernel, why);
  return error;
}

void say_if_launches_are_refused() {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  static cudaError_t said = cudaSuccess;
  if (sticky_error() != said && sticky_error() != cudaSuccess)
    fmt::print(stderr, "g80: launches are refused until the device is reset, because a kernel has failed\n");
  said = sticky_error();
}

cudaError_t run_launch(const KernelRef& kernel, dim3 grid, dim3 block, std::vector<std::uint32_t> params,
                       std::size_t dynamic_shared, cudaStream_t stream) {
  Device& device = Device::current();
  const Config& config = device.config();
  const auto refuse = [&](const std::string& why, cudaError_t error) {
    return refuse_launch(demangled_name(kernel.kernel->name), why, error);
  };
  if (!has_valid_shape(config, grid, block)) {
    return refuse(
        fmt::format(
            "grid {} x {} x {}, block {} x {} x {}; {} allows grids up to {} x {} x 1 and blocks up to {} x {} x {} "
            "with at most {} threads",
            grid.x, grid.y, grid.z, block.x, block.y, block.z, config.device.name, config.device.max_grid,
            config.device.max_grid, config.device.max_block_x, config.device.max_block_y, config.device.max_block_z,
            config.device.max_threads_per_block),
        cudaErrorInvalidConfiguration);
  }
  LaunchRequest request;
  request.kernel = kernel.kernel;
  request.grid = {grid.x, grid.y, grid.z};
  request.block = {block.x, block.y, block.z};
  request.params = std::move(params);
  request.dynamic_shared = dynamic_shared;
  if (const auto error = device.busy_machine().launch_error(request))
    return refuse(*error, cudaErrorLaunchOutOfResources);
  device.work().add({[&device, kernel, request] { device.start_launch(kernel, request); },
                     [&device](LaunchResult&& result) { return device.end_launch(std::move(result)); }},
                    work_of(stream));
  if (device.has_mappings()) device.work().finish_all();  // the program may look at them without a call
  return cudaSuccess;
}

}  // namespace g80::cuda
