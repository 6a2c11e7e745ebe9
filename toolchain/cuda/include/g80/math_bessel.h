// SPDX-License-Identifier: Apache-2.0
// Bessel functions of the first and second kind, and of whole orders. Up to 3 they are polynomials in x^2, those of the
// second kind beside a logarithm; from 3 to 8 polynomials around the middle of [3, 5] and [5, 8]; above, modulus and
// phase. The zeros are factors, so that results near them keep their digits. The polynomials are minimax fits (Remez
// exchange), each with its degree and relative error.
#pragma once
#pragma GCC system_header
#include "math_gamma.h"

/// J0(x), 0 <= x < 3, t = x^2 - 4: (x^2 - z^2) P(t), degree 6 (2^-34.5); below 1: 1 + x^2 P(x^2), degree 3 (2^-28.8).
__G80_DEVICE__ float __g80_j0_small(float x) {
  const float z = __fmul_rn(x, x);
  if (x < 1.0f) {
    float p = __g80_polynomial_mad(z, 6.64687923e-06f, -0.00043394338f);
    p = __g80_polynomial_rn(z, p, 0.0156249832f, -0.25f);
    return __fadd_rn(1.0f, __fmul_rn(z, p));
  }
  const float t = __fsub_rn(z, 4.0f);
  float p =
      __g80_polynomial_mad(t, -2.06881365e-12f, 4.04201977e-10f, -5.65691565e-08f, 5.43228407e-06f, -0.00032610292f);
  p = __g80_polynomial_rn(t, p, 0.010444561f, -0.125556603f);
  const float d = __fsub_rn(__fsub_rn(x, 2.40482545f), 1.08705905e-7f);
  return __fmul_rn(__fmul_rn(d, __fadd_rn(x, 2.40482545f)), p);
}
/// J1(x), 0 <= x < 3: x (x^2 - z^2) P(t), degree 6 (2^-36.5).
__G80_DEVICE__ float __g80_j1_small(float x) {
  const float t = __fsub_rn(__fmul_rn(x, x), 4.0f), d = __fadd_rn(__fsub_rn(x, 3.83170605f), 7.68505899e-8f);
  float p =
      __g80_polynomial_mad(t, -1.27599659e-13f, 2.82909893e-11f, -4.5906754e-09f, 5.23849451e-07f, -3.86695137e-05f);
  p = __g80_polynomial_rn(t, p, 0.00160167168f, -0.0269952435f);
  return __fmul_rn(__fmul_rn(__fmul_rn(d, __fadd_rn(x, 3.83170605f)), x), p);
}
/// J0(x), 3 <= x < 8: (x - z) P(x - 4), degree 8 (2^-30.2), and (x - z) P(x - 6.5), degree 9 (2^-31.6).
__G80_DEVICE__ float __g80_j0_middle(float x) {
  if (x < 5.0f) {
    const float t = __fsub_rn(x, 4.0f);
    float p = __g80_polynomial_mad(t, 4.72694126e-07f, -4.33992182e-06f, -3.90638852e-05f, 0.000278846448f,
                                   0.00181937881f, -0.00956160482f, -0.0407136418f);
    p = __g80_polynomial_rn(t, p, 0.128431574f, 0.261269331f);
    return __fmul_rn(__fadd_rn(__fsub_rn(x, 5.52007818f), 7.19341458e-08f), p);
  }
  const float t = __fsub_rn(x, 6.5f);
  float p = __g80_polynomial_mad(t, -6.00815042e-08f, 1.07022409e-07f, 6.02873524e-06f, -1.27496905e-05f,
                                 -0.00035907852f, 0.000866511662f, 0.0110509209f, -0.0285864267f);
  p = __g80_polynomial_rn(t, p, -0.11386878f, 0.265423805f);
  return __fmul_rn(__fadd_rn(__fsub_rn(x, 5.52007818f), 7.19341458e-08f), p);
}
/// J1(x), 3 <= x < 8: (x - z) P(x - 4), degree 8 (2^-31.1), and (x - z) P(x - 6.5), degree 9 (2^-28.6).
__G80_DEVICE__ float __g80_j1_middle(float x) {
  if (x < 5.0f) {
    const float t = __fsub_rn(x, 4.0f);
    float p = __g80_polynomial_mad(t, -5.02459557e-07f, -3.68270798e-06f, 4.21718833e-05f, 0.000219301131f,
                                   -0.0020670481f, -0.00662920158f, 0.0504246764f);
    p = __g80_polynomial_rn(t, p, 0.0700515062f, -0.392428219f);
    return __fmul_rn(__fadd_rn(__fsub_rn(x, 3.83170605f), 7.68505899e-08f), p);
  }
  const float t = __fsub_rn(x, 6.5f);
  float p = __g80_polynomial_mad(t, -9.99287892e-12f, 6.02906994e-07f, -1.18363118e-07f, -4.91411229e-05f,
                                 2.25409676e-05f, 0.00224107527f, -0.00141772465f, -0.0483311117f);
  p = __g80_polynomial_rn(t, p, 0.0283532757f, 0.29838106f);
  return __fmul_rn(__fadd_rn(__fsub_rn(x, 7.01558685f), 1.83211725e-07f), p);
}
/// Y0(x), 3 <= x < 8: (x - z) P(x - 4), degree 8 (2^-31.7), and (x - z) P(x - 6.5), degree 9 (2^-28.6).
__G80_DEVICE__ float __g80_y0_middle(float x) {
  if (x < 5.0f) {
    const float t = __fsub_rn(x, 4.0f);
    float p = __g80_polynomial_mad(t, -2.50810132e-07f, -5.03811179e-06f, 4.94105079e-05f, 0.000208051264f,
                                   -0.00214082422f, -0.00721864309f, 0.0576304682f);
    p = __g80_polynomial_rn(t, p, 0.0557720698f, -0.400286078f);
    return __fmul_rn(__fsub_rn(__fsub_rn(x, 3.95767832f), 1.01291178e-07f), p);
  }
  const float t = __fsub_rn(x, 6.5f);
  float p = __g80_polynomial_mad(t, 6.16271423e-10f, 6.28770181e-07f, -2.60803944e-07f, -5.10419777e-05f,
                                 3.36134726e-05f, 0.00233714515f, -0.00207169564f, -0.0491756387f);
  p = __g80_polynomial_rn(t, p, 0.0367178321f, 0.295609802f);
  return __fmul_rn(__fsub_rn(__fsub_rn(x, 7.08605099f), 7.30581178e-08f), p);
}
/// Y1(x), 3 <= x < 8: (x - z) P(x - 4), degree 8 (2^-28.4), and (x - z) P(x - 6.5), degree 9 (2^-31.5).
__G80_DEVICE__ float __g80_y1_middle(float x) {
  if (x < 5.0f) {
    const float t = __fsub_rn(x, 4.0f);
    float p = __g80_polynomial_mad(t, 5.83259663e-08f, 2.2522222e-06f, 4.36005903e-05f, -0.000281877554f,
                                   -0.00166393677f, 0.00828109682f, 0.0410763621f);
    p = __g80_polynomial_rn(t, p, -0.11324878f, -0.278331816f);
    return __fmul_rn(__fsub_rn(__fsub_rn(x, 5.42968082f), 2.16514351e-07f), p);
  }
  const float t = __fsub_rn(x, 6.5f);
  float p = __g80_polynomial_mad(t, 5.71752103e-08f, -8.9157858e-08f, -5.83265182e-06f, 1.13816386e-05f,
                                 0.000344479515f, -0.000750029751f, -0.0107847294f, 0.0253087264f);
  p = __g80_polynomial_rn(t, p, 0.116796196f, -0.256083727f);
  return __fmul_rn(__fsub_rn(__fsub_rn(x, 5.42968082f), 2.16514351e-07f), p);
}
/// Modulus and phase, x >= 8: sqrt(2 / (pi x)) M(1 / x^2) cos(x - pi/4 + F(1 / x^2) / x - quarter pi/2), both of degree
/// 3; of order 0 (2^-29.2, 2^-24.4) and 1 (2^-28.8, 2^-25.6).
__G80_DEVICE__ float __g80_bessel_wave(float x, int order, int quarter) {
  const float r = __frcp_rn(x), u = __fmul_rn(r, r);
  float modulus, phase;
  if (order == 0) {
    float p = __g80_polynomial_mad(u, -0.410214961f, 0.102361299f);
    p = __g80_polynomial_rn(u, p, -0.0624966174f, 1.0f);
    modulus = p;
  } else {
    float p = __g80_polynomial_mad(u, 0.626599967f, -0.191793606f);
    p = __g80_polynomial_rn(u, p, 0.187495396f, 1.0f);
    modulus = p;
  }
  if (order == 0) {
    float p = __g80_polynomial_mad(u, 1.13996732f, -0.20534271f);
    p = __g80_polynomial_rn(u, p, 0.0650919452f, -0.124999993f);
    phase = p;
  } else {
    float p = __g80_polynomial_mad(u, -1.70651519f, 0.365227252f);
    p = __g80_polynomial_rn(u, p, -0.164046034f, 0.375f);
    phase = p;
  }
  int quadrant;
  float t = __fadd_rn(__g80_reduce(x, &quadrant), __fsub_rn(__fmul_rn(phase, r), 0.785398163f));
  if (t < -0.785398163f) {
    t = __fadd_rn(t, 1.57079633f);
    --quadrant;
  }
  return __fmul_rn(__fmul_rn(__fmul_rn(modulus, 0.797884561f), __g80_rsqrt(x)), __g80_sine(t, quadrant + 1 - quarter));
}

