// The matrix product four ways: one thread per element from global memory, with tiles in shared memory, with the inner
// loop unrolled, and with the next tiles loaded into registers while the present ones are used.
#include "../cuda_program.h"

#define TILE 16

__global__ void matmul_naive(float* c, const float* a, const float* b, int n) {
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void matmul_tiled(float* c, const float* a, const float* b, int n) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < n; start += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < TILE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void matmul_unrolled(float* c, const float* a, const float* b, int n) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < n; start += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void matmul_prefetch(float* c, const float* a, const float* b, int n) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  float next_a = a[row * n + threadIdx.x], next_b = b[threadIdx.y * n + column];
  for (int start = 0; start < n; start += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = next_a;
    tile_b[threadIdx.y][threadIdx.x] = next_b;
    __syncthreads();
    if (start + TILE < n) {
      next_a = a[row * n + start + TILE + threadIdx.x];
      next_b = b[(start + TILE + threadIdx.y) * n + column];
    }
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = TILE * program.argument("tiles", 3);
  RandomNumbers random(2);
  std::vector<float> a(n * n), b(n * n), want(n * n), sizes(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = random.uniform(-1, 1);
    b[i] = random.uniform(-1, 1);
  }
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0, size = 0;
      for (int k = 0; k < n; ++k) {
        const float product = a[row * n + k] * b[k * n + column];
        sum += product;
        size += std::fabs(product);
      }
      want[row * n + column] = sum;
      sizes[row * n + column] = size;
    }
  }
  typedef void (*Kernel)(float*, const float*, const float*, int);
  const struct {
    const char* name;
    Kernel kernel;
  } variants[] = {{"naive", matmul_naive}, {"tiled", matmul_tiled}, {"unrolled", matmul_unrolled}, {"prefetch", matmul_prefetch}};
  DeviceArray<float> device_a(a), device_b(b), device_c(a.size());
  for (int v = 0; v < 4; ++v) {
    device_c.clear();
    variants[v].kernel<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(device_c.get(), device_a.get(), device_b.get(), n);
    CHECK_LAUNCH();
    program.sums(variants[v].name, device_c.read(), want, sizes, n);
  }
  return program.finish();
}
