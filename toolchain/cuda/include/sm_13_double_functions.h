/* SPDX-License-Identifier: Apache-2.0
   Double precision: compute capability 1.3. */
#pragma once
#pragma GCC system_header
#define __SM_13_DOUBLE_FUNCTIONS_H__
#ifdef __CUDACC__  // host files may include it, too
#include "math_functions.h"

#if !__G80_HAS_DOUBLE__ && defined(__CUDA_ARCH__)
#define __G80_SM_13__      \
  static inline __device__ \
      __attribute__((unavailable("double precision needs compute capability 1.3: " __G80_CHOOSE_ARCH__ "sm_13")))
#define __G80_ROUNDED__(mode)                                   \
  __G80_SM_13__ double __dadd_##mode(double, double);           \
  __G80_SM_13__ double __dmul_##mode(double, double);           \
  __G80_SM_13__ double __fma_##mode(double, double, double);    \
  __G80_SM_13__ int __double2int_##mode(double);                \
  __G80_SM_13__ unsigned int __double2uint_##mode(double);      \
  __G80_SM_13__ long long __double2ll_##mode(double);           \
  __G80_SM_13__ unsigned long long __double2ull_##mode(double); \
  __G80_SM_13__ float __double2float_##mode(double);            \
  __G80_SM_13__ double __ll2double_##mode(long long);           \
  __G80_SM_13__ double __ull2double_##mode(unsigned long long);
__G80_ROUNDED__(rn)
__G80_ROUNDED__(rz)
__G80_ROUNDED__(ru)
__G80_ROUNDED__(rd)
#undef __G80_ROUNDED__
__G80_SM_13__ double __ddiv_rn(double, double);
__G80_SM_13__ double __drcp_rn(double);
__G80_SM_13__ double __dsqrt_rn(double);
__G80_SM_13__ double __int2double_rn(int);
__G80_SM_13__ double __uint2double_rn(unsigned int);
__G80_SM_13__ long long __double_as_longlong(double);
__G80_SM_13__ double __longlong_as_double(long long);
__G80_SM_13__ int __double2hiint(double);
__G80_SM_13__ int __double2loint(double);
__G80_SM_13__ double __hiloint2double(int, int);
#undef __G80_SM_13__
#endif

