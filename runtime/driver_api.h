// SPDX-License-Identifier: Apache-2.0
// Common code of the driver API: handles, the wrapper of a call.
#pragma once
#include <string>
#include <vector>

#include "runtime/api.h"
#include "runtime/context.h"

/// The name that the function has in programs that NVIDIA's cuda.h of 3.2 is compiled into: sizes are of 64 bits.
#define G80_V2(name) __typeof__(name) name##_v2 __attribute__((alias(#name)));

namespace g80::cuda {

CUresult result_of(cudaError_t error);

/// A call of the driver API: requires cuInit or a call of the runtime before; errors of kernels are sticky.
template <class Body>
CUresult driver_without_context(Body&& body) {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  if (!driver_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  CUresult result = CUDA_SUCCESS;
  const cudaError_t error = api([&] {
    result = body();
    return cudaSuccess;
  });
  return error != cudaSuccess ? result_of(error) : result;
}

/// One that works in the context of this thread.
template <class Body>
CUresult driver(Body&& body) {
  return driver_without_context(
      [&] { return current_context_if_any() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : body(); });
}

template <class Call, class... Arguments>
CUresult forward(Call call, Arguments... arguments) {
  return driver([&] { return result_of(call(arguments...)); });
}

// Handles of this thread's context
inline bool known(CUmodule module) { return current_context().modules.has(module); }
inline bool known(CUfunction function) { return current_context().functions.has(function); }
inline bool known(CUtexref texture) { return current_context().textures.has(texture); }

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }

/// The descriptor of an array's format; nothing if textures of this generation do not have it.
std::optional<cudaChannelFormatDesc> channel_of(CUarray_format format, unsigned channels);

CUarray_format format_of(const cudaChannelFormatDesc& desc);
unsigned channels_of(const cudaChannelFormatDesc& desc);

/// A __constant__ variable has no address that a kernel could use. The host gets one beyond the chip's 32 bits, which
/// copies understand.
CUdeviceptr constant_address(const VariableRef& variable);
/// The variable and the byte in it; nothing if the address is not such a one.
struct ConstantPlace {
  VariableRef variable;
  std::size_t offset = 0;
};
std::optional<ConstantPlace> constant_at(CUdeviceptr address);

}  // namespace g80::cuda
