// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/api.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80::cuda {

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
  try {
    const Launch launch(device.busy_machine().config(), *kernel.kernel, {grid.x, grid.y, grid.z},
                        {block.x, block.y, block.z}, std::move(params), dynamic_shared,
                        Session::current().options().max_cycles);
    device.work().add({[&device, kernel, launch] { device.start_launch(kernel, launch); },
                       [&device](LaunchResult&& result) { return device.end_launch(std::move(result)); }},
                      work_of(stream));
  } catch (const LaunchRefused& refused) {
    return refuse_launch(demangled_name(kernel.kernel->name), refused.what(),
                         refused.of_sizes ? cudaErrorInvalidConfiguration : cudaErrorLaunchOutOfResources);
  }
  if (device.has_mappings()) device.work().finish_all();  // the program may look at them without a call
  return cudaSuccess;
}

}  // namespace g80::cuda
