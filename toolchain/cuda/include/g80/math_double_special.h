// SPDX-License-Identifier: Apache-2.0
// Hyperbolic functions, roots, distances and remainders in double precision.
#pragma once
#pragma GCC system_header
#include "math_double_trig.h"

/// e^x - 1 as a pair, |x| < 700.
__G80_DEVICE__ __g80_pair_d __g80_expm1_d(double x) {
  const double n = rint(__dmul_rn(x, 1.4426950408889634));
  const __g80_pair_d second = __g80_product_d(n, 2.3190468138462996e-17);
  const __g80_pair_d r = __g80_sum_d(__fma_rn(-n, 0.6931471805599453, x), -second.high);
  const double low = __dadd_rn(r.low, -second.low), t = r.high;
  double p =
      __g80_polynomial_d(t, 1.1470745597729725e-11, 1.6059043836821613e-10, 2.08767569878681e-09, 2.505210838544172e-08,
                         2.755731922398589e-07, 2.7557319223985893e-06, 2.48015873015873e-05, 0.0001984126984126984,
                         0.001388888888888889, 0.008333333333333333, 0.041666666666666664, 0.16666666666666666);
  const __g80_pair_d half = __g80_product_d(__dmul_rn(0.5, t), t), sum = __g80_sum_d(t, half.high);
  const double cube = __dmul_rn(__dmul_rn(t, t), t);
  const double rest = __dadd_rn(sum.low, __dadd_rn(half.low, __fma_rn(cube, p, __fma_rn(low, t, low))));
  const double scale = __g80_power_of_two_d(__double2int_rn(n));
  const __g80_pair_d one = __g80_sum_d(scale, -1.0), all = __g80_sum_d(one.high, __dmul_rn(scale, sum.high));
  return __g80_sum_d(all.high, __dadd_rn(all.low, __fma_rn(scale, rest, one.low)));
}
static inline __device__ double expm1(double x) {
  if (x != x || fabs(x) < 1.0e-20) return x;
  if (x > 690.0) return exp(x);
  if (x < -60.0) return -1.0;
  return __g80_expm1_d(x).high;
}
/// Half of e^x, x > 40.
__G80_DEVICE__ double __g80_half_exp_d(double x) {
  if (x > 711.0) return __G80_INFINITY_D__;
  const double n = rint(__dmul_rn(x, 1.4426950408889634)), r = __fma_rn(-n, 0.6931471805599453, x);
  return __g80_scale_d(__g80_exp_reduced_d(r, __dmul_rn(-n, 2.3190468138462996e-17)), __double2int_rn(n) - 1);
}
static inline __device__ double sinh(double x) {
  const double a = fabs(x);
  if (!(a < __G80_INFINITY_D__) || a < 1.0e-20) return x;
  if (a > 40.0) return copysign(__g80_half_exp_d(a), x);
  const __g80_pair_d e = __g80_expm1_d(a), one = __g80_sum_d(1.0, e.high);  // (e + e / (1 + e)) / 2
  const __g80_pair_d q = __g80_quotient_d(e, __g80_pair_of_d(one.high, __dadd_rn(one.low, e.low))),
                     sum = __g80_sum_d(e.high, q.high);
  return copysign(__dmul_rn(0.5, __dadd_rn(sum.high, __dadd_rn(sum.low, __dadd_rn(e.low, q.low)))), x);
}
static inline __device__ double cosh(double x) {
  const double a = fabs(x);
  if (!(a < __G80_INFINITY_D__)) return a;
  if (a > 40.0) return __g80_half_exp_d(a);
  const __g80_pair_d e = __g80_expm1_d(a), one = __g80_sum_d(1.0, e.high);
  const __g80_pair_d sum = __g80_sum_d(one.high, __ddiv_rn(1.0, one.high));
  return __dmul_rn(0.5, __dadd_rn(sum.high, __dadd_rn(sum.low, __dadd_rn(one.low, e.low))));
}
static inline __device__ double tanh(double x) {
  const double a = fabs(x);
  if (x != x || a < 1.0e-20) return x;
  if (a > 22.0) return copysign(1.0, x);
  const __g80_pair_d e = __g80_expm1_d(__dmul_rn(2.0, a)), two = __g80_sum_d(2.0, e.high);
  const __g80_pair_d q = __g80_quotient_d(e, __g80_pair_of_d(two.high, __dadd_rn(two.low, e.low)));
  return copysign(__dadd_rn(q.high, q.low), x);
}
/// ln(1 + x) of a pair, 1 + x positive.
__G80_DEVICE__ double __g80_log1p_pair_d(__g80_pair_d x) {
  const __g80_pair_d one = __g80_sum_d(1.0, x.high);
  const __g80_pair_d l = __g80_log_pair_d(one.high);
  return __dadd_rn(l.high, __dadd_rn(l.low, __ddiv_rn(__dadd_rn(one.low, x.low), one.high)));
}
static inline __device__ double log1p(double x) {
  if (x != x || x == __G80_INFINITY_D__ || fabs(x) < 1.0e-20) return x;
  if (x <= -1.0) return x == -1.0 ? -__G80_INFINITY_D__ : __G80_NAN_D__;
  return __g80_log1p_pair_d(__g80_pair_of_d(x, 0.0));
}
static inline __device__ double asinh(double x) {
  const double a = fabs(x);
  if (!(a < __G80_INFINITY_D__) || a < 1.0e-20) return x;
  if (a > 1.0e18) return copysign(__dadd_rn(log(a), 0.6931471805599453), x);
  const __g80_pair_d z = __g80_product_d(a, a), one = __g80_sum_d(1.0, z.high);
  const double root = __dsqrt_rn(one.high);
  const double low =
      __ddiv_rn(__dadd_rn(__fma_rn(-root, root, one.high), __dadd_rn(one.low, z.low)), __dmul_rn(2.0, root));
  const __g80_pair_d below = __g80_sum_d(1.0, root);
  const __g80_pair_d q = __g80_quotient_d(z, __g80_pair_of_d(below.high, __dadd_rn(below.low, low))),
                     t = __g80_sum_d(a, q.high);
  return copysign(__g80_log1p_pair_d(__g80_pair_of_d(t.high, __dadd_rn(t.low, q.low))), x);
}
static inline __device__ double acosh(double x) {
  if (!(x >= 1.0)) return __G80_NAN_D__;
  if (x > 1.0e18) return __dadd_rn(log(x), 0.6931471805599453);
  const double t = __dadd_rn(x, -1.0);  // exact, or of no weight
  const __g80_pair_d z = __g80_product_d(t, t), s = __g80_sum_d(__dmul_rn(2.0, t), z.high);
  const double root = __dsqrt_rn(s.high);
  if (root == 0.0) return 0.0;
  const double low = __ddiv_rn(__dadd_rn(__fma_rn(-root, root, s.high), __dadd_rn(s.low, z.low)), __dmul_rn(2.0, root));
  const __g80_pair_d sum = __g80_sum_d(t, root);
  return __g80_log1p_pair_d(__g80_pair_of_d(sum.high, __dadd_rn(sum.low, low)));
}
static inline __device__ double atanh(double x) {
  const double a = fabs(x);
  if (!(a < 1.0)) return a == 1.0 ? copysign(__G80_INFINITY_D__, x) : __G80_NAN_D__;
  if (a < 1.0e-20) return x;
  return copysign(__dmul_rn(0.5, __g80_log1p_pair_d(
                                     __g80_quotient_d(__g80_pair_of_d(__dmul_rn(2.0, a), 0.0), __g80_sum_d(1.0, -a)))),
                  x);
}

