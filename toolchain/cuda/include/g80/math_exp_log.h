// SPDX-License-Identifier: Apache-2.0
// Exponentials and logarithms. Arguments are reduced by Cody and Waite's method; the polynomials are minimax fits
// (Remez exchange) on the reduced interval, each with its relative error.
#pragma once
#pragma GCC system_header
#include "math_rounding.h"

__G80_DEVICE__ float __g80_clamp(float x, float low, float high) { return fminf(fmaxf(x, low), high); }

/// Horner's rule, the highest coefficient first: with the chip's MAD, and with a product that is rounded.
__G80_DEVICE__ float __g80_polynomial_mad(float, float p) { return p; }
template <class... Coefficients>
__G80_DEVICE__ float __g80_polynomial_mad(float t, float p, float next, Coefficients... rest) {
  return __g80_polynomial_mad(t, p * t + next, rest...);
}
__G80_DEVICE__ float __g80_polynomial_rn(float, float p) { return p; }
template <class... Coefficients>
__G80_DEVICE__ float __g80_polynomial_rn(float t, float p, float next, Coefficients... rest) {
  return __g80_polynomial_rn(t, __fadd_rn(__fmul_rn(p, t), next), rest...);
}

/// e^r for |r| <= ln(2)/2 (2^-28.3).
__G80_DEVICE__ float __g80_exp_reduced(float r) {
  float p = __g80_polynomial_mad(r, 0.001395046299f, 0.008368881951f, 0.04166620623f, 0.166665189f, 0.5000000095f);
  return __fadd_rn(1.0f, __fadd_rn(r, __fmul_rn(__fmul_rn(r, r), p)));
}
/// x - n * ln(2), where n * the first part is exact.
__G80_DEVICE__ float __g80_less_ln2(float x, float n) {
  return __fsub_rn(__fsub_rn(x, __fmul_rn(n, 0.693145752f)), __fmul_rn(n, 1.42860677e-6f));
}
/// e^x * 2^more, for |x| <= 105. The SFU's error grows with its argument: whole powers of 2 are factors of their own.
__G80_DEVICE__ float __g80_exp(float x, float more) {
  const float n = truncf(x * 1.44269504f);
  const float r = x - n * 0.693145752f - n * 1.42860677e-6f;  // n * the first part of ln(2) is exact
  return __g80_ex2(r * 1.44269504f) * __g80_ex2(n + more);
}
static inline __device__ float expf(float x) {
  if (__G80_FAST_MATH__) return __expf(x);
  const float power = __g80_exp(x, 0.0f);
  return x > 105.0f ? __G80_INFINITY__ : x < -105.0f ? 0.0f : power;
}
/// The SFU as it is: within 2 ulp over the whole range.
static inline __device__ float exp2f(float x) { return __g80_ex2(x); }
static inline __device__ float exp10f(float x) {
  if (__G80_FAST_MATH__) return __exp10f(x);
  const float n = truncf(x * 3.32192809f);
  const float r = x - n * 0.301025391f - n * 4.60503907e-6f;  // n * log10(2)
  const float power = __g80_ex2(r * 3.32192809f) * __g80_ex2(n);
  return x > 46.0f ? __G80_INFINITY__ : x < -46.0f ? 0.0f : power;
}
/// e^r - 1 for |r| <= ln(2)/2 (2^-32.0 of r).
__G80_DEVICE__ float __g80_expm1_reduced(float r) {
  float p = __g80_polynomial_mad(r, 0.0001991409058f, 0.001394095882f, 0.008333273194f, 0.04166635543f, 0.1666666682f);
  p = __g80_polynomial_rn(r, p, 0.5000000046f);
  return __fadd_rn(r, __fmul_rn(__fmul_rn(r, r), p));
}
static inline __device__ float expm1f(float x) {
  if (x != x || x == 0.0f) return x;
  const float t = __g80_clamp(x, -18.0f, 89.0f);
  float n = rintf(t * 1.44269504f);
  if (fabsf(t) < 0.3466f) n = 0.0f;
  const float p = __g80_expm1_reduced(__g80_less_ln2(t, n));
  const int e = __float2int_rn(n);
  if (e > 126) return __g80_scale(__fadd_rn(p, 1.0f), e);
  const float power = __g80_power_of_two(e);
  return __fadd_rn(__fmul_rn(p, power), __fsub_rn(power, 1.0f));
}

