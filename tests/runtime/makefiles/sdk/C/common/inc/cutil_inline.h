// SPDX-License-Identifier: Apache-2.0
#ifndef _CUTIL_INLINE_H_
#define _CUTIL_INLINE_H_
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cutil.h>
#include <stdio.h>
#include <stdlib.h>
#define cutilSafeCall(call) __cudaSafeCall(call, __FILE__, __LINE__)
#define cutilCheckMsg(message) __cudaSafeCall(cudaGetLastError(), message, __LINE__)
inline void __cudaSafeCall(cudaError_t error, const char* file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
  exit(-1);
}
#endif
