// Double precision functions of kernels: compute capability 1.3 has a fused multiply-add, which all of this rests on.
#pragma once

static inline __device__ double fabs(double x) { return __builtin_fabs(x); }
static inline __device__ double abs(double x) { return fabs(x); }
static inline __device__ double sqrt(double x) { return __dsqrt_rn(x); }
static inline __device__ double rsqrt(double x) { return __drcp_rn(__dsqrt_rn(x)); }
static inline __device__ double floor(double x) { return __nvvm_floor_d(x); }
static inline __device__ double ceil(double x) { return __nvvm_ceil_d(x); }
static inline __device__ double trunc(double x) { return __nvvm_trunc_d(x); }
static inline __device__ double rint(double x) { return __builtin_rint(x); }
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
static inline __device__ double fmin(double x, double y) { return __nvvm_fmin_d(x, y); }
static inline __device__ double fmax(double x, double y) { return __nvvm_fmax_d(x, y); }
static inline __device__ double fdim(double x, double y) { return x > y ? x - y : x <= y ? 0.0 : x + y; }
static inline __device__ double fma(double x, double y, double z) { return __fma_rn(x, y, z); }
