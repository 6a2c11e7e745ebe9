// SPDX-License-Identifier: Apache-2.0
// Double precision functions of kernels: compute capability 1.3 has a fused multiply-add, which all of this rests on.
#pragma once
#pragma GCC system_header

#define __G80_INFINITY_D__ __longlong_as_double(0x7ff0000000000000ll)
#define __G80_NAN_D__ __longlong_as_double(0x7ff8000000000000ll)

static inline __device__ double nan(const char*) { return __G80_NAN_D__; }
static inline __device__ double fabs(double x) { return __builtin_fabs(x); }
static inline __device__ double abs(double x) { return fabs(x); }
static inline __device__ double sqrt(double x) { return __dsqrt_rn(x); }
static inline __device__ double floor(double x) { return __nvvm_floor_d(x); }
static inline __device__ double ceil(double x) { return __nvvm_ceil_d(x); }
static inline __device__ double trunc(double x) { return __nvvm_trunc_d(x); }
static inline __device__ double rint(double x) { return __nvvm_round_d(x); }
static inline __device__ double nearbyint(double x) { return rint(x); }
static inline __device__ double copysign(double x, double y) {
  return __hiloint2double((__double2hiint(x) & 0x7fffffff) | (__double2hiint(y) & (int)0x80000000), __double2loint(x));
}
static inline __device__ double round(double x) {
  const double a = fabs(x);
  double t = trunc(a);
  if (__dadd_rn(a, -t) >= 0.5) t = __dadd_rn(t, 1.0);
  return copysign(t, x);
}
static inline __device__ double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : y; }
static inline __device__ double fmax(double x, double y) { return x != x ? y : y != y ? x : x > y ? x : y; }
static inline __device__ double fdim(double x, double y) { return x > y ? x - y : x <= y ? 0.0 : x + y; }
static inline __device__ double fma(double x, double y, double z) { return __fma_rn(x, y, z); }
/// Horner's rule, the highest coefficient first.
__G80_DEVICE__ double __g80_polynomial_d(double, double p) { return p; }
template <class... Coefficients>
__G80_DEVICE__ double __g80_polynomial_d(double t, double p, double next, Coefficients... rest) {
  return __g80_polynomial_d(t, __fma_rn(p, t, next), rest...);
}
static inline __device__ double modf(double x, double* whole) {
  *whole = trunc(x);
  return fabs(x) == __G80_INFINITY_D__ ? copysign(0.0, x) : copysign(__dadd_rn(x, -*whole), x);
}

/// 2^e for -1022 <= e <= 1023.
__G80_DEVICE__ double __g80_power_of_two_d(int e) { return __hiloint2double((e + 1023) << 20, 0); }
/// x * 2^e for -2044 <= e <= 2046, rounded once.
__G80_DEVICE__ double __g80_scale_d(double x, int e) {
  const int half = e >> 1;
  return __dmul_rn(__dmul_rn(x, __g80_power_of_two_d(half)), __g80_power_of_two_d(e - half));
}

/// e^(start + rest), |start| <= ln(2)/2, |rest| much less: the Taylor series to r^13 / 13! (2^-57.3).
__G80_DEVICE__ double __g80_exp_reduced_d(double start, double rest) {
  const double r = __dadd_rn(start, rest), low = __dadd_rn(rest, -__dadd_rn(r, -start));
  double p =
      __g80_polynomial_d(r, 1.6059043836821613e-10, 2.08767569878681e-09, 2.505210838544172e-08, 2.755731922398589e-07,
                         2.7557319223985893e-06, 2.48015873015873e-05, 0.0001984126984126984, 0.001388888888888889,
                         0.008333333333333333, 0.041666666666666664, 0.16666666666666666, 0.5);
  return __dadd_rn(1.0, __dadd_rn(r, __fma_rn(__dmul_rn(r, r), p, low)));
}
/// 2^n e^(t - n ln(2)) for n = rint(t / ln(2)), t within the range of results.
static inline __device__ double exp(double x) {
  if (x != x) return x;
  if (x > 709.79) return __G80_INFINITY_D__;
  if (x < -745.2) return 0.0;
  const double n = rint(x * 1.4426950408889634);
  const double r = __fma_rn(-n, 0.6931471805599453, x);
  return __g80_scale_d(__g80_exp_reduced_d(r, __dmul_rn(-n, 2.3190468138462996e-17)), __double2int_rn(n));
}
static inline __device__ double exp2(double x) {
  if (x != x) return x;
  if (x >= 1024.0) return __G80_INFINITY_D__;
  if (x < -1075.0) return 0.0;
  const double n = rint(x), f = __dadd_rn(x, -n);
  const double r = __dmul_rn(f, 0.6931471805599453);
  const double low = __fma_rn(f, 2.3190468138462996e-17, __fma_rn(f, 0.6931471805599453, -r));
  return __g80_scale_d(__g80_exp_reduced_d(r, low), __double2int_rn(n));
}
static inline __device__ double exp10(double x) {
  if (x != x) return x;
  if (x > 308.26) return __G80_INFINITY_D__;
  if (x < -323.7) return 0.0;
  const double n = rint(x * 3.321928094887362);
  const double f = __fma_rn(-n, -2.8037281277851704e-18, __fma_rn(-n, 0.3010299956639812, x));
  const double r = __dmul_rn(f, 2.302585092994046);
  const double low = __fma_rn(f, -2.1707562233822494e-16, __fma_rn(f, 2.302585092994046, -r));
  return __g80_scale_d(__g80_exp_reduced_d(r, low), __double2int_rn(n));
}

