/* SPDX-License-Identifier: Apache-2.0
   Complex numbers for hosts and kernels. They are vectors of two: x is the real part. */
#pragma once
#pragma GCC system_header
#define CU_COMPLEX_H_
#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __G80_COMPLEX__(complex, real, suffix, vector, root)                                                       \
  __G80_HOST_DEVICE__ real cuCreal##suffix(complex a) { return a.x; }                                              \
  __G80_HOST_DEVICE__ real cuCimag##suffix(complex a) { return a.y; }                                              \
  __G80_HOST_DEVICE__ complex cuConj##suffix(complex a) { return make_##vector(a.x, -a.y); }                       \
  __G80_HOST_DEVICE__ complex cuCadd##suffix(complex a, complex b) { return make_##vector(a.x + b.x, a.y + b.y); } \
  __G80_HOST_DEVICE__ complex cuCsub##suffix(complex a, complex b) { return make_##vector(a.x - b.x, a.y - b.y); } \
  __G80_HOST_DEVICE__ complex cuCmul##suffix(complex a, complex b) {                                               \
    return make_##vector(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                            \
  }                                                                                                                \
  /* Scaled by the divisor's size: its square may be out of range where the quotient is not. */                    \
  __G80_HOST_DEVICE__ complex cuCdiv##suffix(complex a, complex b) {                                               \
    const real scale = (real)1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                                \
    const real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                             \
    const real norm = (real)1 / (bx * bx + by * by);                                                               \
    return make_##vector((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);                                  \
  }                                                                                                                \
  __G80_HOST_DEVICE__ real cuCabs##suffix(complex a) {                                                             \
    const real x = a.x < 0 ? -a.x : a.x, y = a.y < 0 ? -a.y : a.y;                                                 \
    const real large = x > y ? x : y, small = x > y ? y : x;                                                       \
    if (large == 0) return 0;                                                                                      \
    const real ratio = small / large;                                                                              \
    return large * root((real)1 + ratio * ratio);                                                                  \
  }
__G80_COMPLEX__(cuFloatComplex, float, f, float2, sqrtf)
__G80_COMPLEX__(cuDoubleComplex, double, , double2, sqrt)
#undef __G80_COMPLEX__

__G80_HOST_DEVICE__ cuFloatComplex make_cuFloatComplex(float x, float y) { return make_float2(x, y); }
__G80_HOST_DEVICE__ cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_double2(x, y); }
__G80_HOST_DEVICE__ cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
__G80_HOST_DEVICE__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }
__G80_HOST_DEVICE__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2((float)a.x, (float)a.y);
}
__G80_HOST_DEVICE__ cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) { return cuCaddf(cuCmulf(a, b), c); }
__G80_HOST_DEVICE__ cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}
