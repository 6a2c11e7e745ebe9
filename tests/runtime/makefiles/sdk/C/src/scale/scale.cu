// With an SDK's utilities, the kernel in a file that is included, a function of a .cpp and one of another .cu.
#include <cutil_inline.h>
#include <stdio.h>
#include <stdlib.h>

#include <scale_kernel.cu>

extern "C" void computeGold(float* data, unsigned n, float by);
unsigned count_large(const float* device, unsigned n, float limit);

int main(int argc, char** argv) {
  CUT_DEVICE_INIT(argc, argv);
  const unsigned n = 512;
  float* h = (float*)malloc(n * sizeof(float));
  float* reference = (float*)malloc(n * sizeof(float));
  for (unsigned i = 0; i < n; ++i) h[i] = reference[i] = (float)i;
  float* d = 0;
  cutilSafeCall(cudaMalloc((void**)&d, n * sizeof(float)));
  cutilSafeCall(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<n / 64, 64, 64 * sizeof(float)>>>(d, 3.0f);
  cutilCheckMsg("scale failed");
  cutilSafeCall(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  computeGold(reference, n, 3.0f);
  bool same = count_large(d, n, 1200.0f) == 111;
  for (unsigned i = 0; i < n; ++i) same = same && h[i] == reference[i];
  printf("%s, %s\n", cutOfThisSdk(), same ? "Test PASSED" : "Test FAILED");
  cutilSafeCall(cudaFree(d));
  cudaThreadExit();
  return same ? 0 : 1;
}
