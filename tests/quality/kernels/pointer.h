// SPDX-License-Identifier: Apache-2.0
// Parameters as the compared binaries take them: a pointer of 32 bits, where the binary was made for 32-bit hosts.
#pragma once

template <class T>
__device__ T* pointer(unsigned int address) {
  return (T*)(unsigned long long)address;
}

__device__ int thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
