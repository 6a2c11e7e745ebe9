// A histogram of 64 bins without atomics: every thread counts in bytes of its own in shared memory, then the block adds
// them up, and a second launch adds up the blocks.
#include "../cuda_program.h"

#define BINS 64
#define THREADS 64
#define MAX_PER_THREAD 255  // what a byte can count

__global__ void count(unsigned* partial, const unsigned char* data, int n) {
  __shared__ unsigned char counts[BINS * THREADS];
  const int t = threadIdx.x;
  for (int bin = 0; bin < BINS; ++bin) counts[bin * THREADS + t] = 0;
  const int threads = gridDim.x * THREADS;
  for (int i = blockIdx.x * THREADS + t; i < n; i += threads) counts[(data[i] >> 2) * THREADS + t]++;
  __syncthreads();
  unsigned sum = 0;  // thread t adds up bin t, starting at another thread's byte than its neighbours
  for (int i = 0; i < THREADS; ++i) sum += counts[t * THREADS + ((i + t) & (THREADS - 1))];
  partial[blockIdx.x * BINS + t] = sum;
}

__global__ void merge(unsigned* histogram, const unsigned* partial, int blocks) {
  unsigned sum = 0;
  for (int block = 0; block < blocks; ++block) sum += partial[block * BINS + threadIdx.x];
  histogram[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = program.argument("n", 6000);
  const int blocks = (n + THREADS * MAX_PER_THREAD - 1) / (THREADS * MAX_PER_THREAD) + 3;
  RandomNumbers random(4);
  std::vector<unsigned char> data(n);
  std::vector<unsigned> want(BINS);
  for (int i = 0; i < n; ++i) {
    data[i] = static_cast<unsigned char>((random.next() & random.next()) >> 11);
    ++want[data[i] >> 2];
  }
  DeviceArray<unsigned char> device_data(data);
  DeviceArray<unsigned> partial(blocks * BINS), histogram(BINS);
  count<<<blocks, THREADS>>>(partial.get(), device_data.get(), n);
  merge<<<1, BINS>>>(histogram.get(), partial.get(), blocks);
  CHECK_LAUNCH();
  program.result("histogram", histogram.read(), want);
  return program.finish();
}
