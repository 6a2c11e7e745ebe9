// The seven steps of a well-known optimisation of a sum: interleaved addressing with divergence, interleaved with bank
// conflicts, sequential addressing, first addition while loading, last warp unrolled, loops unrolled, several elements
// per thread.
#include "../cuda_program.h"

#define THREADS 128

__global__ void reduce1(int* out, const int* in, int n) {
  __shared__ int data[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  data[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < THREADS; stride *= 2) {
    if (t % (2 * stride) == 0) data[t] += data[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

__global__ void reduce2(int* out, const int* in, int n) {
  __shared__ int data[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  data[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < THREADS; stride *= 2) {
    const int index = 2 * stride * t;
    if (index < THREADS) data[index] += data[index + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

__global__ void reduce3(int* out, const int* in, int n) {
  __shared__ int data[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  data[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = THREADS / 2; stride > 0; stride >>= 1) {
    if (t < stride) data[t] += data[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

/// Two elements of the input per thread, added while loading.
__device__ int first_sum(const int* in, int n) {
  const int i = blockIdx.x * 2 * THREADS + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  if (i + THREADS < n) sum += in[i + THREADS];
  return sum;
}

/// The last 64 elements: one warp, in step, needs no barrier on this chip.
__device__ void last_warp(volatile int* data, int t) {
  data[t] += data[t + 32];
  data[t] += data[t + 16];
  data[t] += data[t + 8];
  data[t] += data[t + 4];
  data[t] += data[t + 2];
  data[t] += data[t + 1];
}

__global__ void reduce4(int* out, const int* in, int n) {
  __shared__ int data[THREADS];
  const int t = threadIdx.x;
  data[t] = first_sum(in, n);
  __syncthreads();
  for (int stride = THREADS / 2; stride > 0; stride >>= 1) {
    if (t < stride) data[t] += data[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

__global__ void reduce5(int* out, const int* in, int n) {
  __shared__ int data[THREADS];
  const int t = threadIdx.x;
  data[t] = first_sum(in, n);
  __syncthreads();
  for (int stride = THREADS / 2; stride > 32; stride >>= 1) {
    if (t < stride) data[t] += data[t + stride];
    __syncthreads();
  }
  if (t < 32) last_warp(data, t);
  if (t == 0) out[blockIdx.x] = data[0];
}

/// The tree with every loop bound known to the compiler.
template <int kThreads>
__device__ void unrolled_tree(volatile int* data, int t) {
  if (kThreads >= 512) {
    if (t < 256) data[t] += data[t + 256];
    __syncthreads();
  }
  if (kThreads >= 256) {
    if (t < 128) data[t] += data[t + 128];
    __syncthreads();
  }
  if (kThreads >= 128) {
    if (t < 64) data[t] += data[t + 64];
    __syncthreads();
  }
  if (t < 32) last_warp(data, t);
}

__global__ void reduce6(int* out, const int* in, int n) {
  __shared__ int data[THREADS];
  const int t = threadIdx.x;
  data[t] = first_sum(in, n);
  __syncthreads();
  unrolled_tree<THREADS>(data, t);
  if (t == 0) out[blockIdx.x] = data[0];
}

__global__ void reduce7(int* out, const int* in, int n) {
  __shared__ int data[THREADS];
  const int t = threadIdx.x, step = 2 * THREADS * gridDim.x;
  int sum = 0;
  for (int i = blockIdx.x * 2 * THREADS + t; i < n; i += step) {
    sum += in[i];
    if (i + THREADS < n) sum += in[i + THREADS];
  }
  data[t] = sum;
  __syncthreads();
  unrolled_tree<THREADS>(data, t);
  if (t == 0) out[blockIdx.x] = data[0];
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = program.argument("n", 5000);
  RandomNumbers random(11);
  std::vector<int> in(n);
  int total = 0;
  for (int i = 0; i < n; ++i) total += in[i] = static_cast<int>(random.next() % 1000);
  typedef void (*Kernel)(int*, const int*, int);
  const struct {
    const char* name;
    Kernel kernel;
    int per_block;  // elements
  } steps[] = {{"interleaved_divergent", reduce1, THREADS},   {"interleaved_conflicts", reduce2, THREADS},
               {"sequential", reduce3, THREADS},              {"add_while_loading", reduce4, 2 * THREADS},
               {"last_warp_unrolled", reduce5, 2 * THREADS},  {"unrolled", reduce6, 2 * THREADS},
               {"several_per_thread", reduce7, 8 * THREADS}};
  DeviceArray<int> device_in(in);
  for (int s = 0; s < 7; ++s) {
    const int blocks = (n + steps[s].per_block - 1) / steps[s].per_block;
    DeviceArray<int> out(blocks);
    steps[s].kernel<<<blocks, THREADS>>>(out.get(), device_in.get(), n);
    CHECK_LAUNCH();
    const std::vector<int> sums = out.read();
    int sum = 0;
    for (int b = 0; b < blocks; ++b) sum += sums[b];
    program.result(steps[s].name, std::vector<int>(1, sum), std::vector<int>(1, total));
  }
  return program.finish();
}
