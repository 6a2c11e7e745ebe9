// Sums of many numbers: by halves in shared memory, and in place by a tree of strides.
#include "pointer.h"

extern "C" __global__ void fg_reduction(unsigned in, unsigned out) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  sums[t] = pointer<int>(in)[i] + pointer<int>(in)[i + blockDim.x];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) pointer<int>(out)[blockIdx.x] = sums[0];
}

extern "C" __global__ void fgp_reduction(unsigned in, unsigned out, int n) {
  const int i = thread_index();
  int sum = pointer<int>(in)[i];
  pointer<int>(out)[i] = sum;
  for (int stride = 1; stride <= n; stride *= 2) {
    if (i % (2 * stride) == 0) {
      sum += pointer<int>(out)[i + stride];
      pointer<int>(out)[i] = sum;
    }
  }
  if (i == 0) pointer<int>(in)[i] = sum;
}
