#include "histogram.h"

__global__ void count(const int* values, int n, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i] % kBins], 1);
}

const char* release() { return RELEASE; }
void histogram(const int* device, int n, int* bins) { count<<<(n + 63) / 64, 64>>>(device, n, bins); }
