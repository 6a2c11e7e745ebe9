// Sums of two vectors and functions of one, element by element.
#include "pointer.h"

extern "C" __global__ void fg_vectoradd(unsigned a, unsigned b, unsigned c, int n) {
  const int i = thread_index();
  if (i < n) pointer<float>(c)[i] = pointer<float>(a)[i] + pointer<float>(b)[i];
}

extern "C" __global__ void fgp_vectoradd_float(unsigned a, unsigned b, unsigned c) {
  const int i = thread_index();
  pointer<float>(c)[i] = pointer<float>(a)[i] + pointer<float>(b)[i];
}

extern "C" __global__ void fgp_vectoradd_int(unsigned a, unsigned b, unsigned c) {
  const int i = thread_index();
  pointer<int>(c)[i] = pointer<int>(a)[i] + pointer<int>(b)[i];
}

extern "C" __global__ void fgp_vectoradd_float_nvcc(const float* a, const float* b, float* c) {
  const int i = thread_index();
  c[i] = a[i] + b[i];
}

extern "C" __global__ void fgp_vectoradd_int_nvcc(const int* a, const int* b, int* c) {
  const int i = thread_index();
  c[i] = a[i] + b[i];
}

extern "C" __global__ void misc_addthreads_sm12(const int* a, const int* b, int* c) {
  c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

extern "C" __global__ void misc_geryon_vecadd(unsigned a, unsigned b, unsigned sum) {
  const int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  pointer<float>(sum)[i] = pointer<float>(a)[i] + pointer<float>(b)[i];
}

extern "C" __global__ void fgp_cos_hard(unsigned out, unsigned in) {
  const int i = thread_index();
  pointer<float>(out)[i] = __cosf(pointer<float>(in)[i]);
}

extern "C" __global__ void fgp_exp(unsigned in, unsigned out) {
  const int i = thread_index();
  pointer<float>(out)[i] = exp2f(pointer<float>(in)[i]);
}

extern "C" __global__ void fgp_log2_hard(unsigned out, unsigned in) {
  const int i = thread_index();
  pointer<float>(out)[i] = __log2f(pointer<float>(in)[i]);
}

extern "C" __global__ void fgp_rsqrt(unsigned in, unsigned out) {
  const int i = thread_index();
  pointer<float>(out)[i] = rsqrtf(pointer<float>(in)[i]);
}
