// Behind a barrier, threads read what other threads have written to shared memory. No address of these variables is
// ever taken, so the compiler sees all accesses; most threads pass by the one that writes.
#include <stdio.h>

const int kThreads = 64;

/// One thread tells the others what it has found.
__global__ void found(const int* in, int* out) {
  __shared__ int place;
  const int t = threadIdx.x;
  place = -1;
  __syncthreads();
  if (in[t] == 7) place = t;
  __syncthreads();
  out[t] = place;
}

/// Threads have written their own elements before another one changes them.
__global__ void changed(const int* in, int* out) {
  __shared__ int line[kThreads];
  const int t = threadIdx.x;
  line[t] = in[t];
  __syncthreads();
  if (t == 40) line[1] = 1000;
  __syncthreads();
  out[t] = line[t];
}

/// The same again and again in a loop.
__global__ void raised(const int* in, int* out) {
  __shared__ int line[kThreads];
  const int t = threadIdx.x;
  line[t] = in[t];
  for (int k = 1; k <= 32; k *= 2) {
    __syncthreads();
    if (t >= 32) line[t - 32] += k;
  }
  __syncthreads();
  out[t] = line[t];
}

/// The last block adds what all have written.
__global__ void sum_of_blocks(const int* in, int* parts, int* sum, unsigned int* counter) {
  __shared__ int line[kThreads];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  line[t] = in[blockIdx.x * kThreads + t];
  for (int d = kThreads / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) line[t] += line[t + d];
  }
  if (t == 0) {
    parts[blockIdx.x] = line[0];
    __threadfence();
    is_last = atomicInc(counter, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  line[t] = t < gridDim.x ? ((volatile int*)parts)[t] : 0;
  for (int d = kThreads / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) line[t] += line[t + d];
  }
  if (t == 0) *sum = line[0];
}

static int failures = 0;
static void expect(const char* what, int value, int expected) {
  if (value == expected) return;
  printf("%s: %d, expected was %d\n", what, value, expected);
  ++failures;
}

int main() {
  const int kBlocks = 5;
  int in[kThreads * kBlocks], out[kThreads], sum = 0, total = 0, *d_in, *d_out, *d_parts, *d_sum;
  unsigned int* d_counter;
  cudaMalloc((void**)&d_in, sizeof in);
  cudaMalloc((void**)&d_out, sizeof out);
  cudaMalloc((void**)&d_parts, kBlocks * sizeof(int));
  cudaMalloc((void**)&d_sum, sizeof(int));
  cudaMalloc((void**)&d_counter, sizeof(int));
  cudaMemset(d_counter, 0, sizeof(int));
  for (int k = 0; k < kThreads * kBlocks; ++k) in[k] = k == 37 ? 7 : 10 * k;
  for (int k = 0; k < kThreads * kBlocks; ++k) total += in[k];
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);

  found<<<1, kThreads>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int k = 0; k < kThreads; ++k) expect("found", out[k], 37);

  changed<<<1, kThreads>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int k = 0; k < kThreads; ++k) expect("changed", out[k], k == 1 ? 1000 : in[k]);

  raised<<<1, kThreads>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int k = 0; k < kThreads; ++k) expect("raised", out[k], in[k] + (k < 32 ? 63 : 0));

  sum_of_blocks<<<kBlocks, kThreads>>>(d_in, d_parts, d_sum, d_counter);
  cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
  expect("sum of blocks", sum, total);
  printf(failures == 0 ? "PASSED\n" : "FAILED\n");
  return failures != 0;
}
