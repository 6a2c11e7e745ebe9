// Atomic operations on shared memory, compute capability 1.2 and up: a histogram with one set of bins a block, taken in
// branches and loops that lanes leave at different times; every operation there is; words that all threads want at once.
#include <cstdio>
#include <vector>

#define BINS 64
#define THREADS 96

__global__ void histogram(unsigned* out, const unsigned char* data, int n) {
  __shared__ unsigned bins[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += THREADS) bins[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    if (data[i] & 0x80) {
      atomicAdd(&bins[data[i] & (BINS - 1)], 1u);
    } else if (data[i] & 0x40) {
      for (int times = data[i] & 3; times >= 0; --times) atomicAdd(&bins[times], 2u);
    }
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += THREADS) atomicAdd(&out[bin], bins[bin]);
}

__global__ void every_operation(unsigned* out) {
  __shared__ unsigned word[16];
  const unsigned t = threadIdx.x;
  if (t < 16) word[t] = t == 1 || t == 5 ? ~0u : t == 2 ? ~1023u : 0;
  __syncthreads();
  atomicAdd(&word[0], t);
  atomicMin(&word[1], t + 7);
  atomicMax((int*)&word[2], (int)t - 1000);
  atomicMax(&word[3], t * 3);
  atomicOr(&word[4], 1u << (t & 31));
  atomicAnd(&word[5], ~(1u << (t & 15)));
  atomicXor(&word[6], t * 0x10001u);
  atomicInc(&word[7], 9);
  atomicDec(&word[8], 9);
  atomicSub(&word[9], 2u * t);
  if (atomicCAS(&word[10], 0u, 77u) == 0) atomicAdd(&word[11], 1u);
  unsigned seen;
  do {
    seen = word[12];
  } while (atomicCAS(&word[12], seen, seen + t) != seen);
  atomicAdd(&word[13], atomicExch(&word[14], t + 1));
  __syncthreads();
  if (t < 16) out[t] = word[t];
}

static int failures = 0;
static void expect(const char* what, unsigned seen, unsigned want) {
  if (seen == want) return;
  std::printf("%s is %u, expected %u\n", what, seen, want);
  ++failures;
}

int main() {
  const int n = 3000;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> want(BINS), seen(BINS);
  unsigned state = 12345;
  for (unsigned char& byte : data) {
    state = state * 1664525u + 1013904223u;
    byte = state >> 24;
    if (byte & 0x80) {
      ++want[byte & (BINS - 1)];
    } else if (byte & 0x40) {
      for (int times = byte & 3; times >= 0; --times) want[times] += 2;
    }
  }
  unsigned char* bytes;
  unsigned* out;
  cudaMalloc((void**)&bytes, n);
  cudaMalloc((void**)&out, BINS * sizeof(unsigned));
  cudaMemcpy(bytes, data.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, BINS * sizeof(unsigned));
  histogram<<<5, THREADS>>>(out, bytes, n);
  if (cudaThreadSynchronize() != cudaSuccess) std::printf("%s\n", cudaGetErrorString(cudaGetLastError())), ++failures;
  cudaMemcpy(seen.data(), out, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int bin = 0; bin < BINS; ++bin) expect("a bin", seen[bin], want[bin]);

  every_operation<<<1, THREADS>>>(out);
  if (cudaThreadSynchronize() != cudaSuccess) std::printf("%s\n", cudaGetErrorString(cudaGetLastError())), ++failures;
  cudaMemcpy(seen.data(), out, 16 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned sum = 0, all = 0;
  for (unsigned t = 0; t < THREADS; ++t) sum += t, all ^= t * 0x10001u;
  expect("add", seen[0], sum);
  expect("min", seen[1], 7);
  expect("signed max", seen[2], THREADS - 1 - 1000u);
  expect("max", seen[3], 3 * (THREADS - 1));
  expect("or", seen[4], ~0u);
  expect("and", seen[5], 0xffff0000u);
  expect("xor", seen[6], all);
  expect("inc", seen[7], THREADS % 10);
  expect("dec", seen[8], (10 - THREADS % 10) % 10);
  expect("sub", seen[9], 0u - 2 * sum);
  expect("cas", seen[10], 77);
  expect("cas winners", seen[11], 1);
  expect("a loop of cas", seen[12], sum);
  expect("exch", seen[13] + seen[14], sum + THREADS);
  std::printf(failures == 0 ? "PASSED\n" : "FAILED\n");
  return failures != 0;
}
