// Inner product of i and 2i: a grid-stride loop, a tree in shared memory, partial sums for the host.
#include "../cuda_program.h"

#define THREADS 256

__global__ void dot_product(const float* a, const float* b, float* partial, int n) {
  __shared__ float cache[THREADS];
  float sum = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int i = blockDim.x / 2; i != 0; i /= 2) {
    if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = program.argument("n", 33 * 1024);
  const int blocks = (n + THREADS - 1) / THREADS < 32 ? (n + THREADS - 1) / THREADS : 32;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }
  std::vector<float> want(blocks);
  for (int block = 0; block < blocks; ++block) {
    std::vector<float> sums(THREADS);
    for (int t = 0; t < THREADS; ++t) {
      for (int i = t + block * THREADS; i < n; i += THREADS * blocks) {
        const float product = a[i] * b[i];
        sums[t] += product;
      }
    }
    for (int stride = THREADS / 2; stride != 0; stride /= 2)
      for (int t = 0; t < stride; ++t) sums[t] += sums[t + stride];
    want[block] = sums[0];
  }
  DeviceArray<float> device_a(a), device_b(b), partial(blocks);
  dot_product<<<blocks, THREADS>>>(device_a.get(), device_b.get(), partial.get(), n);
  CHECK_LAUNCH();
  const std::vector<float> got = partial.read();
  float sum = 0;
  for (int block = 0; block < blocks; ++block) sum += got[block];
  std::printf("a . b = %.6g\n", sum);
  // No product is negative: the sums are as large as their terms. A term goes through those of its thread and the tree.
  program.sums("partial", got, want, want, (n + THREADS * blocks - 1) / (THREADS * blocks) + 8);
  return program.finish();
}
