// SPDX-License-Identifier: Apache-2.0
// Trigonometric and hyperbolic functions in double precision. Angles are reduced by a pi/2 of three parts, large ones
// with the bits of 2/pi that matter (Payne and Hanek); series are Taylor's, on intervals where they end below 2^-58.
#pragma once
#pragma GCC system_header

/// a/b of pairs, b.high not 0.
__G80_DEVICE__ __g80_pair_d __g80_quotient_d(__g80_pair_d a, __g80_pair_d b) {
  const double q = __ddiv_rn(a.high, b.high);
  const double rest = __fma_rn(-q, b.low, __dadd_rn(__fma_rn(-q, b.high, a.high), a.low));
  return {q, __ddiv_rn(rest, b.high)};
}

/// sin and cos of a.high + a.low, |a| <= pi/4: pairs whose sum is right to about 2^-58.
__G80_DEVICE__ __g80_pair_d __g80_sin_reduced_d(__g80_pair_d a) {
  const double r = a.high, z = __dmul_rn(r, r);
  double p = __g80_polynomial_d(z, 2.8114572543455206e-15, -7.647163731819816e-13, 1.6059043836821613e-10,
                                -2.505210838544172e-08, 2.7557319223985893e-06, -0.0001984126984126984,
                                0.008333333333333333, -0.16666666666666666);
  const double cosine = __fma_rn(-0.5, z, 1.0);
  return __g80_sum_d(r, __fma_rn(__dmul_rn(r, z), p, __dmul_rn(a.low, cosine)));
}
__G80_DEVICE__ __g80_pair_d __g80_cos_reduced_d(__g80_pair_d a) {
  const double r = a.high;
  const __g80_pair_d square = __g80_product_d(r, r);
  const double z = square.high;
  double p =
      __g80_polynomial_d(z, 4.779477332387385e-14, -1.1470745597729725e-11, 2.08767569878681e-09,
                         -2.755731922398589e-07, 2.48015873015873e-05, -0.001388888888888889, 0.041666666666666664);
  const __g80_pair_d start = __g80_sum_d(1.0, __dmul_rn(-0.5, z));
  const double rest = __fma_rn(__dmul_rn(z, z), p, __fma_rn(-0.5, square.low, __dmul_rn(-r, a.low)));
  return __g80_sum_d(start.high, __dadd_rn(start.low, rest));
}