static inline __device__ float j0f(float x) {
  const float a = fabsf(x);
  if (!(a < __G80_INFINITY__)) return x != x ? x : 0.0f;
  return a < 3.0f ? __g80_j0_small(a) : a < 8.0f ? __g80_j0_middle(a) : __g80_bessel_wave(a, 0, 0);
}
static inline __device__ float j1f(float x) {
  const float a = fabsf(x);
  if (!(a < __G80_INFINITY__)) return x != x ? x : copysignf(0.0f, x);
  const float r = a < 3.0f ? __g80_j1_small(a) : a < 8.0f ? __g80_j1_middle(a) : __g80_bessel_wave(a, 1, 1);
  return __float_as_int(x) < 0 ? -r : r;
}
/// What a function of the second kind is of a number that is not positive and finite.
__G80_DEVICE__ float __g80_y_special(float x) {
  return fabsf(x) < 1.17549435e-38f ? -__G80_INFINITY__ : x > 0.0f ? 0.0f : __G80_NAN__;
}
/// Up to 3: 2/pi ln(x / z) J0(x) + (x^2 - z^2) P(x^2 - 4), degree 6 (2^-33.6); both parts are 0 at the zero z.
static inline __device__ float y0f(float x) {
  if (!__g80_is_regular(x)) return __g80_y_special(x);
  if (x >= 3.0f) return x < 8.0f ? __g80_y0_middle(x) : __g80_bessel_wave(x, 0, 1);
  const float t = __fsub_rn(__fmul_rn(x, x), 4.0f), d = __fadd_rn(__fsub_rn(x, 0.89357698f), 1.33579787e-8f);
  float p =
      __g80_polynomial_mad(t, 3.76505641e-12f, -7.02494285e-10f, 9.28078805e-08f, -8.29243982e-06f, 0.000452910055f);
  p = __g80_polynomial_rn(t, p, -0.0126986736f, 0.12354783f);
  const float l = x > 0.5f && x < 1.75f ? log1pf(__fmul_rn(d, 1.11909783f)) : __fadd_rn(logf(x), 0.112522811f);
  const float other = __fmul_rn(__fmul_rn(d, __fadd_rn(x, 0.893576966f)), p);
  return __fadd_rn(__fmul_rn(__fmul_rn(l, 0.636619772f), __g80_j0_small(x)), other);
}
/// Up to 3: 2/pi ln(x / z) J1(x) + (x^2 - z^2) (2/pi / (x z^2) + x P(x^2 - 4)), degree 6 (2^-34.7).
static inline __device__ float y1f(float x) {
  if (!__g80_is_regular(x)) return __g80_y_special(x);
  if (x >= 3.0f) return x < 8.0f ? __g80_y1_middle(x) : __g80_bessel_wave(x, 1, 2);
  const float t = __fsub_rn(__fmul_rn(x, x), 4.0f), d = __fadd_rn(__fsub_rn(x, 2.19714141f), 8.28892723e-8f);
  float p =
      __g80_polynomial_mad(t, 1.65195264e-13f, -3.44910767e-11f, 5.18174303e-09f, -5.35642698e-07f, 3.44936234e-05f);
  p = __g80_polynomial_rn(t, p, -0.0011472184f, 0.0108513059f);
  const float l = x > 1.25f ? log1pf(__fmul_rn(d, 0.455136865f)) : __fsub_rn(logf(x), 0.787157118f);
  const float rest = __fadd_rn(__fdiv_rn(0.131875498f, x), __fmul_rn(x, p));
  const float other = __fmul_rn(__fmul_rn(d, __fadd_rn(x, 2.19714133f)), rest);
  return __fadd_rn(__fmul_rn(__fmul_rn(l, 0.636619772f), __g80_j1_small(x)), other);
}

