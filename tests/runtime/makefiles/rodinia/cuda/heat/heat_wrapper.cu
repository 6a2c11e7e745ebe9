#include "heat_wrapper.h"

__global__ void step(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  out[i] = 0.25f * in[i > 0 ? i - 1 : n - 1] + 0.5f * in[i] + 0.25f * in[i < n - 1 ? i + 1 : 0];
}

extern "C" int diffuse(float* line, int n, int steps) {
  float *from, *to;
  cudaMalloc((void**)&from, n * sizeof(float));
  cudaMalloc((void**)&to, n * sizeof(float));
  cudaMemcpy(from, line, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < steps; ++k) {
    step<<<1, n>>>(from, to, n);
    float* last = from;
    from = to;
    to = last;
  }
  cudaMemcpy(line, from, n * sizeof(float), cudaMemcpyDeviceToHost);
  return cudaGetLastError() != cudaSuccess;
}
