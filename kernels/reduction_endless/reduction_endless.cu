// A sum per block with `stride >> 1` where `stride >>= 1` was meant: the loop never ends. The device reports it, and the calls
// return cudaErrorLaunchTimeout.
#include "../cuda_program.h"

#define THREADS 256

__global__ void reduction(const float* x, float* sums) {
  __shared__ float partial_sum[THREADS];
  const unsigned t = threadIdx.x;
  partial_sum[t] = x[blockIdx.x * THREADS + t];
  for (unsigned stride = blockDim.x / 2; stride >= 1; stride >> 1) {
    __syncthreads();
    if (t < stride) partial_sum[t] += partial_sum[t + stride];
  }
  if (t == 0) sums[blockIdx.x] = partial_sum[0];
}

int main() {
  DeviceArray<float> x(THREADS), sums(1);
  reduction<<<1, THREADS>>>(x.get(), sums.get());
  CHECK_CUDA(cudaGetLastError());
  const cudaError_t error = cudaThreadSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  std::puts(error == cudaErrorLaunchTimeout ? "PASSED" : "FAILED");
  return error == cudaErrorLaunchTimeout ? 0 : 1;
}