/// x = 2^*e * m with sqrt(1/2) <= m < sqrt(2), for positive numbers; denormals are scaled first.
__G80_DEVICE__ double __g80_split_d(double x, int* e) {
  int more = 0;
  if (x < 2.2250738585072014e-308) {
    x = __dmul_rn(x, 18014398509481984.0);  // 2^54
    more = -54;
  }
  const int high = __double2hiint(x) - 0x3fe6a09e;
  *e = (high >> 20) + more;
  return __hiloint2double((high & 0xfffff) + 0x3fe6a09e, __double2loint(x));
}
/// ln(1 + f) - f = s^3 (2/3 + 2/5 s^2 + ..) - f^2/2 + s f^2/2, s = f / (2 + f), |s| <= 0.1716: to s^21 (2^-59).
__G80_DEVICE__ double __g80_log1p_rest_d(double f) {
  const double s = __ddiv_rn(f, __dadd_rn(2.0, f)), z = __dmul_rn(s, s);
  const double half = __dmul_rn(__dmul_rn(0.5, f), f);
  double l = __g80_polynomial_d(z, 0.09523809523809523, 0.10526315789473684, 0.11764705882352941, 0.13333333333333333,
                                0.15384615384615385, 0.18181818181818182, 0.2222222222222222, 0.2857142857142857, 0.4,
                                0.6666666666666666);
  return __dadd_rn(__dmul_rn(s, __fma_rn(z, l, half)), -half);
}
__G80_DEVICE__ double __g80_log_special_d(double x) {
  return x == 0.0 ? -__G80_INFINITY_D__ : x > 0.0 ? x : __G80_NAN_D__;
}
static inline __device__ double log(double x) {
  if (!(x > 0.0 && x < __G80_INFINITY_D__)) return __g80_log_special_d(x);
  int e;
  const double f = __dadd_rn(__g80_split_d(x, &e), -1.0), n = e;
  // The first part of ln(2) has 42 bits: products with n are exact.
  const double rest = __fma_rn(n, 5.497923018708371e-14, __g80_log1p_rest_d(f));
  return __dadd_rn(__dmul_rn(n, 0.6931471805598903), __dadd_rn(f, rest));
}
static inline __device__ double log2(double x) {
  if (!(x > 0.0 && x < __G80_INFINITY_D__)) return __g80_log_special_d(x);
  int e;
  const double f = __dadd_rn(__g80_split_d(x, &e), -1.0), rest = __g80_log1p_rest_d(f);
  const double high = __dmul_rn(f, 1.4426950408889634);
  const double low = __fma_rn(f, 2.0355273740931033e-17, __fma_rn(f, 1.4426950408889634, -high));
  return __dadd_rn((double)e, __dadd_rn(high, __fma_rn(rest, 1.4426950408889634, low)));
}
static inline __device__ double log10(double x) {
  if (!(x > 0.0 && x < __G80_INFINITY_D__)) return __g80_log_special_d(x);
  int e;
  const double f = __dadd_rn(__g80_split_d(x, &e), -1.0), rest = __g80_log1p_rest_d(f), n = e;
  const double high = __dmul_rn(f, 0.4342944819032518);
  const double low = __fma_rn(f, 1.098319650216765e-17, __fma_rn(f, 0.4342944819032518, -high));
  const double small = __fma_rn(n, 2.8363394551044964e-14, __fma_rn(rest, 0.4342944819032518, low));
  return __dadd_rn(__dmul_rn(n, 0.30102999566395283), __dadd_rn(high, small));
}