/// 64 bits of 2/pi, word 0 directly behind the binary point.
__G80_DEVICE__ unsigned long long __g80_two_over_pi_d(int k) {
  switch (k) {
    case 0: return 0xa2f9836e4e441529ull;
    case 1: return 0xfc2757d1f534ddc0ull;
    case 2: return 0xdb6295993c439041ull;
    case 3: return 0xfe5163abdebbc561ull;
    case 4: return 0xb7246e3a424dd2e0ull;
    case 5: return 0x06492eea09d1921cull;
    case 6: return 0xfe1deb1cb129a73eull;
    case 7: return 0xe88235f52ebb4484ull;
    case 8: return 0xe99c7026b45f7e41ull;
    case 9: return 0x3991d639835339f4ull;
    case 10: return 0x9c845f8bbdf9283bull;
    case 11: return 0x1ff897ffde05980full;
    case 12: return 0xef2f118b5a0a6d1full;
    case 13: return 0x6d367ecf27cb09b7ull;
    case 14: return 0x4f463f669e5fea2dull;
    case 15: return 0x7527bac7ebe5f17bull;
    case 16: return 0x3d0739f78a5292eaull;
    case 17: return 0x6bfb5fb11f8d5d08ull;
    case 18: return 0x56033046fc7b6babull;
    default: return 0;
  }
}
/// x = m 2^e, m of 53 bits: m times 192 bits of 2/pi, from the first that does not give a multiple of 4.
__G80_DEVICE__ __g80_pair_d __g80_reduce_large_d(double x, int* quadrant) {
  const int e = ((__double2hiint(x) >> 20) & 0x7ff) - 1075, first = e - 2, word = first >> 6, shift = first & 63;
  const unsigned long long m = ((unsigned long long)__double_as_longlong(x) & 0xfffffffffffffull) | 0x10000000000000ull;
  unsigned long long next = __g80_two_over_pi_d(word), a = 0, b = 0, c = 0;
#pragma unroll 1
  for (int k = 1; k <= 3; ++k) {
    const unsigned long long after = __g80_two_over_pi_d(word + k);
    a = b;
    b = c;
    c = shift ? next << shift | after >> (64 - shift) : next;
    next = after;
  }
  const unsigned long long low = m * c, middle_low = m * b, middle = middle_low + __umul64hi(m, c);
  const unsigned long long high = m * a + __umul64hi(m, b) + (middle < middle_low ? 1 : 0);
  *quadrant = (int)(high >> 62);
  unsigned long long fraction = high << 2 | middle >> 62, rest = middle << 2 | low >> 62;
  // To the nearest multiple: the fraction becomes signed.
  const bool negative = (fraction >> 63) != 0;
  if (negative) {
    ++*quadrant;
    rest = 0 - rest;
    fraction = ~fraction + (rest == 0 ? 1 : 0);
  }
  const int zeros = fraction == 0 ? 63 : __clzll((long long)fraction);
  if (zeros != 0) {
    fraction = fraction << zeros | rest >> (64 - zeros);
    rest <<= zeros;
  }
  // Times pi/2: 53 bits, then the 64 that follow.
  const double unit = __g80_power_of_two_d(-53 - zeros),
               f = __dmul_rn(__ll2double_rn((long long)(fraction >> 11)), unit);
  const unsigned long long tail = fraction << 53 | rest >> 11;
  const double f_low = __dmul_rn(__dmul_rn(__ll2double_rn((long long)(tail >> 1)), 1.0842021724855044e-19), unit);
  const __g80_pair_d product = __g80_product_d(f, 1.5707963267948966);
  const __g80_pair_d angle = __g80_sum_d(
      product.high, __dadd_rn(product.low, __fma_rn(f, 6.123233995736766e-17, __dmul_rn(f_low, 1.5707963267948966))));
  const bool flip = negative != (x < 0.0);
  if (x < 0.0) *quadrant = -*quadrant;
  return {flip ? -angle.high : angle.high, flip ? -angle.low : angle.low};
}
/// x less quadrant * pi/2, between -pi/4 and pi/4.
__G80_DEVICE__ __g80_pair_d __g80_reduce_d(double x, int* quadrant) {
  if (fabs(x) > 1.0e9) return __g80_reduce_large_d(x, quadrant);
  const double n = rint(__dmul_rn(x, 0.6366197723675814));
  *quadrant = __double2int_rn(n);
  const double r = __fma_rn(-n, 1.5707963267948966, x);  // exact: a multiple of 2^-53 below 1
  const __g80_pair_d second = __g80_product_d(n, 6.123233995736766e-17), sum = __g80_sum_d(r, -second.high);
  return {sum.high, __fma_rn(n, 1.4973849048591698e-33, __dadd_rn(sum.low, -second.low))};
}
__G80_DEVICE__ double __g80_sine_d(__g80_pair_d r, int quadrant) {
  const __g80_pair_d value = (quadrant & 1) != 0 ? __g80_cos_reduced_d(r) : __g80_sin_reduced_d(r);
  return (quadrant & 2) != 0 ? -value.high : value.high;
}
static inline __device__ double sin(double x) {
  if (!(fabs(x) < __G80_INFINITY_D__)) return __G80_NAN_D__;
  if (fabs(x) < 1.0e-160) return x;
  int quadrant;
  const __g80_pair_d r = __g80_reduce_d(x, &quadrant);
  return __g80_sine_d(r, quadrant);
}
static inline __device__ double cos(double x) {
  if (!(fabs(x) < __G80_INFINITY_D__)) return __G80_NAN_D__;
  int quadrant;
  const __g80_pair_d r = __g80_reduce_d(x, &quadrant);
  return __g80_sine_d(r, quadrant + 1);
}
static inline __device__ void sincos(double x, double* s, double* c) {
  if (!(fabs(x) < __G80_INFINITY_D__)) {
    *s = *c = __G80_NAN_D__;
    return;
  }
  int quadrant;
  const __g80_pair_d r = __g80_reduce_d(x, &quadrant);
  *s = fabs(x) < 1.0e-160 ? x : __g80_sine_d(r, quadrant);
  *c = __g80_sine_d(r, quadrant + 1);
}
static inline __device__ double tan(double x) {
  if (!(fabs(x) < __G80_INFINITY_D__)) return __G80_NAN_D__;
  if (fabs(x) < 1.0e-160) return x;
  int quadrant;
  const __g80_pair_d r = __g80_reduce_d(x, &quadrant), s = __g80_sin_reduced_d(r), c = __g80_cos_reduced_d(r);
  const bool odd = (quadrant & 1) != 0;
  const __g80_pair_d t = __g80_quotient_d(odd ? c : s, odd ? s : c);
  return odd ? -__dadd_rn(t.high, t.low) : __dadd_rn(t.high, t.low);
}
/// x less a multiple of 2, and of that the angle beyond the nearest half.
__G80_DEVICE__ double __g80_half_turns_d(double x, int quarter) {
  const double t = __dadd_rn(x, __dmul_rn(-2.0, rint(__dmul_rn(0.5, x)))), n = rint(__dmul_rn(2.0, t));
  const double f = __fma_rn(-0.5, n, t);
  const __g80_pair_d angle = __g80_product_d(f, 3.141592653589793);
  return __g80_sine_d(__g80_pair_of_d(angle.high, __fma_rn(f, 1.2246467991473532e-16, angle.low)),
                      __double2int_rn(n) + quarter);
}
static inline __device__ double sinpi(double x) {
  if (!(fabs(x) < __G80_INFINITY_D__)) return __G80_NAN_D__;
  if (trunc(x) == x) return copysign(0.0, x);
  if (fabs(x) < 1.0e-160)
    return __dmul_rn(__g80_half_turns_d(__dmul_rn(x, 1.2676506002282294e30), 0), 7.888609052210118e-31);
  return __g80_half_turns_d(x, 0);
}
static inline __device__ double cospi(double x) {
  if (!(fabs(x) < __G80_INFINITY_D__)) return __G80_NAN_D__;
  return __g80_half_turns_d(x, 1);
}

