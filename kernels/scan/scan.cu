// Prefix sums of any length: each block scans 512 elements in shared memory (work-efficient, up-sweep and down-sweep), a
// second launch scans the blocks' sums, a third adds them.
#include "../cuda_program.h"

#define THREADS 256
#define ELEMENTS (2 * THREADS)

/// Exclusive prefix sums of ELEMENTS elements a block; the sum of each block goes to `block_sums`.
__global__ void scan_blocks(int* out, const int* in, int* block_sums, int n) {
  __shared__ int data[ELEMENTS];
  const int t = threadIdx.x, first = blockIdx.x * ELEMENTS;
  data[t] = first + t < n ? in[first + t] : 0;
  data[t + THREADS] = first + t + THREADS < n ? in[first + t + THREADS] : 0;
  int offset = 1;
  for (int active = THREADS; active > 0; active >>= 1) {
    __syncthreads();
    if (t < active) data[offset * (2 * t + 2) - 1] += data[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) {
    block_sums[blockIdx.x] = data[ELEMENTS - 1];
    data[ELEMENTS - 1] = 0;
  }
  for (int active = 1; active < ELEMENTS; active *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < active) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      const int sum = data[left];
      data[left] = data[right];
      data[right] += sum;
    }
  }
  __syncthreads();
  if (first + t < n) out[first + t] = data[t];
  if (first + t + THREADS < n) out[first + t + THREADS] = data[t + THREADS];
}

__global__ void add_block_sums(int* out, const int* block_sums, int n) {
  const int i = blockIdx.x * ELEMENTS + threadIdx.x;
  const int sum = block_sums[blockIdx.x];
  if (i < n) out[i] += sum;
  if (i + THREADS < n) out[i + THREADS] += sum;
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = program.argument("n", 3000);
  const int blocks = (n + ELEMENTS - 1) / ELEMENTS;
  if (blocks > ELEMENTS) {
    std::fprintf(stderr, "n = %d: at most %d\n", n, ELEMENTS * ELEMENTS);
    return 2;
  }
  RandomNumbers random(3);
  std::vector<int> in(n), want(n);
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(random.next() % 2001) - 1000;
    want[i] = sum;
    sum += in[i];
  }
  DeviceArray<int> device_in(in), device_out(n), sums(blocks), scanned_sums(blocks), total(1);
  scan_blocks<<<blocks, THREADS>>>(device_out.get(), device_in.get(), sums.get(), n);
  scan_blocks<<<1, THREADS>>>(scanned_sums.get(), sums.get(), total.get(), blocks);
  add_block_sums<<<blocks, THREADS>>>(device_out.get(), scanned_sums.get(), n);
  CHECK_LAUNCH();
  program.result("prefix_sums", device_out.read(), want);
  program.result("total", total.read(), std::vector<int>(1, sum));
  return program.finish();
}