/// The cube root of 1 <= m < 8: two Newton steps on the single precision one, the second with an exact remainder.
__G80_DEVICE__ __g80_pair_d __g80_cbrt_reduced_d(double m) {
  double y = cbrtf((float)m);
  y = __fma_rn(__ddiv_rn(__fma_rn(-__dmul_rn(y, y), y, m), __dmul_rn(3.0, __dmul_rn(y, y))), 1.0, y);
  const __g80_pair_d square = __g80_product_d(y, y), cube = __g80_product_d(square.high, y);
  const double rest = __dadd_rn(__dadd_rn(m, -cube.high), -__fma_rn(square.low, y, cube.low));
  return {y, __ddiv_rn(rest, __dmul_rn(3.0, square.high))};
}
/// |x| = m * 8^third with 1 <= m < 8; positive and finite.
__G80_DEVICE__ double __g80_split_cube_d(double x, int* third) {
  int e;
  const double f = frexp(fabs(x), &e);  // [1/2, 1)
  const int k = (e + 1199) / 3 - 400, rest = e - 1 - 3 * k;
  *third = rest < 0 ? k - 1 : k;
  return ldexp(f, 1 + (rest < 0 ? rest + 3 : rest));
}
static inline __device__ double cbrt(double x) {
  if (x == 0.0 || !(fabs(x) < __G80_INFINITY_D__)) return x;
  int third;
  const __g80_pair_d y = __g80_cbrt_reduced_d(__g80_split_cube_d(x, &third));
  return copysign(__dmul_rn(__dadd_rn(y.high, y.low), __g80_power_of_two_d(third)), x);
}
static inline __device__ double rcbrt(double x) {
  if (x != x) return x;
  if (x == 0.0) return copysign(__G80_INFINITY_D__, x);
  if (fabs(x) == __G80_INFINITY_D__) return copysign(0.0, x);
  int third;
  const __g80_pair_d q =
      __g80_quotient_d(__g80_pair_of_d(1.0, 0.0), __g80_cbrt_reduced_d(__g80_split_cube_d(x, &third)));
  return copysign(__dmul_rn(__dadd_rn(q.high, q.low), __g80_power_of_two_d(-third)), x);
}
static inline __device__ double rsqrt(double x) {
  const bool small = x < 2.2250738585072014e-308;
  const double m = small ? __dmul_rn(x, 18014398509481984.0) : x;  // 2^54
  double y = __drcp_rn(__dsqrt_rn(m));
  if (m > 0.0 && m < __G80_INFINITY_D__) {
    const __g80_pair_d root = __g80_product_d(m, y);  // what m y^2 lacks of 1, halved
    y = __fma_rn(__dmul_rn(0.5, y), __fma_rn(-root.low, y, __fma_rn(-root.high, y, 1.0)), y);
  }
  return small ? __dmul_rn(y, 134217728.0) : y;
}
static inline __device__ double hypot(double x, double y) {
  const double a = fabs(x), b = fabs(y), larger = fmax(a, b);
  if (a == __G80_INFINITY_D__ || b == __G80_INFINITY_D__) return __G80_INFINITY_D__;
  if (x != x || y != y) return __G80_NAN_D__;
  if (larger == 0.0) return 0.0;
  int e;
  frexp(larger, &e);
  const double p = ldexp(a, -e), q = ldexp(b, -e);
  const __g80_pair_d pp = __g80_product_d(p, p), qq = __g80_product_d(q, q);
  const __g80_pair_d sum = p > q ? __g80_sum_d(pp.high, qq.high) : __g80_sum_d(qq.high, pp.high);
  const double root = __dsqrt_rn(sum.high);
  const double rest = __dadd_rn(__fma_rn(-root, root, sum.high), __dadd_rn(sum.low, __dadd_rn(pp.low, qq.low)));
  return ldexp(__dadd_rn(root, __ddiv_rn(rest, __dmul_rn(2.0, root))), e);
}

