#include <cuda_runtime.h>

__global__ void sum(unsigned* to) { to[threadIdx.x] = threadIdx.x * threadIdx.x; }

extern "C" unsigned sum_of_squares() {
  unsigned h[32], *d, result = 0;
  cudaMalloc((void**)&d, sizeof h);
  sum<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 32; ++k) result += h[k];
  return result;
}
