// Lanes of one warp exchange values through shared memory without barriers and without volatile, as programs for compute
// capability 1.x do: each store must be there before the next load of another lane.
#include <stdio.h>

__global__ void sum_of_warp(const float* in, float* out) {
  extern __shared__ float sums[];
  const unsigned int t = threadIdx.x;
  sums[t] = in[t] + in[t + 64];
  __syncthreads();
  if (t < 32) {
    sums[t] += sums[t + 32];
    sums[t] += sums[t + 16];
    sums[t] += sums[t + 8];
    sums[t] += sums[t + 4];
    sums[t] += sums[t + 2];
    sums[t] += sums[t + 1];
  }
  if (t == 0) *out = sums[0];
}

__device__ void add_below(int* sums, int distance) { sums[0] += sums[-distance]; }

/// Steps written one by one, through a pointer.
__global__ void prefix_sums(int* data) {
  __shared__ int sums[64];
  int* own = sums + threadIdx.x + 32;
  own[-32] = 0;
  *own = data[threadIdx.x];
  add_below(own, 1);
  add_below(own, 2);
  add_below(own, 4);
  add_below(own, 8);
  add_below(own, 16);
  data[threadIdx.x] = *own;
}

/// The same as a loop, which may be unrolled.
__global__ void prefix_sums_in_a_loop(int* data) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = 0;
  sums[t + 32] = data[t];
  for (int distance = 1; distance < 32; distance *= 2) sums[t + 32] += sums[t + 32 - distance];
  data[t] = sums[t + 32];
}

/// A choice of two arrays and a store on one side of a branch.
__global__ void place_of_least(const float* in, int* place) {
  __shared__ float least[64];
  __shared__ int places[64];
  const int t = threadIdx.x;
  least[t] = in[t];
  places[t] = t;
  __syncthreads();
  if (t < 32) {
    if (least[t + 32] < least[t]) { least[t] = least[t + 32]; places[t] = places[t + 32]; }
    if (least[t + 16] < least[t]) { least[t] = least[t + 16]; places[t] = places[t + 16]; }
    if (least[t + 8] < least[t]) { least[t] = least[t + 8]; places[t] = places[t + 8]; }
    if (least[t + 4] < least[t]) { least[t] = least[t + 4]; places[t] = places[t + 4]; }
    if (least[t + 2] < least[t]) { least[t] = least[t + 2]; places[t] = places[t + 2]; }
    if (least[t + 1] < least[t]) { least[t] = least[t + 1]; places[t] = places[t + 1]; }
  }
  __syncthreads();
  if (t == 0) *place = places[0];
}

/// All lanes write, then one of them: two stores.
__global__ void place_in_warp(const float* in, int* place) {
  __shared__ int found, places[4];
  const int t = threadIdx.x;
  const bool is_it = in[t] == 57;
  found = -1;
  if (is_it) found = t;
  places[t & 3] = -1;
  if (in[t] == 57) places[t & 3] = t;
  __syncthreads();
  place[t] = t < 4 ? places[t] : found;
}

static int failures = 0;
static void expect(const char* what, double value, double expected) {
  if (value == expected) return;
  printf("%s: %g, expected was %g\n", what, value, expected);
  ++failures;
}

int main() {
  float in[128], sum = 0, *d_in, *d_sum;
  int numbers[32], place = -1, *d_numbers;
  cudaMalloc((void**)&d_in, sizeof in);
  cudaMalloc((void**)&d_sum, sizeof sum);
  cudaMalloc((void**)&d_numbers, sizeof numbers);

  for (int k = 0; k < 128; ++k) in[k] = (float)k;
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  sum_of_warp<<<1, 64, 64 * sizeof(float)>>>(d_in, d_sum);
  cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
  expect("sum", sum, 127 * 128 / 2);

  void (*const kernels[])(int*) = {prefix_sums, prefix_sums_in_a_loop};
  for (int version = 0; version < 2; ++version) {
    for (int k = 0; k < 32; ++k) numbers[k] = k + 1;
    cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    kernels[version]<<<1, 32>>>(d_numbers);
    cudaMemcpy(numbers, d_numbers, sizeof numbers, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 32; ++k) expect("prefix sum", numbers[k], (k + 1) * (k + 2) / 2);
  }

  for (int k = 0; k < 64; ++k) in[k] = (float)((k * 37 + 11) % 64);  // 0 is at 17
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  place_of_least<<<1, 64>>>(d_in, d_numbers);
  cudaMemcpy(&place, d_numbers, sizeof place, cudaMemcpyDeviceToHost);
  expect("place of the least", place, 17);

  place_in_warp<<<1, 32>>>(d_in, d_numbers);  // 57 is at 22
  cudaMemcpy(numbers, d_numbers, sizeof numbers, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 32; ++k) expect("place in a warp", numbers[k], k < 4 && k != 2 ? -1 : 22);
  printf(failures == 0 ? "PASSED\n" : "FAILED\n");
  return failures != 0;
}
