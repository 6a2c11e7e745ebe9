// y = a x + y, one element per thread.
#include "../cuda_program.h"

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = program.argument("n", 4000);
  const float a = 1.7f;
  RandomNumbers random(1);
  std::vector<float> x(n), y(n), want(n), sizes(n);
  for (int i = 0; i < n; ++i) {
    x[i] = random.uniform(-10, 10);
    y[i] = random.uniform(-10, 10);
    const float product = a * x[i];
    want[i] = product + y[i];
    sizes[i] = std::fabs(product) + std::fabs(y[i]);
  }
  DeviceArray<float> device_x(x), device_y(y);
  saxpy<<<(n + 255) / 256, 256>>>(n, a, device_x.get(), device_y.get());
  CHECK_LAUNCH();
  program.sums("y", device_y.read(), want, sizes, 1);
  return program.finish();
}
