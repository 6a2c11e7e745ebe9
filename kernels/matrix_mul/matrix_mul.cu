// The textbook's matrix product: one element of P per thread, straight from global memory.
#include "../cuda_program.h"

#define TILE_WIDTH 16

__global__ void matrix_mul(const float* M, const float* N, float* P, int width) {
  const int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
  const int column = blockIdx.x * TILE_WIDTH + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + column];
  P[row * width + column] = sum;
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int width = TILE_WIDTH * program.argument("tiles", 2);
  RandomNumbers random(22);
  std::vector<float> m(width * width), n(width * width), want(width * width), sizes(width * width);
  for (std::size_t i = 0; i < m.size(); ++i) {
    m[i] = random.uniform(-1, 1);
    n[i] = random.uniform(-1, 1);
  }
  for (int row = 0; row < width; ++row) {
    for (int column = 0; column < width; ++column) {
      float sum = 0, size = 0;
      for (int k = 0; k < width; ++k) {
        const float product = m[row * width + k] * n[k * width + column];
        sum += product;
        size += std::fabs(product);
      }
      want[row * width + column] = sum;
      sizes[row * width + column] = size;
    }
  }
  DeviceArray<float> device_m(m), device_n(n), p(m.size());
  const int tiles = width / TILE_WIDTH;
  matrix_mul<<<dim3(tiles, tiles), dim3(TILE_WIDTH, TILE_WIDTH)>>>(device_m.get(), device_n.get(), p.get(), width);
  CHECK_LAUNCH();
  program.sums("P", p.read(), want, sizes, width);
  return program.finish();
}
