// SPDX-License-Identifier: Apache-2.0
// The driver API, in the same contexts as the runtime API: initialisation, devices, contexts, streams, events.
#include "runtime/driver_api.h"

#include <cstdio>

namespace g80::cuda {

CUresult result_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return CUDA_SUCCESS;
    case cudaErrorMemoryAllocation: return CUDA_ERROR_OUT_OF_MEMORY;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidConfiguration: return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDevice: return CUDA_ERROR_INVALID_DEVICE;
    case cudaErrorInvalidResourceHandle: return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorLaunchFailure: return CUDA_ERROR_LAUNCH_FAILED;
    case cudaErrorLaunchOutOfResources: return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case cudaErrorLaunchTimeout: return CUDA_ERROR_LAUNCH_TIMEOUT;
    case cudaErrorNotReady: return CUDA_ERROR_NOT_READY;
    case cudaErrorUnsupportedLimit: return CUDA_ERROR_UNSUPPORTED_LIMIT;
    case cudaErrorCudartUnloading: return CUDA_ERROR_DEINITIALIZED;
    default: return CUDA_ERROR_UNKNOWN;
  }
}

}  // namespace g80::cuda

using namespace g80::cuda;

extern "C" {

CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  driver_initialised() = true;
  return CUDA_SUCCESS;
}
/// The only call that works before cuInit. It does not initialise the driver.
CUresult cuDriverGetVersion(int* version) {
  return version == nullptr ? CUDA_ERROR_INVALID_VALUE : (*version = CUDA_VERSION, CUDA_SUCCESS);
}
CUresult cuDeviceGetCount(int* count) {
  return driver_without_context([&] { return result_of(cudaGetDeviceCount(count)); });
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return driver_without_context([&] {
    return device == nullptr ? CUDA_ERROR_INVALID_VALUE
           : ordinal != 0    ? CUDA_ERROR_INVALID_DEVICE
                             : (*device = 0, CUDA_SUCCESS);
  });
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return driver_without_context([&] {
    if (name == nullptr || length < 1 || device != 0) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(name, static_cast<std::size_t>(length), "%s", Session::current().config().device.name.c_str());
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return driver_without_context([&] {
    if (major == nullptr || minor == nullptr || device != 0) return CUDA_ERROR_INVALID_VALUE;
    *major = static_cast<int>(Session::current().config().device.compute_major);
    *minor = static_cast<int>(Session::current().config().device.compute_minor);
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return driver_without_context([&] {
    if (bytes == nullptr || device != 0) return CUDA_ERROR_INVALID_VALUE;
    *bytes = Session::current().config().device.memory_bytes;
    return CUDA_SUCCESS;
  });
}
// A program may pass an attribute outside of the enumeration's values, so this check of the sanitizer is off.
__attribute__((no_sanitize("enum"))) CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute,
                                                                   CUdevice device) {
  return driver_without_context([&] {
    cudaDeviceProp is;
    if (value == nullptr || cudaGetDeviceProperties(&is, device) != cudaSuccess) return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
      case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = is.maxThreadsPerBlock; break;
      case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: *value = is.maxThreadsDim[0]; break;
      case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: *value = is.maxThreadsDim[1]; break;
      case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: *value = is.maxThreadsDim[2]; break;
      case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: *value = is.maxGridSize[0]; break;
      case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: *value = is.maxGridSize[1]; break;
      case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: *value = is.maxGridSize[2]; break;
      case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = static_cast<int>(is.sharedMemPerBlock); break;
      case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: *value = static_cast<int>(is.totalConstMem); break;
      case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = is.warpSize; break;
      case CU_DEVICE_ATTRIBUTE_MAX_PITCH: *value = static_cast<int>(is.memPitch); break;
      case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: *value = is.regsPerBlock; break;
      case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = is.clockRate; break;
      case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT: *value = static_cast<int>(is.textureAlignment); break;
      case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP: *value = is.deviceOverlap; break;
      case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = is.multiProcessorCount; break;
      case CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT: *value = is.kernelExecTimeoutEnabled; break;
      case CU_DEVICE_ATTRIBUTE_INTEGRATED: *value = is.integrated; break;
      case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY: *value = is.canMapHostMemory; break;
      case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE: *value = is.computeMode; break;
      case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH: *value = is.maxTexture1D; break;
      case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH: *value = is.maxTexture2D[0]; break;
      case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT: *value = is.maxTexture2D[1]; break;
      case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH: *value = is.maxTexture3D[0]; break;
      case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT: *value = is.maxTexture3D[1]; break;
      case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH: *value = is.maxTexture3D[2]; break;
      case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH: *value = is.maxTexture2DArray[0]; break;
      case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT: *value = is.maxTexture2DArray[1]; break;
      case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES: *value = is.maxTexture2DArray[2]; break;
      case CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT: *value = static_cast<int>(is.surfaceAlignment); break;
      case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS: *value = is.concurrentKernels; break;
      case CU_DEVICE_ATTRIBUTE_ECC_ENABLED: *value = is.ECCEnabled; break;
      case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: *value = is.pciBusID; break;
      case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID: *value = is.pciDeviceID; break;
      case CU_DEVICE_ATTRIBUTE_TCC_DRIVER: *value = is.tccDriver; break;
      default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
  });
}
CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return driver_without_context([&] {
    cudaDeviceProp is;
    if (properties == nullptr || cudaGetDeviceProperties(&is, device) != cudaSuccess) return CUDA_ERROR_INVALID_VALUE;
    *properties = {is.maxThreadsPerBlock,
                   {is.maxThreadsDim[0], is.maxThreadsDim[1], is.maxThreadsDim[2]},
                   {is.maxGridSize[0], is.maxGridSize[1], is.maxGridSize[2]},
                   static_cast<int>(is.sharedMemPerBlock),
                   static_cast<int>(is.totalConstMem),
                   is.warpSize,
                   static_cast<int>(is.memPitch),
                   is.regsPerBlock,
                   is.clockRate,
                   static_cast<int>(is.textureAlignment)};
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetDevice(CUdevice* device) {
  return device == nullptr ? CUDA_ERROR_INVALID_VALUE : forward(cudaGetDevice, device);
}
CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return driver_without_context([&] {
    if (context == nullptr || device != 0) return CUDA_ERROR_INVALID_VALUE;
    const bool map_host = (flags & CU_CTX_MAP_HOST) != 0;
    if (map_host && !Device::can_map_host()) return result_of(cudaErrorNotSupported);
    CUctx_st& made = make_context(false);
    if (map_host) made.device.set_map_host();
    push_context(made);
    Device::current().machine();
    *context = &made;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxDestroy(CUcontext context) {
  const Call call;
  const CUctx_st* const own = current_context_if_any();
  if (has_ended() || !is_context(context) || context->users != 1 || (context->current && context != own))
    return CUDA_ERROR_INVALID_CONTEXT;
  try {
    destroy_context(*context);
  } catch (...) {
    exit_with_exception();
  }
  return CUDA_SUCCESS;
}
CUresult cuCtxDetach(CUcontext context) {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  if (context == nullptr || context != current_context_if_any()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context->users == 1) return cuCtxDestroy(context);
  --context->users;
  return CUDA_SUCCESS;
}
CUresult cuCtxAttach(CUcontext* context, unsigned flags) {
  return driver([&] {
    if (context == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    *context = &current_context();
    ++(*context)->users;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxPushCurrent(CUcontext context) {
  return driver_without_context([&] {
    if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (context->current) return CUDA_ERROR_CONTEXT_ALREADY_CURRENT;
    push_context(*context);
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  return driver([&] {
    if (!current_context().current) return CUDA_ERROR_INVALID_CONTEXT;  // that of all threads
    CUctx_st& popped = pop_context();
    if (context != nullptr) *context = &popped;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetApiVersion(CUcontext, unsigned* version) {
  return driver_without_context(
      [&] { return version == nullptr ? CUDA_ERROR_INVALID_VALUE : (*version = CUDA_VERSION, CUDA_SUCCESS); });
}
CUresult cuCtxSynchronize() { return forward(cudaDeviceSynchronize); }
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return forward(cudaThreadSetLimit, static_cast<cudaLimit>(limit), value);
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return forward(cudaThreadGetLimit, value, static_cast<cudaLimit>(limit));
}
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return forward(cudaThreadSetCacheConfig, static_cast<cudaFuncCache>(config));
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaFuncCache is = cudaFuncCachePreferNone;
  const CUresult result = forward(cudaThreadGetCacheConfig, &is);
  *config = static_cast<CUfunc_cache>(is);
  return result;
}

CUresult cuStreamCreate(CUstream* stream, unsigned) { return forward(cudaStreamCreate, stream); }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return forward(cudaStreamWaitEvent, stream, event, flags);
}
CUresult cuStreamQuery(CUstream stream) { return forward(cudaStreamQuery, stream); }
CUresult cuStreamSynchronize(CUstream stream) { return forward(cudaStreamSynchronize, stream); }
CUresult cuStreamDestroy(CUstream stream) { return forward(cudaStreamDestroy, stream); }

CUresult cuEventQuery(CUevent event) { return forward(cudaEventQuery, event); }
CUresult cuEventCreate(CUevent* event, unsigned flags) { return forward(cudaEventCreateWithFlags, event, flags); }
CUresult cuEventRecord(CUevent event, CUstream stream) { return forward(cudaEventRecord, event, stream); }
CUresult cuEventSynchronize(CUevent event) { return forward(cudaEventSynchronize, event); }
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent end) {
  return forward(cudaEventElapsedTime, ms, start, end);
}
CUresult cuEventDestroy(CUevent event) { return forward(cudaEventDestroy, event); }

// clang-format off
G80_V2(cuDeviceTotalMem) G80_V2(cuCtxCreate)
// clang-format on
}
