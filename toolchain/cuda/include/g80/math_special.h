// SPDX-License-Identifier: Apache-2.0
// Roots, error functions and their inverses.
#pragma once
#pragma GCC system_header
#include "math_trig.h"

/// 2^(log2(a) / 3) and a step of Newton's method.
static inline __device__ float cbrtf(float x) {
  const float a = fabsf(x);
  if (!(a >= 1.17549435e-38f && a < __G80_INFINITY__)) return a < 1.0f ? copysignf(0.0f, x) : x;
  int e;
  const float m = __g80_split(a, &e);
  const int third = __float2int_rd(__int2float_rn(e) * 0.333333343f + 0.0001f), rest = e - 3 * third;
  const float scaled = __fmul_rn(m, __g80_power_of_two(rest));
  float r = __g80_ex2(__log2f(scaled) * 0.333333333f);
  const __g80_pair square = __g80_product(r, r);
  const __g80_pair cube = __g80_product(square.high, r);
  const float error = __fadd_rn(__fsub_rn(cube.high, scaled), __fadd_rn(cube.low, __fmul_rn(square.low, r)));
  r = __fsub_rn(r, __fdividef(error, 3.0f * square.high));
  return copysignf(__fmul_rn(r, __g80_power_of_two(third)), x);
}
static inline __device__ float rcbrtf(float x) { return 1.0f / cbrtf(x); }
/// Scaled by a power of two so that no square leaves the range.
static inline __device__ float hypotf(float x, float y) {
  const float a = fmaxf(fabsf(x), fabsf(y)), b = fminf(fabsf(x), fabsf(y));
  if (fabsf(x) == __G80_INFINITY__ || fabsf(y) == __G80_INFINITY__) return __G80_INFINITY__;
  if (x != x || y != y) return __G80_NAN__;
  if (a == 0.0f) return 0.0f;
  const int e = ((__float_as_int(a) >> 23) & 0xff) - 127;
  const float u = __g80_scale(a, -e), v = __g80_scale(b, -e);
  return __g80_scale(__fsqrt_rn(__fadd_rn(__fmul_rn(u, u), __fmul_rn(v, v))), e);
}

/// erfc(a) for a >= 0.9: e^(-a^2) P(t) / (1 + 2a), t = (a - 4) / (a + 4) (2^-29.9).
__G80_DEVICE__ float __g80_erfc_tail(float a) {
  const float t = __fdividef(__fsub_rn(a, 4.0f), __fadd_rn(a, 4.0f));
  float p = __g80_polynomial_mad(t, 0.005301736683f, -0.01650766416f, 0.0370150909f, -0.06628466843f, 0.09375792988f,
                                 -0.101041916f, 0.06809555638f, 0.01537972228f);
  p = __g80_polynomial_rn(t, p, -0.139621093f, 1.232995118f);
  const __g80_pair square = __g80_product(a, a);
  const float n = rintf(square.high * -1.44269504f);
  const float r = __fsub_rn(__g80_less_ln2(-square.high, n), square.low);
  const float q = __fdividef(__fmul_rn(__g80_exp_reduced(r), p), __fadd_rn(1.0f, 2.0f * a));
  return __g80_scale(q, __float2int_rn(n));
}
/// erf(a) for a < 1 (2^-29.7).
__G80_DEVICE__ float __g80_erf_small(float x) {
  const float z = __fmul_rn(x, x);
  float p = __g80_polynomial_mad(z, 7.889117579e-5f, -0.0008020840714f, 0.005189535278f, -0.02685444456f, 0.1128360018f,
                                 -0.3761262714f);
  p = __g80_polynomial_rn(z, p, 0.1283791659f);
  return __fadd_rn(x, __fmul_rn(x, p));
}
static inline __device__ float erff(float x) {
  if (x != x) return x;
  const float a = fabsf(x);
  if (a < 1.0e-30f) return __fmul_rn(x, 1.12837917f);  // the part beyond x could be a denormal, which is zero here
  if (a < 0.95f) return __g80_erf_small(x);
  return copysignf(a > 4.0f ? 1.0f : __fsub_rn(1.0f, __g80_erfc_tail(a)), x);
}
static inline __device__ float erfcf(float x) {
  if (x != x) return x;
  const float a = fabsf(x);
  if (x < 0.5f && a < 0.95f) return __fsub_rn(1.0f, __g80_erf_small(x));
  if (a < 0.95f)
    return __fadd_rn(__fsub_rn(0.5f, __g80_erf_small(x)), 0.5f);  // 0.5 <= erf(x) < 0.83: both steps are exact
  const float tail = a > 10.1f ? 0.0f : __g80_erfc_tail(a);
  return x > 0.0f ? tail : __fsub_rn(2.0f, tail);
}

/// The y of erf(y) = x, given q = 1 - x^2 > 0. With w = -ln(q): x P(w - 5/2) for w < 5, degree 10 (2^-28.7), else
/// sqrt(w) P(1 / sqrt(w) - 9/32) up to w = 89, degree 10 (2^-28.2).
__G80_DEVICE__ float __g80_erf_inverse(float x, float q) {
  const float w = -logf(q);
  if (w < 5.0f) {
    const float v = __fsub_rn(w, 2.5f);
    float p =
        __g80_polynomial_mad(v, 3.35331762e-10f, -8.77272832e-09f, 1.8041014e-08f, 4.65891759e-07f, -3.43463603e-06f,
                             -4.96191569e-06f, 0.000218282701f, -0.0012527447f, -0.00417733938f);
    p = __g80_polynomial_rn(v, p, 0.246640295f, 1.50140941f);
    return __fmul_rn(x, p);
  }
  const float t = __fsub_rn(__g80_rsqrt(w), 0.28125f);
  float p = __g80_polynomial_mad(t, -347.070435f, 43.3496895f, 36.2196732f, 3.38717747f, -3.71843553f, 0.174992636f,
                                 -0.788328648f, 0.451070935f, 0.127237722f);
  p = __g80_polynomial_rn(t, p, -0.191663027f, 0.953846693f);
  return copysignf(__fmul_rn(__fsqrt_rn(w), p), x);
}
static inline __device__ float erfinvf(float x) {
  const float a = fabsf(x);
  if (!(a < 1.0f)) return a == 1.0f ? copysignf(__G80_INFINITY__, x) : __G80_NAN__;
  return __g80_erf_inverse(x, __fmul_rn(__fsub_rn(1.0f, x), __fadd_rn(1.0f, x)));
}
static inline __device__ float erfcinvf(float x) {
  if (!(x >= 0.0f && x <= 2.0f)) return __G80_NAN__;
  if (x < 1.17549435e-38f || x == 2.0f) return x == 2.0f ? -__G80_INFINITY__ : __G80_INFINITY__;
  return __g80_erf_inverse(__fsub_rn(1.0f, x), __fmul_rn(x, __fsub_rn(2.0f, x)));
}
