// c = a + b, one element per thread; with n = 1000 the last warp of the last block diverges.
#include "../cuda_program.h"

__global__ void vec_add(const float* a, const float* b, float* c, int n) {
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = program.argument("n", 1000);
  RandomNumbers random(21);
  std::vector<float> a(n), b(n), want(n);
  for (int i = 0; i < n; ++i) {
    a[i] = random.uniform(-1000, 1000);
    b[i] = random.uniform(-1, 1);
    want[i] = a[i] + b[i];
  }
  DeviceArray<float> device_a(a), device_b(b), c(n);
  vec_add<<<(n + 255) / 256, 256>>>(device_a.get(), device_b.get(), c.get(), n);
  CHECK_LAUNCH();
  program.result("c", c.read(), want);
  return program.finish();
}
