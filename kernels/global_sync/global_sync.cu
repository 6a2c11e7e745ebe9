// A barrier of the whole grid is the end of a kernel: the second launch reads what other blocks of the first wrote.
#include "../cuda_program.h"

__global__ void produce(const int* a, int* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 3 * a[i] + i;
}

__global__ void mirror(const int* b, int* c, int last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = b[last - i];
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int blocks = program.argument("blocks", 16), threads = 128, n = blocks * threads;
  RandomNumbers random(25);
  std::vector<int> a(n), want(n);
  for (int i = 0; i < n; ++i) a[i] = static_cast<int>(random.next() % 2000000) - 1000000;
  for (int i = 0; i < n; ++i) want[i] = 3 * a[n - 1 - i] + (n - 1 - i);
  DeviceArray<int> device_a(a), b(n), c(n);
  produce<<<blocks, threads>>>(device_a.get(), b.get());
  mirror<<<blocks, threads>>>(b.get(), c.get(), n - 1);
  CHECK_LAUNCH();
  program.result("c", c.read(), want);
  return program.finish();
}
