// SPDX-License-Identifier: Apache-2.0
// Common code of the driver API: handles, state, the wrapper of a call.
#pragma once
#include <cuda.h>

#include <deque>
#include <string>
#include <vector>

#include "runtime/api.h"
#include "runtime/device.h"

struct CUctx_st {};
struct CUmod_st {
  unsigned program = 0;  // of the device
};
struct CUfunc_st {
  g80::cuda::KernelRef kernel;
  dim3 block;
  std::size_t shared = 0;
  std::vector<std::uint32_t> params;
};

struct CUtexref_st {
  unsigned program = 0;
  std::string name;
  cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaTextureAddressMode mode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
  bool linear = false, read_integers = false, normalized = false;
  // What it is bound to: an array, rows or linear memory
  const cudaArray* array = nullptr;
  CUdeviceptr address = 0;
  std::size_t width = 0, height = 0, pitch = 0;  // texels, rows, bytes; height 0: linear memory
};

namespace g80::cuda {

struct DriverState {
  CUctx_st context;
  std::deque<CUmod_st> modules;
  std::deque<CUfunc_st> functions;
  std::deque<CUtexref_st> textures;
  std::vector<VariableRef> constants;  // that were asked for by name
};
DriverState& state();

CUresult result_of(cudaError_t error);

/// A call of the driver API: requires cuInit or a call of the runtime before; errors of kernels are sticky.
template <class Body>
CUresult driver(Body&& body) {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  if (!driver_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  CUresult result = CUDA_SUCCESS;
  const cudaError_t error = api([&] {
    result = body();
    return cudaSuccess;
  });
  return error != cudaSuccess ? result_of(error) : result;
}

template <class Call, class... Arguments>
CUresult forward(Call call, Arguments... arguments) {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  return driver_initialised() ? result_of(call(arguments...)) : CUDA_ERROR_NOT_INITIALIZED;
}

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
