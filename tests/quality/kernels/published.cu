// Kernels of which only the listing of NVIDIA's machine code is public: two sorts of each block's numbers, a scalar product by
// a tree of strides, an integer Fourier transform by one warp, distances on a map, a matrix product in tiles of 32, a
// transpose of which each thread moves four elements, and the autocorrelation of integers.
#include "pointer.h"

extern "C" __global__ void odd_even_sort(int* numbers, int rounds) {
  const int first = 2 * thread_index(), last = 2 * (blockDim.x * (blockIdx.x + 1)) - 1;
  int parity = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const int i = first + parity;
    if (i < last) {
      const int low = numbers[i], high = numbers[i + 1];
      if (low > high) {
        numbers[i] = high;
        numbers[i + 1] = low;
      }
    }
    parity = parity == 0;
  }
}

extern "C" __global__ void scalar_product(unsigned sums, unsigned a, unsigned b, int n) {
  const int i = thread_index();
  int sum = pointer<int>(a)[i] * pointer<int>(b)[i];
  pointer<int>(sums)[i] = sum;
  for (int stride = 1; stride <= n; stride *= 2) {
    if (i % (2 * stride) == 0) {
      sum += pointer<int>(sums)[i + stride];
      pointer<int>(sums)[i] = sum;
    }
  }
}

struct Complex {
  int re, im;
};

__device__ int bits(int n) {
  int count = 0;
#pragma unroll 1
  while (n > 0) {
    n >>= 1;
    ++count;
  }
  return count;
}

extern "C" __global__ void fft(unsigned values, unsigned roots, int n) {
  Complex* const x = pointer<Complex>(values);
  const Complex* const w = pointer<Complex>(roots);
  const int block_threads = blockDim.x * blockDim.y * blockDim.z;
  const int length = bits(n), stages = length - 1, share = 1 << (length - bits(block_threads * gridDim.x * gridDim.y));
  const int thread = threadIdx.x + blockDim.x * threadIdx.y + blockDim.x * blockDim.y * threadIdx.z +
                     block_threads * (blockIdx.x + gridDim.x * blockIdx.y);
  int turn = n >> 1, half = 1;
#pragma unroll 1
  for (int stage = 0; stage < stages; ++stage) {
#pragma unroll 1
    for (int k = share * thread; k < share * (thread + 1); ++k) {
      if ((k & half) != 0) continue;
      const Complex root = w[(turn * k) & ((n >> 1) - 1)], other = x[k + half];
      const int re = other.re * root.re - other.im * root.im, im = other.re * root.im + other.im * root.re;
      const Complex own = x[k];
      x[k].re = own.re + re;
      x[k].im = own.im + im;
      x[k + half].re = own.re - re;
      x[k + half].im = own.im - im;
    }
    turn >>= 1;
    half <<= 1;
  }
}

extern "C" __global__ void bitonic_sort(unsigned numbers) {
  extern __shared__ int kept[];
  int* const own = pointer<int>(numbers) + threadIdx.x;
  const unsigned thread = threadIdx.x;
  kept[thread] = *own;
  __syncthreads();
#pragma unroll 1
  for (unsigned run = 2; run <= 256; run *= 2) {
#pragma unroll 1
    for (unsigned step = run / 2; step > 0; step /= 2) {
      const unsigned other = thread ^ step;
      if (other > thread) {
        if ((thread & run) == 0) {
          if (kept[thread] > kept[other]) {
            const int greater = kept[thread];
            kept[thread] = kept[other];
            kept[other] = greater;
          }
        } else {
          if (kept[thread] < kept[other]) {
            const int less = kept[thread];
            kept[thread] = kept[other];
            kept[other] = less;
          }
        }
      }
      __syncthreads();
    }
  }
  *own = kept[thread];
}

struct Place {
  float latitude, longitude;
};

extern "C" __global__ void nearest_neighbor(const Place* places, float* distances, int count, float latitude,
                                            float longitude) {
  const int i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (i >= count) return;
  const float north = latitude - places[i].latitude, east = longitude - places[i].longitude;
  distances[i] = sqrtf(north * north + east * east);
}

extern "C" __global__ void matrix_multiply(float* c, const float* a, const float* b, int a_width, int b_width) {
  __shared__ float rows[32][32], columns[32][32];
  const int x = threadIdx.x, y = threadIdx.y, first = a_width * 32 * blockIdx.y, last = first + a_width - 1;
  float sum = 0;
  for (int at = first, from = 32 * blockIdx.x; at <= last; at += 32, from += 32 * b_width) {
    rows[y][x] = a[at + a_width * y + x];
    columns[y][x] = b[from + b_width * y + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k) sum += rows[y][k] * columns[k][x];
    __syncthreads();
  }
  c[b_width * 32 * blockIdx.y + 32 * blockIdx.x + b_width * y + x] = sum;
}

extern "C" __global__ void transpose(unsigned from, unsigned to, int width) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  const int row = x + width * y, column = y + width * x;
  for (int i = 0; i < 32; i += 8) pointer<float>(to)[column + i] = pointer<float>(from)[row + i * width];
}

extern "C" __global__ void autocorrelation(unsigned values, unsigned sums, int n) {
  const int lag = thread_index();
  if (lag >= n) return;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n - lag; ++i) sum += pointer<int>(values)[i] * pointer<int>(values)[i + lag];
  __syncthreads();
  pointer<int>(sums)[lag] = sum;
}
