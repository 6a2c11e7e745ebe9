// How many steps each point of a picture of the Mandelbrot set takes to leave the circle of radius 2.
#include "../cuda_program.h"

__host__ __device__ inline int steps_to_leave(float cx, float cy, int limit) {
  float x = 0, y = 0;
  int steps = 0;
  while (steps < limit) {
    const float xx = rounded_product(x, x), yy = rounded_product(y, y);
    if (xx + yy > 4.0f) break;
    const float xy = rounded_product(x, y);
    y = xy + xy + cy;
    x = xx - yy + cx;
    ++steps;
  }
  return steps;
}

__global__ void mandelbrot(int* steps, int width, int height, float left, float top, float pixel, int limit) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const float right = rounded_product(static_cast<float>(column), pixel);
  const float down = rounded_product(static_cast<float>(row), pixel);
  steps[row * width + column] = steps_to_leave(left + right, top - down, limit);
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int width = program.argument("width", 50), height = program.argument("height", 36), limit = program.argument("limit", 60);
  const float left = -2.0f, top = 1.2f, pixel = 2.8f / static_cast<float>(width);
  DeviceArray<int> steps(width * height);
  mandelbrot<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(steps.get(), width, height, left, top, pixel, limit);
  CHECK_LAUNCH();
  std::vector<int> want(width * height);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const float right = static_cast<float>(column) * pixel, down = static_cast<float>(row) * pixel;
      want[row * width + column] = steps_to_leave(left + right, top - down, limit);
    }
  }
  program.result("steps", steps.read(), want);
  return program.finish();
}
