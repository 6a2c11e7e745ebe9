// With cutil, whosever it is.
#include <cutil.h>
#include <stdio.h>

__global__ void flow(double* density) { density[threadIdx.x] = 1.0 / (threadIdx.x + 1); }

int main(int argc, char** argv) {
  double h[32], sum = 0, *d;
  CUT_DEVICE_INIT(argc, argv);
  cudaMalloc((void**)&d, sizeof h);
  flow<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 32; ++k) sum += h[k];
  printf("%.6f, %s\n", sum, cutCheckCmdLineFlag(argc, (const char**)argv, "verbose") ? "verbose" : "brief");
  return 0;
}
