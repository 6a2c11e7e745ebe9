/* SPDX-License-Identifier: Apache-2.0
   The mathematics library of kernels: every function for float, double and integers.
   
   Single precision functions are in math_rounding.h, math_exp_log.h, math_trig.h, math_special.h, math_gamma.h and
   math_bessel.h, double precision ones in sm_13_double_functions.h, the host's in math_host.h. Below sm_13 a double is
   computed with as a float. */
#pragma once
#pragma GCC system_header
#define __MATH_FUNCTIONS_H__
#ifdef __CUDACC__  // host files may include it, too
#include "g80/math_bessel.h"

#define G80_MATH1(name)                                                \
  static inline __device__ float name(float x) { return name##f(x); }  \
  template <class T>                                                   \
  static inline __device__ typename __g80_integer<T>::real name(T x) { \
    return name((__g80_real)x);                                        \
  }
#define G80_MATH2(name)                                                           \
  static inline __device__ float name(float x, float y) { return name##f(x, y); } \
  template <class T, class U>                                                     \
  static inline __device__ typename __g80_numbers<T, U>::real name(T x, U y) {    \
    typedef typename __g80_numbers<T, U>::real real;                              \
    return name((real)x, (real)y);                                                \
  }
#include "g80/math_names.def"

#if !__G80_HAS_DOUBLE__
/// Widened after whatever chose between values of x, so that the compiler can take the widening back.
__G80_DEVICE__ double __g80_widened(float x) {
  asm("" : "+f"(x));
  return x;
}
#define G80_MATH1(name) \
  static inline __device__ double name(double x) { return __g80_widened(name##f((float)x)); }
#define G80_MATH2(name) \
  static inline __device__ double name(double x, double y) { return __g80_widened(name##f((float)x, (float)y)); }
#include "g80/math_names.def"
static inline __device__ double ldexp(double x, int e) { return __g80_widened(ldexpf((float)x, e)); }
static inline __device__ double scalbn(double x, int e) { return __g80_widened(ldexpf((float)x, e)); }
static inline __device__ double scalbln(double x, long e) { return __g80_widened(scalblnf((float)x, e)); }
static inline __device__ double remquo(double x, double y, int* quotient) {
  return __g80_widened(remquof((float)x, (float)y, quotient));
}
static inline __device__ double nan(const char* tag) { return __g80_widened(nanf(tag)); }
static inline __device__ double frexp(double x, int* e) { return __g80_widened(frexpf((float)x, e)); }
static inline __device__ double modf(double x, double* whole) {
  float part;
  const float rest = modff((float)x, &part);
  *whole = part;
  return __g80_widened(rest);
}
static inline __device__ void sincos(double x, double* s, double* c) {
  float sine, cosine;
  sincosf((float)x, &sine, &cosine);
  *s = __g80_widened(sine);
  *c = __g80_widened(cosine);
}
static inline __device__ int ilogb(double x) { return ilogbf((float)x); }
static inline __device__ double jn(int n, double x) { return __g80_widened(jnf(n, (float)x)); }
static inline __device__ double yn(int n, double x) { return __g80_widened(ynf(n, (float)x)); }
static inline __device__ double fma(double x, double y, double z) {
  return __g80_widened(fmaf((float)x, (float)y, (float)z));
}
static inline __device__ double abs(double x) { return __g80_widened(fabsf((float)x)); }
#endif

static inline __device__ float ldexp(float x, int e) { return ldexpf(x, e); }
static inline __device__ float scalbn(float x, int e) { return ldexpf(x, e); }
static inline __device__ float scalbln(float x, long e) { return scalblnf(x, e); }
static inline __device__ float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
static inline __device__ float frexp(float x, int* e) { return frexpf(x, e); }
static inline __device__ float modf(float x, float* whole) { return modff(x, whole); }
static inline __device__ float fma(float x, float y, float z) { return fmaf(x, y, z); }
static inline __device__ int ilogb(float x) { return ilogbf(x); }
static inline __device__ float jn(int n, float x) { return jnf(n, x); }
static inline __device__ float yn(int n, float x) { return ynf(n, x); }
static inline __device__ long lrint(float x) { return lrintf(x); }
static inline __device__ long lround(float x) { return lroundf(x); }
static inline __device__ long long llrint(float x) { return llrintf(x); }
static inline __device__ long long llround(float x) { return llroundf(x); }
static inline __device__ void sincos(float x, float* s, float* c) { sincosf(x, s, c); }

// Of the most negative number: itself.
static inline __device__ int abs(int x) { return x < 0 ? (int)(0u - (unsigned int)x) : x; }
static inline __device__ long abs(long x) { return x < 0 ? (long)(0ul - (unsigned long)x) : x; }
static inline __device__ long long abs(long long x) { return x < 0 ? (long long)(0ull - (unsigned long long)x) : x; }
static inline __device__ float abs(float x) { return fabsf(x); }
static inline __device__ long labs(long x) { return abs(x); }
static inline __device__ long long llabs(long long x) { return abs(x); }

// min and max, for the host as well
#define __G80_MIN_MAX__(type)                                                        \
  __G80_HOST_DEVICE__ type min(const type x, const type y) { return y < x ? y : x; } \
  __G80_HOST_DEVICE__ type max(const type x, const type y) { return x < y ? y : x; }
#define __G80_MIXED__(first, second, type)                                                      \
  __G80_HOST_DEVICE__ type min(const first x, const second y) { return min((type)x, (type)y); } \
  __G80_HOST_DEVICE__ type max(const first x, const second y) { return max((type)x, (type)y); }
__G80_MIN_MAX__(int)
__G80_MIN_MAX__(unsigned int)
__G80_MIXED__(int, unsigned int, unsigned int)
__G80_MIXED__(unsigned int, int, unsigned int)
__G80_MIN_MAX__(long)
__G80_MIN_MAX__(unsigned long)
__G80_MIXED__(long, unsigned long, unsigned long)
__G80_MIXED__(unsigned long, long, unsigned long)
__G80_MIN_MAX__(long long)
__G80_MIN_MAX__(unsigned long long)
__G80_MIXED__(long long, unsigned long long, unsigned long long)
__G80_MIXED__(unsigned long long, long long, unsigned long long)
#ifdef __CUDA_ARCH__
__G80_HOST_DEVICE__ float min(const float x, const float y) { return __nvvm_fmin_f(x, y); }
__G80_HOST_DEVICE__ float max(const float x, const float y) { return __nvvm_fmax_f(x, y); }
__G80_HOST_DEVICE__ double min(const double x, const double y) { return __nvvm_fmin_d(x, y); }
__G80_HOST_DEVICE__ double max(const double x, const double y) { return __nvvm_fmax_d(x, y); }
#else
__G80_HOST_DEVICE__ float min(const float x, const float y) { return __builtin_fminf(x, y); }
__G80_HOST_DEVICE__ float max(const float x, const float y) { return __builtin_fmaxf(x, y); }
__G80_HOST_DEVICE__ double min(const double x, const double y) { return __builtin_fmin(x, y); }
__G80_HOST_DEVICE__ double max(const double x, const double y) { return __builtin_fmax(x, y); }
#endif
__G80_MIXED__(float, double, double)
__G80_MIXED__(double, float, double)
#undef __G80_MIXED__
#undef __G80_MIN_MAX__
__G80_DEVICE__ unsigned int umin(unsigned int x, unsigned int y) { return min(x, y); }
__G80_DEVICE__ unsigned int umax(unsigned int x, unsigned int y) { return max(x, y); }
__G80_DEVICE__ long long llmin(long long x, long long y) { return min(x, y); }
__G80_DEVICE__ long long llmax(long long x, long long y) { return max(x, y); }
__G80_DEVICE__ unsigned long long ullmin(unsigned long long x, unsigned long long y) { return min(x, y); }
__G80_DEVICE__ unsigned long long ullmax(unsigned long long x, unsigned long long y) { return max(x, y); }

#include "g80/math_host.h"
#endif  // __CUDACC__
