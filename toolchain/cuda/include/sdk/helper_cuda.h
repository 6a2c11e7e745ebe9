// SPDX-License-Identifier: Apache-2.0
// Checked calls of the SDK's programs from CUDA 5 on.
#pragma once
#define HELPER_CUDA_H
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime_api.h>
#include "helper_string.h"
#include "sm_cores.h"

inline void __g80_check_call(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error), cudaGetErrorName(error));
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) __g80_check_call((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) __g80_check_call(cudaGetLastError(), message, __FILE__, __LINE__)
#define printLastCudaError(message)                                                                \
  do {                                                                                             \
    const cudaError_t error_ = cudaGetLastError();                                                 \
    if (error_ != cudaSuccess)                                                                     \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, message, cudaGetErrorString(error_)); \
  } while (0)

inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int gpuDeviceInit(int device) {
  checkCudaErrors(cudaSetDevice(device));
  return device;
}
inline int findCudaDevice(int argc, const char** argv) {
  const int device = checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device") : 0;
  cudaDeviceProp properties;
  checkCudaErrors(cudaSetDevice(device));
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name, properties.major,
         properties.minor);
  return device;
}
inline bool checkCudaCapabilities(int major, int minor) {
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
  return properties.major > major || (properties.major == major && properties.minor >= minor);
}
inline int ftoi(float value) { return (int)(value + (value < 0 ? -0.5f : 0.5f)); }
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
