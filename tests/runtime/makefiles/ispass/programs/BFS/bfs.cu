// A program for an SDK's cutil alone.
#include <cutil.h>
#include <stdio.h>

__global__ void mark(int* level, int n) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n && level[k] == 0 && k + 1 < n) level[k + 1] = 1;
}

int main(int argc, char** argv) {
  CUT_DEVICE_INIT(argc, argv);
  int h[64] = {0}, *d;
  for (int k = 1; k < 64; ++k) h[k] = -1;
  cudaMalloc((void**)&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  mark<<<1, 64>>>(d, 64);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s, level of 1 is %d\n", cutOfThisSdk(), h[1]);
  return 0;
}