/// |x| modulo |y|, exact, by long division; the last bits of the whole quotient go to *quotient.
__G80_DEVICE__ double __g80_remainder_d(double x, double y, unsigned int* quotient) {
  *quotient = 0;
  if (x != x || y != y || !(fabs(x) < __G80_INFINITY_D__) || y == 0.0) return __G80_NAN_D__;
  if (fabs(x) < fabs(y)) return fabs(x);
  int ex, ey;
  const double fx = frexp(fabs(x), &ex), fy = frexp(fabs(y), &ey);
  unsigned long long rest = ((unsigned long long)__double_as_longlong(fx) & 0xfffffffffffffull) | 0x10000000000000ull;
  const unsigned long long divisor =
      ((unsigned long long)__double_as_longlong(fy) & 0xfffffffffffffull) | 0x10000000000000ull;
  for (int steps = ex - ey; steps >= 0; --steps) {
    *quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      *quotient |= 1;
    }
    if (steps != 0) rest <<= 1;
  }
  return ldexp(__ll2double_rn((long long)rest), ey - 53);
}
static inline __device__ double fmod(double x, double y) {
  if (fabs(y) == __G80_INFINITY_D__ && fabs(x) < __G80_INFINITY_D__) return x;
  unsigned int quotient;
  const double r = __g80_remainder_d(x, y, &quotient);
  return r != r ? r : copysign(r, x);
}
static inline __device__ double remquo(double x, double y, int* quotient) {
  *quotient = 0;
  if (fabs(y) == __G80_INFINITY_D__ && fabs(x) < __G80_INFINITY_D__) return x;
  unsigned int q;
  double r = __g80_remainder_d(x, y, &q);
  if (r != r) return r;
  const double divisor = fabs(y), left = __dadd_rn(divisor, -r);
  if (r > left || (r == left && (q & 1) != 0)) {
    r = -left;
    ++q;
  }
  *quotient = (int)(q & 7);
  if ((__double2hiint(x) ^ __double2hiint(y)) < 0) *quotient = -*quotient;
  return __double2hiint(x) < 0 ? -r : r;
}
static inline __device__ double remainder(double x, double y) {
  int quotient;
  return remquo(x, y, &quotient);
}