/// Pairs of doubles: the sum has about 106 bits.
struct __g80_pair_d {
  double high, low;
};
__G80_DEVICE__ __g80_pair_d __g80_pair_of_d(double high, double low) {
  __g80_pair_d pair;
  pair.high = high, pair.low = low;
  return pair;
}
__G80_DEVICE__ __g80_pair_d __g80_sum_d(double a, double b) {
  const double high = __dadd_rn(a, b), back = __dadd_rn(high, -a);
  return {high, __dadd_rn(__dadd_rn(a, -__dadd_rn(high, -back)), __dadd_rn(b, -back))};
}
__G80_DEVICE__ __g80_pair_d __g80_product_d(double a, double b) {
  const double high = __dmul_rn(a, b);
  return {high, __fma_rn(a, b, -high)};
}
/// ln(x) as a pair, x positive and finite: 2 s + s^3 (2/3 + ..), whose first two terms are pairs.
__G80_DEVICE__ __g80_pair_d __g80_log_pair_d(double x) {
  int e;
  const double m = __g80_split_d(x, &e), n = e;
  const double f = __dadd_rn(m, -1.0), d = __dadd_rn(m, 1.0), d_low = __dadd_rn(m, -__dadd_rn(d, -1.0));
  const double s = __ddiv_rn(f, d), s_low = __ddiv_rn(__fma_rn(-s, d_low, __fma_rn(-s, d, f)), d);
  const __g80_pair_d z = __g80_product_d(s, s);
  double l =
      __g80_polynomial_d(z.high, 0.09523809523809523, 0.10526315789473684, 0.11764705882352941, 0.13333333333333333,
                         0.15384615384615385, 0.18181818181818182, 0.2222222222222222, 0.2857142857142857, 0.4);
  const double v = __dmul_rn(l, z.high), q = __dadd_rn(0.6666666666666666, v);
  const double q_low = __dadd_rn(__dadd_rn(v, -__dadd_rn(q, -0.6666666666666666)), 3.700743415417188e-17);
  const __g80_pair_d third = __g80_product_d(s, z.high), cube = __g80_product_d(third.high, q);
  const double third_low = __dadd_rn(third.low, __fma_rn(s, __fma_rn(2.0 * s, s_low, z.low), __dmul_rn(s_low, z.high)));
  const double cube_low = __dadd_rn(cube.low, __fma_rn(third.high, q_low, __dmul_rn(third_low, q)));
  const __g80_pair_d first = __g80_sum_d(__dmul_rn(n, 0.6931471805598903), 2.0 * s),
                     second = __g80_sum_d(first.high, cube.high);
  const double low =
      __dadd_rn(__dadd_rn(first.low, second.low), __dadd_rn(__fma_rn(n, 5.497923018708371e-14, 2.0 * s_low), cube_low));
  return __g80_sum_d(second.high, low);
}
static inline __device__ double pow(double x, double y) {
  if (x == 1.0 || y == 0.0) return 1.0;
  if (x != x || y != y) return __G80_NAN_D__;
  const bool whole = trunc(y) == y, odd = whole && trunc(0.5 * y) != 0.5 * y;
  const double a = fabs(x), sign = odd && __double2hiint(x) < 0 ? -1.0 : 1.0;
  if (fabs(y) == __G80_INFINITY_D__) return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? __G80_INFINITY_D__ : 0.0;
  if (a == 0.0) return sign * (y > 0.0 ? 0.0 : __G80_INFINITY_D__);
  if (a == __G80_INFINITY_D__) return sign * (y > 0.0 ? __G80_INFINITY_D__ : 0.0);
  if (x < 0.0 && !whole) return __G80_NAN_D__;
  const __g80_pair_d l = __g80_log_pair_d(a);
  const double t = fmin(fmax(y, -1.0e300), 1.0e300);
  const __g80_pair_d p = __g80_product_d(l.high, t);
  if (!(p.high < 709.79)) return sign * __G80_INFINITY_D__;
  if (!(p.high > -745.2)) return sign * 0.0;
  const double n = rint(p.high * 1.4426950408889634), r = __fma_rn(-n, 0.6931471805599453, p.high);
  const double low = __fma_rn(-n, 2.3190468138462996e-17, __fma_rn(l.low, t, p.low));
  return sign * __g80_scale_d(__g80_exp_reduced_d(r, low), __double2int_rn(n));
}
static inline __device__ double ldexp(double x, int e) {
  const int rest = e < -2000 ? -2000 : e > 2000 ? 2000 : e;
  return __g80_scale_d(x, rest);
}
static inline __device__ double scalbn(double x, int e) { return ldexp(x, e); }
static inline __device__ double scalbln(double x, long e) {
  return ldexp(x, e < -3000 ? -3000 : e > 3000 ? 3000 : (int)e);
}
static inline __device__ double frexp(double x, int* e) {
  *e = 0;
  if (x == 0.0 || !(fabs(x) < __G80_INFINITY_D__)) return x;
  int more = 0;
  if (fabs(x) < 2.2250738585072014e-308) {
    x = __dmul_rn(x, 18014398509481984.0);
    more = -54;
  }
  const int high = __double2hiint(x);
  *e = ((high >> 20) & 0x7ff) - 1022 + more;
  return __hiloint2double((high & (int)0x800fffff) | 0x3fe00000, __double2loint(x));
}

#include "math_double_bessel.h"
