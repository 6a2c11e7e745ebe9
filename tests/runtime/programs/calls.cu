// Functions that are too large for copies: called from branches and loops, calling each other, waiting at barriers. The
// host computes the same.
#include <cstdio>

#define STEP(k)                                    \
  if ((x ^ y) & (1u << (k))) x = x * 5 + (y >> k); \
  else y = (y ^ x) - (k);

__host__ __device__ __noinline__ unsigned stir(unsigned x, unsigned y) {
  STEP(1) STEP(3) STEP(4) STEP(7)
  if ((x & 15) == 3) return x;
  for (unsigned k = 0; k < (y & 3); ++k) {
    STEP(2) STEP(5)
    if ((y & 7) == 1) break;
  }
  return x - y;
}

__host__ __device__ __noinline__ unsigned twice(unsigned x, unsigned y) {
  unsigned first = stir(x, y);
  if (first & 1) return stir(first, x) + y;
  STEP(6) STEP(8)
  return first ^ stir(y, x);
}

__device__ __noinline__ unsigned turn(unsigned x, unsigned distance) {
  __shared__ unsigned line[96];
  unsigned y = x + distance;
  STEP(1) STEP(3) STEP(4) STEP(9)
  __syncthreads();
  line[threadIdx.x] = x - y;
  __syncthreads();
  return line[(threadIdx.x + distance) % 96];
}

__global__ void compute(unsigned* out, const unsigned* in) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x = in[t];
  if (x & 2) x = stir(x, t);
  for (unsigned k = 0; k < (t & 3); ++k) x = twice(x, k);
  x ^= turn(x, 1);
  if (t % 3 == 0) return;
  out[t] = x + twice(t, x) - stir(x, x);
}

__global__ void turned(unsigned* out, const unsigned* in) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = turn(in[t], 1) + turn(in[t] * 3, 5);
}

static unsigned exchanged(unsigned x, unsigned distance) {
  unsigned y = x + distance;
  STEP(1) STEP(3) STEP(4) STEP(9)
  return x - y;
}

int main() {
  const unsigned kBlocks = 2, kThreads = 96, kCount = kBlocks * kThreads;
  unsigned in[kCount], out[kCount], also[kCount], wrong = 0;
  for (unsigned k = 0; k < kCount; ++k) in[k] = k * 2654435761u >> k % 5;
  unsigned *from, *to;
  cudaMalloc(&from, sizeof in);
  cudaMalloc(&to, sizeof in);
  cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(to, 0, sizeof out);
  compute<<<kBlocks, kThreads>>>(to, from);
  cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
  turned<<<kBlocks, kThreads>>>(to, from);
  cudaMemcpy(also, to, sizeof also, cudaMemcpyDeviceToHost);
  unsigned before[kCount];
  for (unsigned t = 0; t < kCount; ++t) {
    unsigned x = in[t];
    if (x & 2) x = stir(x, t);
    for (unsigned k = 0; k < (t & 3); ++k) x = twice(x, k);
    before[t] = x;
  }
  for (unsigned t = 0; t < kCount; ++t) {
    const unsigned block = t / kThreads * kThreads, lane = t % kThreads;
    const unsigned next = block + (lane + 1) % kThreads, fifth = block + (lane + 5) % kThreads;
    const unsigned x = before[t] ^ exchanged(before[next], 1);
    wrong += out[t] != (t % 3 == 0 ? 0 : x + twice(t, x) - stir(x, x));
    wrong += also[t] != exchanged(in[next], 1) + exchanged(in[fifth] * 3, 5);
  }
  printf(wrong == 0 ? "PASSED\n" : "%u words are wrong\n", wrong);
  return wrong != 0;
}
