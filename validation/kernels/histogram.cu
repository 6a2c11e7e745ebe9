// SPDX-License-Identifier: Apache-2.0
// A histogram of 256 bins, with atomics in shared memory, one histogram a block, or in global memory.
extern "C" __global__ void in_shared(unsigned* histogram, const unsigned* data, int n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&counts[data[i]], 1);
  __syncthreads();
  histogram[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}

extern "C" __global__ void in_global(unsigned* histogram, const unsigned* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&histogram[data[i]], 1);
}
