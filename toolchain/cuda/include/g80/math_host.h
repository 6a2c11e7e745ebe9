// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA that the host's C library has not, for host code.
#pragma once
#pragma GCC system_header

static inline __host__ float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
static inline __host__ double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
static inline __host__ double rcbrt(double x) { return (double)(1.0L / __builtin_cbrtl(x)); }
static inline __host__ float rcbrtf(float x) { return (float)rcbrt((double)x); }

/// sin(pi (x + quarter / 2)): the angle beyond the nearest half is exact.
static inline __host__ double __g80_host_half_turns(double x, int quarter) {
  const double turn = __builtin_remainder(x, 2.0), n = __builtin_rint(2.0 * turn);
  const long double angle = (turn - 0.5 * n) * 3.14159265358979323846L;
  const int quadrant = ((int)n + quarter) & 3;
  const long double value = (quadrant & 1) != 0 ? __builtin_cosl(angle) : __builtin_sinl(angle);
  return (double)((quadrant & 2) != 0 ? -value : value);
}
static inline __host__ double sinpi(double x) {
  if (x - x != 0.0) return x - x;  // NaN of both
  return x == __builtin_trunc(x) ? __builtin_copysign(0.0, x) : __g80_host_half_turns(x, 0);
}
static inline __host__ double cospi(double x) { return x - x != 0.0 ? x - x : __g80_host_half_turns(x, 1); }
static inline __host__ float sinpif(float x) { return (float)sinpi((double)x); }
static inline __host__ float cospif(float x) { return (float)cospi((double)x); }

/// The y of erf(y) = x, |x| <= 1/2, or of erfc(y) = x, 0 < x <= 1/2: Winitzki's formula, then Halley's method.
static inline __host__ double __g80_host_inverse_error(double x, bool complement) {
  const long double v = x, l = __builtin_logl(complement ? v * (2.0L - v) : (1.0L - v) * (1.0L + v));
  const long double t = 4.33074675L + 0.5L * l;  // 2 / (0.147 pi)
  long double y = __builtin_copysignl(__builtin_sqrtl(__builtin_sqrtl(t * t - l / 0.147L) - t), v);
  for (int step = 0; step < 4; ++step) {
    const long double error = complement ? v - __builtin_erfcl(y) : __builtin_erfl(y) - v;
    const long double newton = error * __builtin_expl(y * y) * 0.886226925452758013649L;  // sqrt(pi) / 2
    y -= newton / (1.0L + y * newton);
  }
  return (double)y;
}
static inline __host__ double erfcinv(double x) {
  if (!(x >= 0.0 && x <= 2.0)) return __builtin_nan("");
  if (x == 0.0 || x == 2.0) return x == 0.0 ? __builtin_inf() : -__builtin_inf();
  if (x >= 0.5 && x <= 1.5) return __g80_host_inverse_error(1.0 - x, false);
  return x < 1.0 ? __g80_host_inverse_error(x, true) : -__g80_host_inverse_error(2.0 - x, true);
}
static inline __host__ double erfinv(double x) {
  const double a = __builtin_fabs(x);
  if (!(a <= 1.0)) return __builtin_nan("");
  if (x == 0.0 || a <= 0.5) return x == 0.0 ? x : __g80_host_inverse_error(x, false);
  return __builtin_copysign(erfcinv(1.0 - a), x);
}
static inline __host__ float erfinvf(float x) { return (float)erfinv((double)x); }
static inline __host__ float erfcinvf(float x) { return (float)erfcinv((double)x); }
