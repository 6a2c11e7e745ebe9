// SPDX-License-Identifier: Apache-2.0
// Error functions, their inverses and parts of numbers in double precision.
#pragma once
#pragma GCC system_header
#include "math_double_special.h"

/// erf(x) for |x| <= 0.8: 2 / sqrt(pi) x + x^3 P(x^2) (2^-70).
__G80_DEVICE__ double __g80_erf_small_d(double x) {
  const double z = __dmul_rn(x, x);
  double p = __g80_polynomial_d(z, -5.098309532926689e-12, 9.140088631001827e-11, -1.2260999911320305e-09,
                                1.4805179901469627e-08, -1.6365751703459358e-07, 1.6462111409357374e-06,
                                -1.4925650293970358e-05, 0.0001205533298084775, -0.000854832702344201,
                                0.0052239776254421385, -0.02686617064513125, 0.11283791670955126, -0.37612638903183754);
  return __fma_rn(x, 1.1283791670955126, __dmul_rn(x, __fma_rn(z, p, 1.533545961316588e-17)));
}
/// erfc(a) e^(a^2) (1 + 2 a) for a >= 0.78: P(t), t = (a - 4) / (a + 4) (2^-60).
__G80_DEVICE__ double __g80_erfc_scaled_d(double a) {
  const double t = __ddiv_rn(__dadd_rn(a, -4.0), __dadd_rn(a, 4.0));
  double p =
      __g80_polynomial_d(t, 3.7111787078945506e-09, -1.0779974117469123e-08, -2.3075078562530424e-08,
                         1.0614570413719016e-07, 8.084990788921391e-08, -8.226919246608471e-07, 2.8952024137906645e-07,
                         5.70846477849676e-06, -1.1220172732661583e-05, -2.4398807243525472e-05, 0.0001506211555858031,
                         -0.00019925678476812888, -0.0007577731943944259, 0.005031969991183607, -0.016197734068523085,
                         0.03716751553629251, -0.06633036581149646, 0.09373283499840894, -0.10103906603632959,
                         0.06809705425469134, 0.015379652102620094, -0.1396211168405625, 1.2329951186255526);
  return p;
}
__G80_DEVICE__ double __g80_erfc_tail_d(double a) {
  const __g80_pair_d square = __g80_product_d(a, a);
  const double n = rint(__dmul_rn(square.high, -1.4426950408889634));
  const double r = __fma_rn(-n, 0.6931471805599453, -square.high);
  const double power = __g80_exp_reduced_d(r, __dadd_rn(__dmul_rn(-n, 2.3190468138462996e-17), -square.low));
  return __g80_scale_d(__ddiv_rn(__dmul_rn(power, __g80_erfc_scaled_d(a)), __fma_rn(2.0, a, 1.0)), __double2int_rn(n));
}
static inline __device__ double erf(double x) {
  const double a = fabs(x);
  if (x != x || a < 0.8) return x != x ? x : __g80_erf_small_d(x);
  return copysign(a > 6.0 ? 1.0 : __dadd_rn(1.0, -__g80_erfc_tail_d(a)), x);
}
static inline __device__ double erfc(double x) {
  const double a = fabs(x);
  if (x != x) return x;
  if (a < 0.8) return __dadd_rn(1.0, -__g80_erf_small_d(x));
  const double tail = a > 27.3 ? 0.0 : __g80_erfc_tail_d(a);
  return x > 0.0 ? tail : __dadd_rn(2.0, -tail);
}

