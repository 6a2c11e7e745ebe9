// SPDX-License-Identifier: Apache-2.0
// One launch, for both APIs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "runtime/device.h"

namespace g80::cuda {

/// Bytes of the kernel's parameter block.
std::uint32_t parameter_block_bytes(const Kernel& kernel);
/// The parameter block from the addresses of the arguments, in order.
std::vector<std::uint32_t> parameter_block(const Kernel& kernel, void** arguments);

/// Says on standard error that a launch is refused, because many programs do not look at its error. Returns the error.
cudaError_t refuse_launch(const std::string& kernel, const std::string& why, cudaError_t error);
/// The first call that launches after a kernel failed: says that all are refused.
void say_if_launches_are_refused();

/// Checks the launch; prints an error to standard error, or runs it, or adds it to the work of the stream. Later calls
/// return the error of a failed kernel.
cudaError_t run_launch(const KernelRef& kernel, dim3 grid, dim3 block, std::vector<std::uint32_t> params,
                       std::size_t dynamic_shared, cudaStream_t stream);

/// What the kernel needs and how many threads a block of it can have.
cudaFuncAttributes function_attributes(const KernelRef& kernel);

}  // namespace g80::cuda