/// The angle of the point (x, y), 0 <= y <= x, x neither small nor large: atan(k/4) and the series of what is beyond.
__G80_DEVICE__ __g80_pair_d __g80_angle_d(__g80_pair_d y, __g80_pair_d x) {
  const double k = rint(__dmul_rn(4.0, __ddiv_rn(y.high, x.high))), c = __dmul_rn(0.25, k);
  const __g80_pair_d n = __g80_sum_d(__fma_rn(-c, x.high, y.high), __fma_rn(-c, x.low, y.low));
  const __g80_pair_d d = __g80_sum_d(x.high, __dmul_rn(c, y.high));
  const __g80_pair_d u = __g80_quotient_d(n, __g80_pair_of_d(d.high, __dadd_rn(d.low, __fma_rn(c, y.low, x.low))));
  const double z = __dmul_rn(u.high, u.high);
  double p =
      __g80_polynomial_d(z, -0.05263157894736842, 0.058823529411764705, -0.06666666666666667, 0.07692307692307693,
                         -0.09090909090909091, 0.1111111111111111, -0.14285714285714285, 0.2, -0.3333333333333333);
  const double high = k == 0.0   ? 0.0
                      : k == 1.0 ? 0.24497866312686414
                      : k == 2.0 ? 0.4636476090008061
                      : k == 3.0 ? 0.6435011087932844
                                 : 0.7853981633974483;
  const double low = k == 0.0   ? 0.0
                     : k == 1.0 ? 1.0698755618734451e-17
                     : k == 2.0 ? 2.2698777452961687e-17
                     : k == 3.0 ? 1.5834785051444286e-17
                                : 3.061616997868383e-17;
  const __g80_pair_d sum = __g80_sum_d(high, u.high);
  const double rest = __fma_rn(__dmul_rn(u.high, z), p, __dadd_rn(u.low, low));
  return __g80_sum_d(sum.high, __dadd_rn(sum.low, rest));
}
/// Any quadrant; the pairs are scaled already.
__G80_DEVICE__ double __g80_atan2_pairs_d(__g80_pair_d y, __g80_pair_d x) {
  const bool y_negative = __double2hiint(y.high) < 0, x_negative = __double2hiint(x.high) < 0;
  if (y_negative) y = __g80_pair_of_d(-y.high, -y.low);
  if (x_negative) x = __g80_pair_of_d(-x.high, -x.low);
  const bool steep = y.high > x.high;
  __g80_pair_d a = steep ? __g80_angle_d(x, y) : __g80_angle_d(y, x);
  if (steep) {
    const __g80_pair_d t = __g80_sum_d(1.5707963267948966, -a.high);
    a = __g80_pair_of_d(t.high, __dadd_rn(t.low, __dadd_rn(6.123233995736766e-17, -a.low)));
  }
  if (x_negative) {
    const __g80_pair_d t = __g80_sum_d(3.141592653589793, -a.high);
    a = __g80_pair_of_d(t.high, __dadd_rn(t.low, __dadd_rn(1.2246467991473532e-16, -a.low)));
  }
  const double r = __dadd_rn(a.high, a.low);
  return y_negative ? -r : r;
}
static inline __device__ double atan2(double y, double x) {
  if (x != x || y != y) return __G80_NAN_D__;
  const double ax = fabs(x), ay = fabs(y), larger = fmax(ax, ay), smaller = fmin(ax, ay);
  if (smaller == __G80_INFINITY_D__) {
    x = copysign(1.0, x);
    y = copysign(1.0, y);
  } else if (larger == __G80_INFINITY_D__) {
    x = copysign(ax == larger ? 1.0 : 0.0, x);
    y = copysign(ay == larger ? 1.0 : 0.0, y);
  } else if (larger == 0.0) {
    x = copysign(1.0, x);
  } else {
    if (ay < ax && x > 0.0 && ay < __dmul_rn(ax, 1.0e-20)) return __ddiv_rn(y, x);  // may be subnormal
    const int e = 1023 - ((__double2hiint(larger) >> 20) & 0x7ff);
    x = __g80_scale_d(x, e);
    y = __g80_scale_d(y, e);
  }
  return __g80_atan2_pairs_d(__g80_pair_of_d(y, 0.0), __g80_pair_of_d(x, 0.0));
}
static inline __device__ double atan(double x) {
  if (x != x || fabs(x) < 1.0e-20) return x;
  if (fabs(x) > 1.0e20) return copysign(1.5707963267948966, x);
  return __g80_atan2_pairs_d(__g80_pair_of_d(x, 0.0), __g80_pair_of_d(1.0, 0.0));
}
/// sqrt(1 - x^2) as a pair, |x| < 1.
__G80_DEVICE__ __g80_pair_d __g80_other_leg_d(double x) {
  const __g80_pair_d less = __g80_sum_d(1.0, -x), more = __g80_sum_d(1.0, x),
                     product = __g80_product_d(less.high, more.high);
  const double low = __dadd_rn(product.low, __fma_rn(less.high, more.low, __dmul_rn(less.low, more.high)));
  const double root = __dsqrt_rn(product.high);
  return {root, __ddiv_rn(__dadd_rn(__fma_rn(-root, root, product.high), low), __dmul_rn(2.0, root))};
}
static inline __device__ double asin(double x) {
  if (!(fabs(x) <= 1.0)) return __G80_NAN_D__;
  if (fabs(x) < 1.0e-20) return x;
  if (fabs(x) == 1.0) return copysign(1.5707963267948966, x);
  return __g80_atan2_pairs_d(__g80_pair_of_d(x, 0.0), __g80_other_leg_d(x));
}
static inline __device__ double acos(double x) {
  if (!(fabs(x) <= 1.0)) return __G80_NAN_D__;
  if (fabs(x) == 1.0) return x > 0.0 ? 0.0 : 3.141592653589793;
  return __g80_atan2_pairs_d(__g80_other_leg_d(x), __g80_pair_of_d(x, 0.0));
}