/// x = 2^*e * m with sqrt(1/2) < m <= sqrt(2), for positive numbers.
__G80_DEVICE__ float __g80_split(float x, int* e) {
  const int bits = __float_as_int(x);
  const float m = __int_as_float((bits & 0x7fffff) | 0x3f800000);
  const bool upper = m > 1.41421356f;
  *e = (bits >> 23) - 127 + (upper ? 1 : 0);
  return upper ? m * 0.5f : m;
}
/// ln(1 + f) - f for sqrt(1/2) <= 1 + f < sqrt(2): with s = 2 f / (2 + f) = f - f^2 / (2 + f),
/// ln(1 + f) = 2 artanh(s / 2) = s + s^3 L(s^2) (2^-29.2).
__G80_DEVICE__ float __g80_log1p_rest(float f) {
  const float less = __fmul_rn(-f, __fdividef(f, __fadd_rn(2.0f, f)));
  const float s = __fadd_rn(f, less), z = s * s;
  float l = 0.00233372873f;
  l = l * z + 0.0124929818f;
  l = l * z + 0.0833334705f;
  return l * z * s + less;
}
/// What a logarithm is of a number that is not positive and finite.
__G80_DEVICE__ bool __g80_is_regular(float x) { return x >= 1.17549435e-38f && x < __G80_INFINITY__; }
__G80_DEVICE__ float __g80_log_special(float x) {
  return x > 0.0f ? (x < 1.0f ? -__G80_INFINITY__ : x) : x == 0.0f ? -__G80_INFINITY__ : __G80_NAN__;
}

static inline __device__ float logf(float x) {
  if (__G80_FAST_MATH__) return __logf(x);
  if (!__g80_is_regular(x)) return __g80_log_special(x);
  int e;
  const float f = __fsub_rn(__g80_split(x, &e), 1.0f);
  return __int2float_rn(e) * 0.693147182f + (__g80_log1p_rest(f) + f);
}
static inline __device__ float log2f(float x) {
  if (__G80_FAST_MATH__) return __log2f(x);
  if (!__g80_is_regular(x)) return __g80_log_special(x);
  int e;
  const float f = __fsub_rn(__g80_split(x, &e), 1.0f);
  return (__g80_log1p_rest(f) + f) * 1.44269504f + __int2float_rn(e);
}
static inline __device__ float log10f(float x) {
  if (__G80_FAST_MATH__) return __log10f(x);
  if (!__g80_is_regular(x)) return __g80_log_special(x);
  int e;
  const float f = __fsub_rn(__g80_split(x, &e), 1.0f);
  return __int2float_rn(e) * 0.301029996f + __fmul_rn(__g80_log1p_rest(f) + f, 0.434294482f);
}
static inline __device__ float log1pf(float x) {
  if (!(x > -1.0f && x < __G80_INFINITY__)) return x == -1.0f ? -__G80_INFINITY__ : x > 0.0f ? x : __G80_NAN__;
  if (fabsf(x) < 5.9604645e-8f) return x;
  const float u = __fadd_rn(1.0f, x);
  // What the sum has lost
  const float lost = x >= 1.0f ? __fsub_rn(1.0f, __fsub_rn(u, x)) : __fsub_rn(x, __fsub_rn(u, 1.0f));
  int e;
  const float m = __g80_split(u, &e), n = __int2float_rn(e);
  const float f = e == 0 ? x : __fsub_rn(m, 1.0f), correction = e == 0 ? 0.0f : __fdividef(lost, u);
  const float rest = __fadd_rn(__g80_log1p_rest(f), __fadd_rn(correction, __fmul_rn(n, 1.42860677e-6f)));
  return __fadd_rn(__fmul_rn(n, 0.693145752f), __fadd_rn(f, rest));
}

