// A sum per block with strides 1, 2, 4, ...: every warp diverges in the first five steps.
#include "../cuda_program.h"

#define THREADS 256

__global__ void reduction(const float* x, float* sums) {
  __shared__ float partial_sum[THREADS];
  const unsigned t = threadIdx.x;
  partial_sum[t] = x[blockIdx.x * THREADS + t];
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0) partial_sum[t] += partial_sum[t + stride];
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
  for (int stride = 1; stride < THREADS; stride *= 2)
    for (int i = 0; i < blocks * THREADS; i += 2 * stride) x[i] += x[i + stride];
  for (int block = 0; block < blocks; ++block) want[block] = x[block * THREADS];
  program.result("sums", sums.read(), want);
  return program.finish();
}
