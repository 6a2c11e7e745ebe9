// Needs sm_11.
#include <cutil_inline.h>

static __global__ void count(const float* data, float limit, unsigned* found) {
  if (data[blockIdx.x * blockDim.x + threadIdx.x] > limit) atomicAdd(found, 1);
}

unsigned count_large(const float* device, unsigned n, float limit) {
  unsigned *found, result = 0;
  cutilSafeCall(cudaMalloc((void**)&found, sizeof(unsigned)));
  cutilSafeCall(cudaMemcpy(found, &result, sizeof(unsigned), cudaMemcpyHostToDevice));
  count<<<n / 128, 128>>>(device, limit, found);
  cutilSafeCall(cudaMemcpy(&result, found, sizeof(unsigned), cudaMemcpyDeviceToHost));
  cutilSafeCall(cudaFree(found));
  return result;
}
