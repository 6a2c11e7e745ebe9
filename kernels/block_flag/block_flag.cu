// Two blocks talk through device memory: block 0 writes data and raises a flag, block 1 waits for it. Both must be
// resident at once.
#include "../cuda_program.h"

#define THREADS 64

__global__ void talk(volatile int* data, volatile int* flag, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = 1000 + 3 * t;
    __threadfence();
    __syncthreads();
    if (t == 0) *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    out[t] = data[t] + 1;
  }
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  DeviceArray<int> data(THREADS), flag(1), out(THREADS);
  data.clear();
  flag.clear();
  talk<<<2, THREADS>>>(data.get(), flag.get(), out.get());
  CHECK_LAUNCH();
  std::vector<int> want(THREADS);
  for (int t = 0; t < THREADS; ++t) want[t] = 1001 + 3 * t;
  program.result("out", out.read(), want);
  return program.finish();
}
