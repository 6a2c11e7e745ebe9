// Matrix products, one element of the result per thread, and a transpose that moves four elements per thread.
#include "pointer.h"

extern "C" __global__ void fg_matmul_sass(unsigned a, unsigned b, unsigned c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += pointer<int>(a)[row * n + k] * pointer<int>(b)[k * n + column];
  pointer<int>(c)[row * n + column] = sum;
}

extern "C" __global__ void fgp_mxm_naive(unsigned a, unsigned b, unsigned c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n) return;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    sum += pointer<float>(a)[row * n + k] * pointer<float>(b)[k * n + column];
    ((volatile float*)pointer<float>(c))[row * n + column] = sum;  // the binary stores each partial sum
  }
}

extern "C" __global__ void fgp_transpose_old(unsigned out, unsigned in) {
  const int tile = 32, rows = 8, width = gridDim.x * tile;
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) {
    pointer<float>(out)[x * width + (y + j)] = pointer<float>(in)[(y + j) * width + x];
  }
}
