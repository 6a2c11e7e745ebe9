// SPDX-License-Identifier: Apache-2.0
// Trigonometric and hyperbolic functions. The polynomials are minimax fits (Remez exchange), each with its relative
// error; angles are reduced by Cody and Waite's method, large ones with the bits of 2/pi that matter (Payne and Hanek).
#pragma once
#pragma GCC system_header
#include "math_exp_log.h"

static inline __device__ float sqrtf(float x) { return __nvvm_sqrt_approx_f(x); }
static inline __device__ float rsqrtf(float x) { return __g80_rsqrt(x); }

/// sin(r), |r| <= pi/4 (2^-28.1 of r^3) and cos(r) (2^-33.3).
__G80_DEVICE__ float __g80_sin_reduced(float r) {
  const float z = r * r;
  return z * __g80_polynomial_mad(z, -0.000195172986f, 0.008332178142f, -0.1666665494f) * r + r;
}
__G80_DEVICE__ float __g80_cos_reduced(float r) {
  return __g80_polynomial_mad(r * r, 2.443845192e-5f, -0.001388736752f, 0.04166664687f, -0.5f, 1.0f);
}

/// Word k of 2/pi, the most significant first.
__G80_DEVICE__ unsigned int __g80_two_over_pi(int k) {
  return k < 3 ? (k == 0   ? 0xa2f9836eu
                  : k == 1 ? 0x4e441529u
                           : 0xfc2757d1u)
               : (k == 3   ? 0xf534ddc0u
                  : k == 4 ? 0xdb629599u
                  : k == 5 ? 0x3c439041u
                           : 0xfe5163abu);
}
/// The same reduction for any finite x: 96 bits of 2/pi around the binary point of the product.
__G80_DEVICE__ float __g80_reduce_large(float x, int* quadrant) {
  const unsigned int bits = (unsigned)__float_as_int(x);
  const int e = (int)((bits >> 23) & 0xff) - 127 - 23;  // x = m * 2^e
  const unsigned int m = (bits & 0x7fffffu) | 0x800000u;
  // Bits of 2/pi that give multiples of 4 are left out; word 0 is the zeros in front of the binary point.
  const int first = e + 30, word = first >> 5, shift = first & 31;
  const unsigned int w0 = word == 0 ? 0 : __g80_two_over_pi(word - 1), w1 = __g80_two_over_pi(word),
                     w2 = __g80_two_over_pi(word + 1), w3 = __g80_two_over_pi(word + 2);
  const unsigned int a = shift ? w0 << shift | w1 >> (32 - shift) : w0,
                     b = shift ? w1 << shift | w2 >> (32 - shift) : w1,
                     c = shift ? w2 << shift | w3 >> (32 - shift) : w2;
  // The lower 96 bits of m * abc: two bits of the quadrant, then the fraction.
  const unsigned long long low = (unsigned long long)m * c, middle = (unsigned long long)m * b + (low >> 32);
  const unsigned int high = m * a + (unsigned int)(middle >> 32), tail = (unsigned int)low << 2;
  *quadrant = (int)(high >> 30);
  unsigned long long fraction = ((unsigned long long)high << 32 | (unsigned int)middle) << 2 | (unsigned int)low >> 30;
  // To the nearest multiple: the fraction becomes signed.
  *quadrant += (int)(fraction >> 63);
  const bool negative = (fraction >> 63) != 0;
  if (negative) fraction = ~fraction + (tail == 0);
  const int zeros = fraction == 0 ? 63 : __clzll((long long)fraction);
  fraction <<= zeros;
  if (zeros > 0 && zeros < 32 && !negative) fraction |= tail >> (32 - zeros);
  // Times pi/2 in integers, so that there is one rounding.
  unsigned long long product = __umul64hi(fraction, 0xc90fdaa22168c235ull);
  const int more = product >> 63 ? 0 : 1;
  product <<= more;
  const float angle =
      __fmul_rn(__uint2float_rn((unsigned int)(product >> 32) | 1u), __g80_power_of_two(-31 - zeros - more));
  if ((int)bits < 0) *quadrant = -*quadrant;
  return negative != ((int)bits < 0) ? -angle : angle;
}
/// r = x - quadrant * pi/2, |r| <= pi/4.
__G80_DEVICE__ float __g80_reduce(float x, int* quadrant) {
  if (fabsf(x) > 48039.0f) return __g80_reduce_large(x, quadrant);
  *quadrant = __float2int_rn(x * 0.636619772f);
  const float n = __int2float_rn(*quadrant);
  // Parts of 8 and 9 bits: products with n are exact.
  return x - n * 1.5703125f - n * 0.000483512878f - n * 3.13855708e-07f - n * 6.07710063e-11f;
}
__G80_DEVICE__ float __g80_sine(float r, int quadrant) {
  const float value = (quadrant & 1) != 0 ? __g80_cos_reduced(r) : __g80_sin_reduced(r);
  return (quadrant & 2) != 0 ? -value : value;
}
static inline __device__ float sinf(float x) {
  if (__G80_FAST_MATH__) return __sinf(x);
  if (!(fabsf(x) < __G80_INFINITY__)) return __G80_NAN__;
  if (x == 0.0f) return x;
  int quadrant;
  const float r = __g80_reduce(x, &quadrant);
  return __g80_sine(r, quadrant);
}
static inline __device__ float cosf(float x) {
  if (__G80_FAST_MATH__) return __cosf(x);
  if (!(fabsf(x) < __G80_INFINITY__)) return __G80_NAN__;
  int quadrant;
  const float r = __g80_reduce(x, &quadrant);
  return __g80_sine(r, quadrant + 1);
}
static inline __device__ void sincosf(float x, float* s, float* c) {
  if (__G80_FAST_MATH__) return __sincosf(x, s, c);
  if (!(fabsf(x) < __G80_INFINITY__)) {
    *s = *c = __G80_NAN__;
    return;
  }
  int quadrant;
  const float r = __g80_reduce(x, &quadrant);
  *s = x == 0.0f ? x : __g80_sine(r, quadrant);
  *c = __g80_sine(r, quadrant + 1);
}
static inline __device__ float tanf(float x) {
  if (__G80_FAST_MATH__) return __tanf(x);
  if (!(fabsf(x) < __G80_INFINITY__)) return __G80_NAN__;
  if (x == 0.0f) return x;
  int quadrant;
  const float r = __g80_reduce(x, &quadrant);
  const float s = __g80_sin_reduced(r), c = __g80_cos_reduced(r);
  return (quadrant & 1) != 0 ? __fdividef(-c, s) : __fdividef(s, c);
}
/// x less a multiple of 2.
__G80_DEVICE__ float __g80_turn(float x) { return __fsub_rn(x, 2.0f * rintf(0.5f * x)); }
static inline __device__ float sinpif(float x) {
  if (!(fabsf(x) < __G80_INFINITY__)) return __G80_NAN__;
  if (truncf(x) == x) return copysignf(0.0f, x);
  const float t = __g80_turn(x), n = rintf(2.0f * t);
  return __g80_sine(__fmul_rn(__fsub_rn(t, 0.5f * n), 3.14159265f), __float2int_rn(n));
}
static inline __device__ float cospif(float x) {
  if (!(fabsf(x) < __G80_INFINITY__)) return __G80_NAN__;
  const float t = __g80_turn(x), n = rintf(2.0f * t);
  return __g80_sine(__fmul_rn(__fsub_rn(t, 0.5f * n), 3.14159265f), __float2int_rn(n) + 1);
}