/// The y > 0 of erfc(y) = q, q <= 0.0254. With s = sqrt(-ln(q)): s P((s - 2) / (s + 2)), degree 7 (2^-23.7), and a step
/// of Halley's method towards y^2 + ln(q) - ln(E) = 0, E = erfc(y) e^(y^2).
__G80_DEVICE__ double __g80_erfc_inverse_tail_d(double q) {
  const double l = log(q), s = __dsqrt_rn(-l), t = __ddiv_rn(__dadd_rn(s, -2.0), __dadd_rn(s, 2.0));
  double p =
      __g80_polynomial_d(t, -0.023102611311848806, 0.07466645423088135, -0.09199307022060378, -0.004290984477215446,
                         0.20365385334907207, -0.4238722696868637, 0.4309182965819731, 0.83409421825596);
  const double y = __dmul_rn(s, p), e = __ddiv_rn(__g80_erfc_scaled_d(y), __fma_rn(2.0, y, 1.0));
  const double slope = __dmul_rn(e, 0.886226925452758);  // sqrt(pi) / 2
  const double d = __dmul_rn(__dadd_rn(__fma_rn(y, y, l), -log(e)), slope);
  return __dadd_rn(y, -__fma_rn(__dmul_rn(0.5 * d, d), __dadd_rn(__drcp_rn(slope), -2.0 * y), d));
}
/// The y of erf(y) = x, given q = 1 - x^2 >= 0.05: x P(-ln(q) - 3/2), degree 17 (2^-57.9).
__G80_DEVICE__ double __g80_erf_inverse_d(double x, double q) {
  const double v = __dadd_rn(-log(q), -1.5);
  double p =
      __g80_polynomial_d(v, -2.760993627557992e-15, -9.928450200358206e-15, 1.7933889877871626e-13,
                         6.499859627567246e-14, -8.320229410728075e-12, 2.2828669095389196e-11, 3.0271972537329904e-10,
                         -2.0197983339552106e-09, -7.232298580612202e-09, 1.1770361935709861e-07,
                         -6.507544842978959e-08, -5.37277398687088e-06, 2.328816793536449e-05, 0.00017766931513885756,
                         -0.002092327930386282, 0.0008797647126621753, 0.25036244534245283, 1.2520638405834421);
  return __dmul_rn(x, p);
}
static inline __device__ double erfinv(double x) {
  const double a = fabs(x), rest = __dadd_rn(1.0, -a);
  if (!(a < 1.0)) return a == 1.0 ? copysign(__G80_INFINITY_D__, x) : __G80_NAN_D__;
  if (rest > 0.0253) return __g80_erf_inverse_d(x, __dmul_rn(rest, __dadd_rn(1.0, a)));
  return copysign(__g80_erfc_inverse_tail_d(rest), x);
}
static inline __device__ double erfcinv(double x) {
  if (!(x >= 0.0 && x <= 2.0)) return __G80_NAN_D__;
  const double other = __dadd_rn(2.0, -x), q = fmin(x, other);  // exact where it is the smaller
  if (q == 0.0) return x == 0.0 ? __G80_INFINITY_D__ : -__G80_INFINITY_D__;
  if (q > 0.0253) return __g80_erf_inverse_d(__dadd_rn(1.0, -x), __dmul_rn(x, other));
  const double y = __g80_erfc_inverse_tail_d(q);
  return x < 1.0 ? y : -y;
}

static inline __device__ int ilogb(double x) {
  if (x == 0.0 || x != x) return (int)0x80000000;
  if (fabs(x) == __G80_INFINITY_D__) return 0x7fffffff;
  int e;
  frexp(x, &e);
  return e - 1;
}
static inline __device__ double logb(double x) {
  if (x == 0.0) return -__G80_INFINITY_D__;
  if (!(fabs(x) < __G80_INFINITY_D__)) return __dmul_rn(x, x);
  return __int2double_rn(ilogb(x));
}
/// The bits of numbers of one sign are in the numbers' order.
static inline __device__ double nextafter(double x, double y) {
  if (x != x || y != y) return __G80_NAN_D__;
  if (x == y) return y;
  if (x == 0.0) return copysign(__longlong_as_double(1ll), y);
  const long long bits = __double_as_longlong(x);
  return __longlong_as_double((x < y) == (x > 0.0) ? bits + 1 : bits - 1);
}