/// Sums and products of pairs of floats (Dekker; Knuth): the pair's sum has about 46 bits.
struct __g80_pair {
  float high, low;
};
__G80_DEVICE__ __g80_pair __g80_pair_of(float high, float low) {
  __g80_pair pair;
  pair.high = high, pair.low = low;
  return pair;
}
__G80_DEVICE__ __g80_pair __g80_sum(float a, float b) {  // |a| >= |b| or a == 0
  const float high = __fadd_rn(a, b);
  return {high, __fsub_rn(b, __fsub_rn(high, a))};
}
__G80_DEVICE__ __g80_pair __g80_product(float a, float b) {
  const float ah = __int_as_float(__float_as_int(a) & (int)0xfffff000), al = __fsub_rn(a, ah);
  const float bh = __int_as_float(__float_as_int(b) & (int)0xfffff000), bl = __fsub_rn(b, bh);
  const float high = __fmul_rn(a, b);
  const float low =
      __fadd_rn(__fadd_rn(__fadd_rn(__fsub_rn(__fmul_rn(ah, bh), high), __fmul_rn(ah, bl)), __fmul_rn(al, bh)),
                __fmul_rn(al, bl));
  return {high, low};
}
/// ln(x) as a pair, x positive.
__G80_DEVICE__ __g80_pair __g80_log_pair(float x) {
  int e;
  const float m = __g80_split(x, &e), n = __int2float_rn(e);
  const float f = __fsub_rn(m, 1.0f), d = __fadd_rn(m, 1.0f), d_low = __fsub_rn(m, __fsub_rn(d, 1.0f));
  // s = f / (m + 1) and what is missing
  const float s = __fdividef(f, d);
  const __g80_pair back = __g80_product(s, d);
  const float s_low = __fdividef(__fsub_rn(__fsub_rn(__fsub_rn(f, back.high), back.low), __fmul_rn(s, d_low)), d);
  const float z = __fmul_rn(s, s);
  float l = 0.2358214774f;  // 2^-36.6
  l = __fadd_rn(__fmul_rn(l, z), 0.2853730874f);
  l = __fadd_rn(__fmul_rn(l, z), 0.4000033519f);
  l = __fadd_rn(__fmul_rn(l, z), 0.6666666565f);
  const float cube = __fmul_rn(__fmul_rn(s, z), l);
  __g80_pair r = __g80_sum(__fmul_rn(n, 0.693145752f), 2.0f * s);
  if (e == 0) r = __g80_pair_of(2.0f * s, 0.0f);
  const float low = __fadd_rn(__fadd_rn(r.low, __fmul_rn(n, 1.42860677e-6f)), __fadd_rn(2.0f * s_low, cube));
  return __g80_sum(r.high, low);
}
/// |x|^y for x that is neither 0, infinite nor NaN.
__G80_DEVICE__ float __g80_power(float x, float y) {
  const __g80_pair l = __g80_log_pair(x);
  const __g80_pair p = __g80_product(l.high, __g80_clamp(y, -1.0e30f, 1.0e30f));
  const float high = p.high, low = __fadd_rn(p.low, __fmul_rn(l.low, y));
  if (!(high < 89.0f)) return __G80_INFINITY__;
  if (!(high > -105.0f)) return 0.0f;
  const bool shrinks = high < 0.0f;  // 2^24 away from the end of the range, where e^high alone would leave it
  const float power = __g80_exp(high, shrinks ? 24.0f : -24.0f);
  return (power * low + power) * (shrinks ? 5.96046448e-8f : 16777216.0f);
}
static inline __device__ float powf(float x, float y) {
  if (__G80_FAST_MATH__) return __powf(x, y);
  if (x == 1.0f || y == 0.0f) return 1.0f;
  if (x != x || y != y) return __G80_NAN__;
  const bool whole = truncf(y) == y, odd = whole && fabsf(y) < 16777216.0f && (__float2int_rz(y) & 1) != 0;
  const float a = fabsf(x), sign = odd && __float_as_int(x) < 0 ? -1.0f : 1.0f;
  const bool is_zero = a < 1.17549435e-38f;
  if (fabsf(y) == __G80_INFINITY__) return a == 1.0f ? 1.0f : (a > 1.0f) == (y > 0.0f) ? __G80_INFINITY__ : 0.0f;
  if (is_zero) return sign * (y > 0.0f ? 0.0f : __G80_INFINITY__);
  if (a == __G80_INFINITY__) return sign * (y > 0.0f ? __G80_INFINITY__ : 0.0f);
  if (x < 0.0f && !whole) return __G80_NAN__;
  return sign * __g80_power(a, y);
}
