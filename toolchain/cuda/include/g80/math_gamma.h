// SPDX-License-Identifier: Apache-2.0
// The gamma function and its logarithm: between -1/2 and 5/2 by the reciprocal, which is an entire function; above by
// Stirling's formula in pairs of floats; below by reflection. The polynomials are minimax fits (Remez exchange), each
// with its interval, degree and relative error.
#pragma once
#pragma GCC system_header
#include "math_special.h"

/// The sum of two numbers, whichever is larger.
__G80_DEVICE__ __g80_pair __g80_any_sum(float a, float b) {
  return fabsf(a) < fabsf(b) ? __g80_sum(b, a) : __g80_sum(a, b);
}
__G80_DEVICE__ __g80_pair __g80_pair_sum(__g80_pair a, __g80_pair b) {
  const __g80_pair s = __g80_any_sum(a.high, b.high);
  return __g80_sum(s.high, __fadd_rn(s.low, __fadd_rn(a.low, b.low)));
}

/// 1 / gamma(1 + f) - 1 for -1/2 <= f <= 3/2: f (1 - f) P(f), degree 10 (2^-31.9).
__G80_DEVICE__ float __g80_reciprocal_gamma_rest(float f) {
  float p = __g80_polynomial_mad(f, -1.85476927e-06f, 2.2901826e-05f, -0.000108404995f, 0.000106719213f, 0.00127362448f,
                                 -0.00594614306f, 0.00367567525f, 0.0458735898f, -0.120665029f);
  p = __g80_polynomial_rn(f, p, -0.0786624104f, 0.577215672f);
  return __fmul_rn(__fmul_rn(f, __fsub_rn(1.0f, f)), p);
}
/// sin(pi f) / (pi f) - 1 for |f| <= 1/2: f^2 P(f^2), degree 4 (2^-32.4).
__G80_DEVICE__ float __g80_sinc_rest(float f) {
  const float z = __fmul_rn(f, f);
  float p = __g80_polynomial_mad(z, -0.00225456641f, 0.0261278097f, -0.190750018f);
  p = __g80_polynomial_rn(z, p, 0.811742365f, -1.64493406f);
  return __fmul_rn(z, p);
}
/// ln(gamma(a)), a >= 5/2: a (ln(a) - 1) + ln(2 pi) / 2 - ln(a) / 2 + P(1 / a^2) / a, degree 4 (2^-29.3).
__G80_DEVICE__ __g80_pair __g80_stirling(float a) {
  const float r = __frcp_rn(a), u = __fmul_rn(r, r);
  float p = __g80_polynomial_mad(u, 0.000426370563f, -0.000548950862f, 0.000791300728f);
  p = __g80_polynomial_rn(u, p, -0.00277773431f, 0.0833333358f);
  const __g80_pair l = __g80_log_pair(a), less = __g80_sum(l.high, -1.0f), start = __g80_product(a, less.high);
  const __g80_pair half = __g80_any_sum(-0.5f * l.high, 0.918938518f);
  const float rest = __fadd_rn(__fadd_rn(1.56341766e-8f, -0.5f * l.low), __fmul_rn(p, r));
  const __g80_pair product = {start.high, __fadd_rn(start.low, __fmul_rn(a, __fadd_rn(less.low, l.low)))};
  return __g80_pair_sum(product, __g80_pair_of(half.high, __fadd_rn(half.low, rest)));
}

static inline __device__ float tgammaf(float x) {
  const float a = fabsf(x);
  if (a < 1.17549435e-38f) return copysignf(__G80_INFINITY__, x);
  if (x != x || x == -__G80_INFINITY__) return __G80_NAN__;
  if (a < 0.5f) return __fdiv_rn(1.0f, __fmul_rn(x, __fadd_rn(1.0f, __g80_reciprocal_gamma_rest(x))));
  float m = 1.0f;  // what the result is divided by
  if (x < 0.0f) {  // gamma(-a) gamma(a) = -pi / (a sin(pi a)), and pi f (1 + rest) is the sine but for its sign
    const float n = rintf(a), f = __fsub_rn(a, n);
    if (f == 0.0f) return __G80_NAN__;
    m = __fmul_rn(__fmul_rn(a, f), __fadd_rn(1.0f, __g80_sinc_rest(f)));
    if (__fmul_rn(2.0f, truncf(0.5f * n)) == n) m = -m;
  }
  if (a < 2.5f) {
    const float one = __fadd_rn(1.0f, __g80_reciprocal_gamma_rest(__fsub_rn(a, 1.0f)));
    return x > 0.0f ? __frcp_rn(one) : __fdiv_rn(one, m);
  }
  __g80_pair l = __g80_stirling(fminf(a, 57.0f));
  if (x < 0.0f) l = __g80_pair_of(-l.high, -l.low);
  const float n = rintf(l.high * 1.44269504f), power = __g80_exp_reduced(__fadd_rn(__g80_less_ln2(l.high, n), l.low));
  return __g80_scale(x > 0.0f ? power : __fdiv_rn(power, m), __float2int_rn(n));
}

static inline __device__ float lgammaf(float x) {
  const float a = fabsf(x);
  if (x != x) return x;
  if (a < 1.17549435e-38f || a == __G80_INFINITY__ || x > 4.08500311e36f) return __G80_INFINITY__;
  if (a < 0.5f) return -logf(__fmul_rn(a, __fadd_rn(1.0f, __g80_reciprocal_gamma_rest(x))));
  if (a < 2.5f && x > 0.0f) return __fsub_rn(0.0f, log1pf(__g80_reciprocal_gamma_rest(__fsub_rn(x, 1.0f))));
  __g80_pair l = {0.0f, 0.0f};
  if (a >= 2.5f) l = __g80_stirling(a);
  if (x < 0.0f) {
    const float f = fabsf(__fsub_rn(a, rintf(a)));
    if (f == 0.0f) return __G80_INFINITY__;
    // -ln(a f (1 + sine's rest) gamma(a)), pi / sine and gamma as in tgammaf
    const __g80_pair product = __g80_product(a, f), sine = __g80_sum(1.0f, __g80_sinc_rest(f));
    const __g80_pair both = __g80_product(product.high, sine.high);
    const float crossed = __fadd_rn(__fmul_rn(product.high, sine.low), __fmul_rn(product.low, sine.high));
    __g80_pair m = {both.high, __fadd_rn(both.low, crossed)};
    if (a < 2.5f) {
      const __g80_pair one = __g80_sum(1.0f, __g80_reciprocal_gamma_rest(__fsub_rn(a, 1.0f)));
      const float q = __fdiv_rn(m.high, one.high);
      const __g80_pair back = __g80_product(q, one.high);
      const float rest = __fadd_rn(__fsub_rn(__fsub_rn(m.high, back.high), back.low), m.low);
      m = __g80_pair_of(q, __fdividef(__fsub_rn(rest, __fmul_rn(q, one.low)), one.high));
    }
    const __g80_pair log = __g80_log_pair(m.high);
    l = __g80_pair_sum(__g80_pair_of(log.high, __fadd_rn(log.low, __fdividef(m.low, m.high))), l);
    l = __g80_pair_of(-l.high, -l.low);
  }
  return __fadd_rn(l.high, l.low);
}
