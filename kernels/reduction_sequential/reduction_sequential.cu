// A sum per block with strides n/2, n/4, ..., 1: warps stay whole until the stride is below 32.
#include "../cuda_program.h"

#define THREADS 256

__global__ void reduction(const float* x, float* sums) {
  __shared__ float partial_sum[THREADS];
  const unsigned t = threadIdx.x;
  partial_sum[t] = x[blockIdx.x * THREADS + t];
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (t < stride) partial_sum[t] += partial_sum[t + stride];
  }
  if (t == 0) sums[blockIdx.x] = partial_sum[0];
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int blocks = program.argument("blocks", 8);
  RandomNumbers random(23);
  std::vector<float> x(blocks * THREADS), want(blocks);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = random.uniform(-1, 1);
  DeviceArray<float> device_x(x), sums(blocks);
  reduction<<<blocks, THREADS>>>(device_x.get(), sums.get());
  CHECK_LAUNCH();
  for (int block = 0; block < blocks; ++block) {
    float* sum = &x[block * THREADS];
    for (int stride = THREADS / 2; stride > 0; stride >>= 1)
      for (int t = 0; t < stride; ++t) sum[t] += sum[t + stride];
    want[block] = sum[0];
  }
  program.result("sums", sums.read(), want);
  return program.finish();
}