/// atan(a), 0 <= a <= 1 (2^-28.7 of a^3).
__G80_DEVICE__ float __g80_atan_reduced(float a) {
  const float z = __fmul_rn(a, a);
  float p = __g80_polynomial_mad(z, -0.001827196445f, 0.01106434664f, -0.03145548382f, 0.05823428479f, -0.08419440575f,
                                 0.109575687f, -0.1426524371f, 0.1999863844f, -0.3333330186f);
  return __fadd_rn(a, __fmul_rn(__fmul_rn(a, z), p));
}
static inline __device__ float atanf(float x) {
  if (x != x) return x;
  const float a = fabsf(x);
  float r = __g80_atan_reduced(a > 1.0f ? __fdividef(1.0f, a) : a);
  if (a > 1.0f) r = __fadd_rn(__fsub_rn(1.57079637f, r), -4.37113883e-8f);
  return copysignf(r, x);
}
static inline __device__ float atan2f(float y, float x) {
  if (x != x || y != y) return __G80_NAN__;
  const float ax = fabsf(x), ay = fabsf(y), larger = fmaxf(ax, ay), smaller = fminf(ax, ay);
  float a = smaller / larger;
  if (larger == 0.0f) a = 0.0f;
  if (smaller == __G80_INFINITY__) a = 1.0f;
  float r = __g80_atan_reduced(a);
  if (ay > ax) r = __fadd_rn(__fsub_rn(1.57079637f, r), -4.37113883e-8f);
  if (__float_as_int(x) < 0) r = __fadd_rn(__fsub_rn(3.14159274f, r), -8.74227766e-8f);
  return copysignf(r, y);
}
/// asin(a) - a, 0 <= a <= 1/2 (2^-27.6 of a^3).
__G80_DEVICE__ float __g80_asin_rest(float a, float z) {
  float p = __g80_polynomial_mad(z, 0.04221861829f, 0.02414756308f, 0.04547710881f, 0.07495241663f, 0.1666675393f);
  return __fmul_rn(__fmul_rn(a, z), p);
}
static inline __device__ float asinf(float x) {
  const float a = fabsf(x);
  if (!(a <= 1.0f)) return __G80_NAN__;
  if (a <= 0.5f) return __fadd_rn(x, copysignf(__g80_asin_rest(a, __fmul_rn(a, a)), x));
  const float z = 0.5f * __fsub_rn(1.0f, a), s = sqrtf(z);
  const float twice = 2.0f * __fadd_rn(s, __g80_asin_rest(s, z));
  return copysignf(__fadd_rn(__fsub_rn(1.57079637f, twice), -4.37113883e-8f), x);
}
static inline __device__ float acosf(float x) {
  const float a = fabsf(x);
  if (!(a <= 1.0f)) return __G80_NAN__;
  if (a <= 0.5f) {
    const float rest = __fadd_rn(copysignf(__g80_asin_rest(a, __fmul_rn(a, a)), x), 4.37113883e-8f);
    return __fsub_rn(1.57079637f, __fadd_rn(x, rest));
  }
  const float z = 0.5f * __fsub_rn(1.0f, a), s = sqrtf(z);
  const float twice = 2.0f * __fadd_rn(s, __g80_asin_rest(s, z));
  return x > 0.0f ? twice : __fsub_rn(3.14159274f, __fadd_rn(twice, 8.74227766e-8f));
}

