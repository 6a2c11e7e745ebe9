// SPDX-License-Identifier: Apache-2.0
// Functions whose results are exact: roundings, parts of numbers, remainders. Denormals are zero on this chip.
#pragma once
#pragma GCC system_header
#include "../device_functions.h"

#define __G80_INFINITY__ __int_as_float(0x7f800000)
#define __G80_NAN__ __int_as_float(0x7fffffff)
#ifdef __USE_FAST_MATH__  // -use_fast_math: the special functions of the chip, as they are
#define __G80_FAST_MATH__ 1
#else
#define __G80_FAST_MATH__ 0
#endif

static inline __device__ float nanf(const char*) { return __G80_NAN__; }
static inline __device__ float fabsf(float x) { return __builtin_fabsf(x); }
static inline __device__ float floorf(float x) { return __nvvm_floor_f(x); }
static inline __device__ float ceilf(float x) { return __nvvm_ceil_f(x); }
static inline __device__ float truncf(float x) { return __nvvm_trunc_f(x); }
static inline __device__ float rintf(float x) { return __nvvm_round_f(x); }
static inline __device__ float nearbyintf(float x) { return rintf(x); }
static inline __device__ float copysignf(float x, float y) {
  return __int_as_float((__float_as_int(x) & 0x7fffffff) | (__float_as_int(y) & (int)0x80000000));
}
static inline __device__ float roundf(float x) {  // halves away from zero
  const float a = fabsf(x);
  float t = truncf(a);
  if (__fsub_rn(a, t) >= 0.5f) t = __fadd_rn(t, 1.0f);
  return copysignf(t, x);
}
static inline __device__ float fminf(float x, float y) { return __nvvm_fmin_f(x, y); }
static inline __device__ float fmaxf(float x, float y) { return __nvvm_fmax_f(x, y); }
static inline __device__ float fdimf(float x, float y) { return x > y ? __fsub_rn(x, y) : x <= y ? 0.0f : __G80_NAN__; }
static inline __device__ long lrintf(float x) { return (long)__float2ll_rn(x); }
static inline __device__ long lroundf(float x) { return (long)__float2ll_rz(roundf(x)); }
static inline __device__ long long llrintf(float x) { return __float2ll_rn(x); }
static inline __device__ long long llroundf(float x) { return __float2ll_rz(roundf(x)); }

/// 2^e for -126 <= e <= 127.
__G80_DEVICE__ float __g80_power_of_two(int e) { return __int_as_float((e + 127) << 23); }

/// x * 2^e for -300 < e < 300, in two exact steps.
__G80_DEVICE__ float __g80_scale(float x, int e) {
  const int half = e >> 1;
  return __fmul_rn(__fmul_rn(x, __g80_power_of_two(half < -126 ? -126 : half)),
                   __g80_power_of_two(e - half > 127 ? 127 : e - half));
}
static inline __device__ float ldexpf(float x, int e) {
  return __g80_scale(__g80_scale(x, e < -252 ? -252 : e > 252 ? 252 : e), e < -252 ? -50 : e > 252 ? 50 : 0);
}
static inline __device__ float scalbnf(float x, int e) { return ldexpf(x, e); }
static inline __device__ float scalblnf(float x, long e) {
  return ldexpf(x, e < -1000 ? -1000 : e > 1000 ? 1000 : (int)e);
}

static inline __device__ float frexpf(float x, int* e) {
  const int bits = __float_as_int(x), exponent = (bits >> 23) & 0xff;
  if (exponent == 0 || exponent == 255) {
    *e = 0;
    return exponent == 0 ? copysignf(0.0f, x) : x;
  }
  *e = exponent - 126;
  return __int_as_float((bits & (int)0x807fffff) | 0x3f000000);
}
static inline __device__ float modff(float x, float* whole) {
  *whole = truncf(x);
  return fabsf(x) == __G80_INFINITY__ ? copysignf(0.0f, x) : copysignf(__fsub_rn(x, *whole), x);
}
static inline __device__ int ilogbf(float x) {
  const int exponent = (__float_as_int(x) >> 23) & 0xff;
  if (exponent == 0 || x != x) return (int)0x80000000;
  return exponent == 255 ? 0x7fffffff : exponent - 127;
}
static inline __device__ float logbf(float x) {
  const int exponent = (__float_as_int(x) >> 23) & 0xff;
  return exponent == 0 ? -__G80_INFINITY__ : exponent == 255 ? __fmul_rn(x, x) : __int2float_rn(exponent - 127);
}
static inline __device__ float nextafterf(float x, float y) {
  if (x != x || y != y) return __G80_NAN__;
  if (x == y) return y;
  int bits = __float_as_int(x);
  if (((unsigned)bits & 0x7f800000u) == 0)
    return copysignf(__int_as_float(0x00800000), y);  // the least number that is not zero
  bits += (x < y) == (bits > 0) ? 1 : -1;
  return (bits & 0x7f800000) == 0 ? copysignf(0.0f, x) : __int_as_float(bits);
}

/// The remainder of mantissas by shifts and subtractions: exact. The quotient's last bits go to *quotient.
__G80_DEVICE__ float __g80_remainder(float x, float y, unsigned int* quotient) {
  const unsigned int a = (unsigned)__float_as_int(x) & 0x7fffffffu, b = (unsigned)__float_as_int(y) & 0x7fffffffu;
  *quotient = 0;
  if (a >= 0x7f800000u || b > 0x7f800000u || b < 0x00800000u) return __G80_NAN__;  // infinite or NaN, by zero
  if (a < b) return __int_as_float((int)a);
  int steps = (int)(a >> 23) - (int)(b >> 23);
  unsigned int rest = (a & 0x7fffffu) | 0x800000u;
  const unsigned int divisor = (b & 0x7fffffu) | 0x800000u;
  unsigned int q = 0;
  for (; steps >= 0; --steps) {
    q <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      q |= 1;
    }
    if (steps != 0) rest <<= 1;
  }
  *quotient = q;
  if (rest == 0) return 0.0f;
  // The rest stands in units of the divisor's last place.
  return __g80_scale(__uint2float_rn(rest), (int)(b >> 23) - 150);
}
static inline __device__ float fmodf(float x, float y) {
  if (fabsf(y) == __G80_INFINITY__ && fabsf(x) < __G80_INFINITY__) return x;
  unsigned int quotient;
  return copysignf(__g80_remainder(x, y, &quotient), x);
}
static inline __device__ float remquof(float x, float y, int* quotient) {
  *quotient = 0;
  if (fabsf(y) == __G80_INFINITY__ && fabsf(x) < __G80_INFINITY__) return x;
  unsigned int q;
  float rest = __g80_remainder(x, y, &q);
  const float divisor = fabsf(y), left = __fsub_rn(divisor, rest);
  if (rest > left || (rest == left && (q & 1) != 0)) {
    rest = -left;
    ++q;
  }
  *quotient = (int)(q & 7);
  if ((__float_as_int(x) ^ __float_as_int(y)) < 0) *quotient = -*quotient;
  return __float_as_int(x) < 0 ? -rest : rest;
}
static inline __device__ float remainderf(float x, float y) {
  int quotient;
  return remquof(x, y, &quotient);
}

/// x * y + z with one rounding.
static inline __device__ float fmaf(float x, float y, float z) { return __fmaf_rn(x, y, z); }
