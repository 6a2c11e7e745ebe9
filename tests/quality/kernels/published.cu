// Kernels of which only the listing of NVIDIA's machine code is public: an odd-even sort of each block's numbers, a scalar
// product by a tree of strides, and an integer Fourier transform by one warp.
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