static inline __device__ float sinhf(float x) {
  const float a = fabsf(x);
  if (!(a < __G80_INFINITY__)) return x;
  float r;
  if (a < 1.0f) {
    const float z = __fmul_rn(a, a);
    float p = 2.817439511e-6f;  // 2^-34.0 of a^3
    p = p * z + 0.0001983606627f;
    p = p * z + 0.008333350598f;
    p = p * z + 0.1666666649f;
    r = __fadd_rn(a, __fmul_rn(__fmul_rn(a, z), p));
  } else {
    const float e = expf(__fsub_rn(a, 0.693145752f));  // half of e^a, short of the second part of ln(2)
    const float half = e == __G80_INFINITY__ ? e : __fsub_rn(e, __fmul_rn(e, 1.42860677e-6f));
    r = a > 40.0f ? half : __fsub_rn(half, __fdividef(0.25f, half));
  }
  return copysignf(r, x);
}
static inline __device__ float coshf(float x) {
  const float a = fabsf(x);
  if (!(a < __G80_INFINITY__)) return x * x;
  const float e = expf(__fsub_rn(a, 0.693145752f));
  const float half = e == __G80_INFINITY__ ? e : __fsub_rn(e, __fmul_rn(e, 1.42860677e-6f));
  return a > 40.0f ? half : __fadd_rn(half, __fdividef(0.25f, half));
}
static inline __device__ float tanhf(float x) {
  const float a = fabsf(x);
  if (x != x) return x;
  float r;
  if (a < 0.55f) {
    const float z = __fmul_rn(a, a);
    float p = 0.01645875679f;  // 2^-24.8 of a^3
    p = p * z - 0.05268414253f;
    p = p * z + 0.1332094188f;
    p = p * z - 0.333329575f;
    r = __fadd_rn(a, __fmul_rn(__fmul_rn(a, z), p));
  } else {
    r = __fsub_rn(1.0f, __fdividef(2.0f, __fadd_rn(expf(2.0f * fminf(a, 20.0f)), 1.0f)));
  }
  return copysignf(r, x);
}
static inline __device__ float asinhf(float x) {
  const float a = fabsf(x);
  if (!(a < __G80_INFINITY__)) return x;
  float r;
  if (a > 1.0e18f) {
    r = __fadd_rn(logf(a), 0.693147181f);
  } else {
    const float z = __fmul_rn(a, a);
    r = log1pf(__fadd_rn(a, z / __fadd_rn(1.0f, sqrtf(__fadd_rn(1.0f, z)))));
  }
  return copysignf(r, x);
}
static inline __device__ float acoshf(float x) {
  if (!(x >= 1.0f)) return __G80_NAN__;
  if (x > 1.0e18f) return __fadd_rn(logf(x), 0.693147181f);
  const float t = __fsub_rn(x, 1.0f);
  return log1pf(__fadd_rn(t, sqrtf(__fadd_rn(2.0f * t, __fmul_rn(t, t)))));
}
static inline __device__ float atanhf(float x) {
  const float a = fabsf(x);
  if (!(a < 1.0f)) return a == 1.0f ? copysignf(__G80_INFINITY__, x) : __G80_NAN__;
  return copysignf(0.5f * log1pf(__fdividef(2.0f * a, __fsub_rn(1.0f, a))), x);
}
