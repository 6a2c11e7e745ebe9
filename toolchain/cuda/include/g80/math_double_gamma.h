// SPDX-License-Identifier: Apache-2.0
// The gamma function and its logarithm in double precision, by the methods of math_gamma.h. The polynomials are minimax
// fits (Remez exchange), each with its interval, degree and relative error.
#pragma once
#pragma GCC system_header
#include "math_double_error.h"

/// 1 / gamma(1 + f) - 1 for -1/2 <= f <= 3/2: f (1 - f) P(f), degree 18 (2^-59.3).
__G80_DEVICE__ double __g80_reciprocal_gamma_rest_d(double f) {
  double p = __g80_polynomial_d(f, 2.0930404446276512e-13, 5.2539153226557205e-12, -1.2743634859072828e-10,
                                1.0912345494030783e-09, -3.934873043368682e-09, -1.0055630661938234e-08,
                                1.9559880753349911e-07, -9.37440637622231e-07, 3.13051003531917e-07,
                                2.044791074103203e-05, -0.00010760237292593323, 0.0001076393005126689,
                                0.001272806892724635, -0.005946136353914287, 0.003675835173928189, 0.04587356972947398,
                                -0.12066504165281616, -0.07866240661872101, 0.5772156649015329);
  return __dmul_rn(__dmul_rn(f, __dadd_rn(1.0, -f)), p);
}
/// sin(pi f) / (pi f) - 1 for |f| <= 1/2: f^2 P(f^2), degree 7 (2^-58.7).
__G80_DEVICE__ double __g80_sinc_rest_d(double f) {
  const double z = __dmul_rn(f, f);
  double p =
      __g80_polynomial_d(z, 2.45891793695659e-07, -6.97293755048338e-06, 0.0001484281702419913, -0.00234608096213806,
                         0.02614784781295993, -0.1907518241219363, 0.8117424252833518, -1.6449340668482264);
  return __dmul_rn(z, p);
}
/// ln(gamma(a)), a >= 5/2: a (ln(a) - 1) + ln(2 pi) / 2 - ln(a) / 2 + P(1 / a^2) / a, degree 14 (2^-57.2).
__G80_DEVICE__ __g80_pair_d __g80_stirling_d(double a) {
  const double r = __drcp_rn(a), u = __dmul_rn(r, r);
  double p = __g80_polynomial_d(
      u, 43.2949233758555, -56.64404914217957, 34.448897071274466, -13.086347211857364, 3.557154919038778,
      -0.7659722767623129, 0.1457940641259969, -0.02809943802363342, 0.006363503590031264, -0.0019164531669977358,
      0.0008417343380300313, -0.0005952379399884642, 0.0007936507928782814, -0.002777777777776252, 0.08333333333333333);
  const __g80_pair_d l = __g80_log_pair_d(a), less = __g80_sum_d(l.high, -1.0), product = __g80_product_d(a, less.high);
  const __g80_pair_d half = __g80_sum_d(-0.5 * l.high, 0.9189385332046728), sum = __g80_sum_d(product.high, half.high);
  const double rest = __fma_rn(p, r, __fma_rn(-0.5, l.low, -3.8782941580672414e-17));
  const double low = __dadd_rn(__fma_rn(a, __dadd_rn(less.low, l.low), product.low), __dadd_rn(half.low, rest));
  return __g80_sum_d(sum.high, __dadd_rn(sum.low, low));
}

static inline __device__ double tgamma(double x) {
  const double a = fabs(x);
  if (a == 0.0) return copysign(__G80_INFINITY_D__, x);
  if (x != x || x == -__G80_INFINITY_D__) return __G80_NAN_D__;
  if (a < 0.5) return __ddiv_rn(1.0, __dmul_rn(x, __dadd_rn(1.0, __g80_reciprocal_gamma_rest_d(x))));
  double m = 1.0;  // what the result is divided by
  if (x < 0.0) {   // gamma(-a) gamma(a) = -pi / (a sin(pi a)), and pi f (1 + rest) is the sine but for its sign
    const double n = rint(a), f = __dadd_rn(a, -n);
    if (f == 0.0) return __G80_NAN_D__;
    m = __dmul_rn(__dmul_rn(a, f), __dadd_rn(1.0, __g80_sinc_rest_d(f)));
    if (__dmul_rn(2.0, trunc(__dmul_rn(0.5, n))) == n) m = -m;
  }
  if (a < 2.5) {
    const double one = __dadd_rn(1.0, __g80_reciprocal_gamma_rest_d(__dadd_rn(a, -1.0)));
    return x > 0.0 ? __drcp_rn(one) : __ddiv_rn(one, m);
  }
  __g80_pair_d l = __g80_stirling_d(fmin(a, 300.0));
  if (x < 0.0) l = __g80_pair_of_d(-l.high, -l.low);
  const double n = rint(__dmul_rn(l.high, 1.4426950408889634)), r = __fma_rn(-n, 0.6931471805599453, l.high);
  const double power = __g80_exp_reduced_d(r, __fma_rn(-n, 2.3190468138462996e-17, l.low));
  return __g80_scale_d(x > 0.0 ? power : __ddiv_rn(power, m), __double2int_rn(n));
}

static inline __device__ double lgamma(double x) {
  const double a = fabs(x);
  if (x != x) return x;
  if (a == 0.0 || a == __G80_INFINITY_D__ || x > 2.559983327851638e305) return __G80_INFINITY_D__;
  if (a < 0.5) return -log(__dmul_rn(a, __dadd_rn(1.0, __g80_reciprocal_gamma_rest_d(x))));
  if (a < 2.5 && x > 0.0) return __dadd_rn(0.0, -log1p(__g80_reciprocal_gamma_rest_d(__dadd_rn(x, -1.0))));
  __g80_pair_d l = {0.0, 0.0};
  if (a >= 2.5) l = __g80_stirling_d(a);
  if (x < 0.0) {
    const double f = fabs(__dadd_rn(a, -rint(a)));
    if (f == 0.0) return __G80_INFINITY_D__;
    // -ln(a f (1 + sine's rest) gamma(a)), pi / sine and gamma as in tgamma
    const __g80_pair_d product = __g80_product_d(a, f), sine = __g80_sum_d(1.0, __g80_sinc_rest_d(f));
    const __g80_pair_d both = __g80_product_d(product.high, sine.high);
    __g80_pair_d m = {both.high,
                      __dadd_rn(both.low, __fma_rn(product.high, sine.low, __dmul_rn(product.low, sine.high)))};
    if (a < 2.5) m = __g80_quotient_d(m, __g80_sum_d(1.0, __g80_reciprocal_gamma_rest_d(__dadd_rn(a, -1.0))));
    const __g80_pair_d log = __g80_log_pair_d(m.high), sum = __g80_sum_d(log.high, l.high);
    l = __g80_pair_of_d(-sum.high, -__dadd_rn(__dadd_rn(sum.low, l.low), __dadd_rn(log.low, __ddiv_rn(m.low, m.high))));
  }
  return __dadd_rn(l.high, l.low);
}