#if __G80_HAS_DOUBLE__ || !defined(__CUDA_ARCH__)  // the host's compiler reads kernels, too
// Operations with a rounding of their own, never fused
#define __G80_DOUBLE1__(name, instruction) __G80_ASM1__(double, "d", name, instruction)
#define __G80_DOUBLE2__(name, instruction) __G80_ASM2__(double, "d", name, instruction)
#define __G80_DOUBLE3__(name, instruction) __G80_ASM3__(double, "d", name, instruction)
#define __G80_ROUNDED__(suffix, rounding)                  \
  __G80_DOUBLE2__(__dadd_##suffix, "add." rounding ".f64") \
  __G80_DOUBLE2__(__dmul_##suffix, "mul." rounding ".f64") \
  __G80_DOUBLE3__(__fma_##suffix, "fma." rounding ".f64")
__G80_ROUNDED__(rn, "rn")
__G80_ROUNDED__(rz, "rz")
__G80_ROUNDED__(ru, "rp")
__G80_ROUNDED__(rd, "rm")
#undef __G80_ROUNDED__
__G80_DOUBLE2__(__ddiv_rn, "div.rn.f64")
__G80_DOUBLE1__(__drcp_rn, "rcp.rn.f64")
__G80_DOUBLE1__(__dsqrt_rn, "sqrt.rn.f64")
#define __G80_NEAREST_ONLY__(suffix)                                                       \
  __G80_NEEDS__(__G80_NO_20__) inline double __ddiv_##suffix(double, double) { return 0; } \
  __G80_NEEDS__(__G80_NO_20__) inline double __drcp_##suffix(double) { return 0; }         \
  __G80_NEEDS__(__G80_NO_20__) inline double __dsqrt_##suffix(double) { return 0; }
__G80_NEAREST_ONLY__(rz)
__G80_NEAREST_ONLY__(ru)
__G80_NEAREST_ONLY__(rd)
#undef __G80_NEAREST_ONLY__
#undef __G80_DOUBLE1__
#undef __G80_DOUBLE2__
#undef __G80_DOUBLE3__

// Conversions
#define __G80_CONVERSIONS__(from, to)                                                              \
  __G80_DEVICE__ int __double2int_##from(double x) { return __nvvm_d2i_##to(x); }                  \
  __G80_DEVICE__ unsigned int __double2uint_##from(double x) { return __nvvm_d2ui_##to(x); }       \
  __G80_DEVICE__ long long __double2ll_##from(double x) { return __nvvm_d2ll_##to(x); }            \
  __G80_DEVICE__ unsigned long long __double2ull_##from(double x) { return __nvvm_d2ull_##to(x); } \
  __G80_DEVICE__ float __double2float_##from(double x) { return __nvvm_d2f_##to(x); }              \
  __G80_DEVICE__ double __ll2double_##from(long long x) { return __nvvm_ll2d_##to(x); }            \
  __G80_DEVICE__ double __ull2double_##from(unsigned long long x) { return __nvvm_ull2d_##to(x); }
__G80_CONVERSIONS__(rn, rn)
__G80_CONVERSIONS__(rz, rz)
__G80_CONVERSIONS__(ru, rp)
__G80_CONVERSIONS__(rd, rm)
#undef __G80_CONVERSIONS__
__G80_DEVICE__ double __int2double_rn(int x) { return x; }
__G80_DEVICE__ double __uint2double_rn(unsigned int x) { return x; }
__G80_DEVICE__ long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__G80_DEVICE__ double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__G80_DEVICE__ int __double2hiint(double x) { return (int)((unsigned long long)__double_as_longlong(x) >> 32); }
__G80_DEVICE__ int __double2loint(double x) { return (int)__double_as_longlong(x); }
__G80_DEVICE__ double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

// The rounding as an argument
__G80_DEVICE__ double fma(double x, double y, double z, enum cudaRoundMode mode) {
  return __G80_BY_MODE__(__fma, mode, x, y, z);
}
__G80_DEVICE__ double dmul(double x, double y, enum cudaRoundMode mode = cudaRoundNearest) {
  return __G80_BY_MODE__(__dmul, mode, x, y);
}
__G80_DEVICE__ double dadd(double x, double y, enum cudaRoundMode mode = cudaRoundNearest) {
  return __G80_BY_MODE__(__dadd, mode, x, y);
}
__G80_DEVICE__ int double2int(double x, enum cudaRoundMode mode = cudaRoundZero) {
  return __G80_BY_MODE__(__double2int, mode, x);
}
__G80_DEVICE__ unsigned int double2uint(double x, enum cudaRoundMode mode = cudaRoundZero) {
  return __G80_BY_MODE__(__double2uint, mode, x);
}
__G80_DEVICE__ long long double2ll(double x, enum cudaRoundMode mode = cudaRoundZero) {
  return __G80_BY_MODE__(__double2ll, mode, x);
}
__G80_DEVICE__ unsigned long long double2ull(double x, enum cudaRoundMode mode = cudaRoundZero) {
  return __G80_BY_MODE__(__double2ull, mode, x);
}
__G80_DEVICE__ double ll2double(long long x, enum cudaRoundMode mode = cudaRoundNearest) {
  return __G80_BY_MODE__(__ll2double, mode, x);
}
__G80_DEVICE__ double ull2double(unsigned long long x, enum cudaRoundMode mode = cudaRoundNearest) {
  return __G80_BY_MODE__(__ull2double, mode, x);
}
__G80_DEVICE__ double int2double(int x, enum cudaRoundMode = cudaRoundNearest) { return x; }
__G80_DEVICE__ double uint2double(unsigned int x, enum cudaRoundMode = cudaRoundNearest) { return x; }
__G80_DEVICE__ double float2double(float x, enum cudaRoundMode = cudaRoundNearest) { return x; }
#endif
#if __G80_HAS_DOUBLE__
#include "g80/math_double.h"
#endif
#endif  // __CUDACC__
