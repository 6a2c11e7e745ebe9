// SPDX-License-Identifier: Apache-2.0
// cutil for programs of the driver API, from CUDA 2.2 on.
#pragma once
#pragma GCC system_header
#define _CUTIL_INLINE_FUNCTIONS_DRVAPI_H_
#include <cuda.h>
#include "cutil.h"
#include "sm_cores.h"

/// The name of an error. Only names of CUDA 3.2: no call returns another.
inline const char* getCudaDrvErrorString(CUresult error) {
  switch ((int)error) {
#define __G80_ERROR__(name) \
  case name: return #name;
    __G80_ERROR__(CUDA_SUCCESS)
    __G80_ERROR__(CUDA_ERROR_INVALID_VALUE)
    __G80_ERROR__(CUDA_ERROR_OUT_OF_MEMORY)
    __G80_ERROR__(CUDA_ERROR_NOT_INITIALIZED)
    __G80_ERROR__(CUDA_ERROR_DEINITIALIZED)
    __G80_ERROR__(CUDA_ERROR_NO_DEVICE)
    __G80_ERROR__(CUDA_ERROR_INVALID_DEVICE)
    __G80_ERROR__(CUDA_ERROR_INVALID_IMAGE)
    __G80_ERROR__(CUDA_ERROR_INVALID_CONTEXT)
    __G80_ERROR__(CUDA_ERROR_CONTEXT_ALREADY_CURRENT)
    __G80_ERROR__(CUDA_ERROR_MAP_FAILED)
    __G80_ERROR__(CUDA_ERROR_UNMAP_FAILED)
    __G80_ERROR__(CUDA_ERROR_ARRAY_IS_MAPPED)
    __G80_ERROR__(CUDA_ERROR_ALREADY_MAPPED)
    __G80_ERROR__(CUDA_ERROR_NO_BINARY_FOR_GPU)
    __G80_ERROR__(CUDA_ERROR_ALREADY_ACQUIRED)
    __G80_ERROR__(CUDA_ERROR_NOT_MAPPED)
    __G80_ERROR__(CUDA_ERROR_NOT_MAPPED_AS_ARRAY)
    __G80_ERROR__(CUDA_ERROR_NOT_MAPPED_AS_POINTER)
    __G80_ERROR__(CUDA_ERROR_ECC_UNCORRECTABLE)
    __G80_ERROR__(CUDA_ERROR_UNSUPPORTED_LIMIT)
    __G80_ERROR__(CUDA_ERROR_INVALID_SOURCE)
    __G80_ERROR__(CUDA_ERROR_FILE_NOT_FOUND)
    __G80_ERROR__(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND)
    __G80_ERROR__(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED)
    __G80_ERROR__(CUDA_ERROR_OPERATING_SYSTEM)
    __G80_ERROR__(CUDA_ERROR_INVALID_HANDLE)
    __G80_ERROR__(CUDA_ERROR_NOT_FOUND)
    __G80_ERROR__(CUDA_ERROR_NOT_READY)
    __G80_ERROR__(CUDA_ERROR_LAUNCH_FAILED)
    __G80_ERROR__(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
    __G80_ERROR__(CUDA_ERROR_LAUNCH_TIMEOUT)
    __G80_ERROR__(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING)
    __G80_ERROR__(CUDA_ERROR_UNKNOWN)
#undef __G80_ERROR__
  }
  return "CUDA_ERROR not found!";
}
#define cutilDrvSafeCallNoSync(call) CU_SAFE_CALL_NO_SYNC(call)
#define cutilDrvSafeCall(call) CU_SAFE_CALL(call)
#define cutilDrvCtxSync() CU_SAFE_CALL_NO_SYNC(cuCtxSynchronize())
#define cutilDrvCheckMsg(message) CU_SAFE_CALL_NO_SYNC(cuCtxSynchronize())
#define cutilDrvAlignOffset(offset, alignment) (offset = (offset + (alignment - 1)) & ~((alignment - 1)))

inline int _ConvertSMVer2CoresDrvApi(int major, int minor) { return _ConvertSMVer2Cores(major, minor); }
inline int cutilDrvGetMaxGflopsDeviceId() { return 0; }
inline int cutilDrvGetMaxGflopsGraphicsDeviceId() { return 0; }
inline void cutilDrvCudaCheckCtxLost(const char* message, const char* file, const int line) {
  const CUresult result = cuCtxSynchronize();
  if (result == CUDA_SUCCESS) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, message, getCudaDrvErrorString(result));
  exit(EXIT_FAILURE);
}
inline int cutilDeviceInitDrv(int, char**) {
  CUdevice device = 0;
  CUT_DEVICE_INIT_DRV(device, 0, 0);
  return device;
}
inline void cutilDeviceInitDrv(int, int argc, char** argv) { cutilDeviceInitDrv(argc, argv); }
inline CUdevice cutilChooseCudaDeviceDrv(int argc, char** argv, int* device = 0) {
  const CUdevice chosen = cutilDeviceInitDrv(argc, argv);
  if (device != 0) *device = chosen;
  return chosen;
}
inline bool cutilDrvCudaDevCapabilities(int major, int minor, CUdevice device) {
  int has_major = 0, has_minor = 0;
  CU_SAFE_CALL_NO_SYNC(cuDeviceComputeCapability(&has_major, &has_minor, device));
  return has_major > major || (has_major == major && has_minor >= minor);
}
inline bool cutilDrvCudaDevCapabilities(int major, int minor, int device, int, char**) {
  return cutilDrvCudaDevCapabilities(major, minor, device);
}
inline bool cutilDrvCudaCapabilities(int major, int minor, int = 0, char** = 0) {
  return cutilDrvCudaDevCapabilities(major, minor, 0);
}
