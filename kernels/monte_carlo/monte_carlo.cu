// Pi from random points: every thread counts how many of its points fall into the quarter circle; the block adds up.
#include "../cuda_program.h"

#define THREADS 128

/// One step of the linear congruential generator of Numerical Recipes.
__host__ __device__ inline unsigned next_random(unsigned state) { return state * 1664525u + 1013904223u; }

__host__ __device__ inline unsigned points_inside(unsigned seed, int points) {
  unsigned state = seed * 2654435761u + 1u, inside = 0;
  for (int i = 0; i < points; ++i) {
    state = next_random(state);
    const float x = static_cast<float>(state >> 8) * (1.0f / 16777216.0f);
    state = next_random(state);
    const float y = static_cast<float>(state >> 8) * (1.0f / 16777216.0f);
    const float xx = rounded_product(x, x), yy = rounded_product(y, y);
    if (xx + yy < 1.0f) ++inside;
  }
  return inside;
}

__global__ void count_inside(unsigned* per_block, int points) {
  __shared__ unsigned counts[THREADS];
  const int t = threadIdx.x;
  counts[t] = points_inside(blockIdx.x * THREADS + t, points);
  __syncthreads();
  for (int stride = THREADS / 2; stride > 0; stride /= 2) {
    if (t < stride) counts[t] += counts[t + stride];
    __syncthreads();
  }
  if (t == 0) per_block[blockIdx.x] = counts[0];
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int blocks = program.argument("blocks", 6), points = program.argument("points", 20);
  DeviceArray<unsigned> per_block(blocks);
  count_inside<<<blocks, THREADS>>>(per_block.get(), points);
  CHECK_LAUNCH();
  const std::vector<unsigned> got = per_block.read();
  std::vector<unsigned> want(blocks);
  unsigned inside = 0;
  for (int b = 0; b < blocks; ++b) {
    for (int t = 0; t < THREADS; ++t) want[b] += points_inside(b * THREADS + t, points);
    inside += got[b];
  }
  std::printf("pi is about %.4f\n", 4.0 * inside / (double(blocks) * THREADS * points));
  program.result("inside", got, want);
  return program.finish();
}
