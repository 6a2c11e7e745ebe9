// SPDX-License-Identifier: Apache-2.0
// The inline forms of cutil, from CUDA 2.2 on.
#pragma once
#pragma GCC system_header
#define _CUTIL_INLINE_H_
#include <cuda_runtime.h>
#include "cutil.h"
#include "cutil_inline_drvapi.h"
#include "sm_cores.h"

inline int cutGetMaxGflopsDeviceId() { return 0; }
inline int cutGetMaxGflopsGraphicsDeviceId() { return 0; }

#define cutilSafeCallNoSync(call) __g80_check((call), #call, __FILE__, __LINE__)
#define cutilSafeCall(call) __g80_check((call), #call, __FILE__, __LINE__)
#define cutilSafeThreadSync() __g80_check(cudaThreadSynchronize(), "cudaThreadSynchronize", __FILE__, __LINE__)
#define cutilThreadSynchronize() cudaThreadSynchronize()
#define cutilDeviceSynchronize() cudaDeviceSynchronize()
#define cutilDeviceReset() cudaDeviceReset()
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define cutilCheckMsgAndSync(message) CUT_CHECK_ERROR(message)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define cutilCondition(value) CUT_CONDITION(value)
#define cutilSafeMalloc(call) CUT_SAFE_MALLOC(call)
#define cutilExit(argc, argv) exit(EXIT_SUCCESS)
#define cutilDeviceInit(argc, argv) (__g80_choose_device(argc, argv), 0)

inline int cutilChooseCudaDevice(int argc, char** argv) {
  __g80_choose_device(argc, argv);
  return 0;
}
inline bool cutilCudaCapabilities(int major, int minor, int, char**) {
  cudaDeviceProp properties;
  __g80_check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties", __FILE__, __LINE__);
  if (properties.major > major || (properties.major == major && properties.minor >= minor)) return true;
  printf("%s has compute capability %d.%d; this program needs %d.%d\n", properties.name, properties.major,
         properties.minor, major, minor);
  return false;
}
inline void cutilCudaCheckCtxLost(const char* message, const char* file, const int line) {
  __g80_check(cudaGetLastError(), message, file, line);
  __g80_check(cudaThreadSynchronize(), message, file, line);
}
inline void print_NVCC_min_spec(const char* sample, const char* nvcc, const char* driver) {
  printf("%s needs nvcc %s and driver %s\n", sample, nvcc, driver);
}
#define ALIGN_OFFSET(offset, alignment) offset = (offset + (alignment - 1)) & ~((alignment - 1))
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#define cutilBankChecker(array, index) array[index]
#define cutilGetLastError(message) __g80_check(cudaGetLastError(), message, __FILE__, __LINE__)
inline int cutilGetMaxGflopsDeviceId() { return 0; }