/// Orders above 1: upwards by the recurrence where that is stable, |x| > n; else downwards from an order so high that
/// what is wrong there has died out (Miller's method), and then scaled by J0 + 2 J2 + 2 J4 + .. = 1.
static inline __device__ float jnf(int n, float x) {
  const float a = fabsf(x), order = __int2float_rn(n);
  if (n < 0 || x != x) return __G80_NAN__;
  if (n == 0) return j0f(x);
  if (n == 1) return j1f(x);
  float result = 0.0f;
  if (a < 0.000244140625f) {  // 2^-12: the first term of the series
    result = 1.0f;
    for (int k = 1; k <= n && result != 0.0f; ++k) result = __fmul_rn(result, __fdiv_rn(0.5f * a, __int2float_rn(k)));
  } else if (a > order) {
    if (a == __G80_INFINITY__) return 0.0f;
    float below = j0f(a);
    result = j1f(a);
    for (int k = 1; k < n; ++k) {
      const float next = __fsub_rn(__fmul_rn(__fdiv_rn(__int2float_rn(2 * k), a), result), below);
      below = result;
      result = next;
    }
  } else if (order * __log2f(__fdividef(1.35914091f * a, order)) >
             -150.0f) {  // |Jn(x)| < (x / 2)^n / n! < (e x / 2n)^n
    int top = n;
    for (float before = 0.0f, grown = 1.0f; fabsf(grown) < 1.0e9f; ++top) {
      const float next = __fsub_rn(__fmul_rn(__fdiv_rn(__int2float_rn(2 * top), a), grown), before);
      before = grown;
      grown = next;
    }
    // Orders k + 1 and k. They grow by 1 / Jn(x), which the branch bounds, and the factor above: not out of range.
    float above = 0.0f, here = 1.0e-36f, sum = 0.0f;
    for (int k = top; k > 0; --k) {
      if (k == n) result = here;
      if ((k & 1) == 0) sum = __fadd_rn(sum, here);
      const float below = __fsub_rn(__fmul_rn(__fdiv_rn(__int2float_rn(2 * k), a), here), above);
      above = here;
      here = below;
    }
    result = __fdiv_rn(result, __fadd_rn(here, __fmul_rn(2.0f, sum)));
  }
  return __float_as_int(x) < 0 && (n & 1) != 0 ? -result : result;
}
static inline __device__ float ynf(int n, float x) {
  if (n < 0) return __G80_NAN__;
  if (n == 0) return y0f(x);
  float result = y1f(x);
  if (!__g80_is_regular(x)) return result;
  float below = y0f(x);
  for (int k = 1; k < n && result > -__G80_INFINITY__; ++k) {
    const float next = __fsub_rn(__fmul_rn(__fdiv_rn(__int2float_rn(2 * k), x), result), below);
    below = result;
    result = next;
  }
  return result;
}
