// Double precision functions of kernels (compute capability 1.3) against the host's long double, in units in the last place.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static long double reference_exp10(long double x) { return exp10l(x); }

static long double reference_nextafter(double x, double y) { return std::nextafter(x, y); }

static long double reference_sqrt(long double x) { return std::sqrt((double)x); }

static long double reference_rsqrt(long double x) { return 1 / sqrtl(x); }
static long double reference_rcbrt(long double x) { return 1 / cbrtl(x); }
/// sin(pi (x + quarter / 2)): the angle beyond the nearest half is exact.
static long double half_turns(long double x, int quarter) {
  if (std::isinf(x)) return NAN;
  const long double turn = fmodl(x, 2), n = rintl(2 * turn), angle = (turn - n / 2) * 3.14159265358979323846264338327950288L;
  const int quadrant = ((int)n + quarter) & 3;
  const long double value = quadrant & 1 ? cosl(angle) : sinl(angle);
  return quadrant & 2 ? -value : value;
}
static long double reference_sinpi(long double x) { return std::isinf(x) || x != truncl(x) ? half_turns(x, 0) : copysignl(0, x); }
static long double reference_cospi(long double x) { return half_turns(x, 1); }
#define TWO(X) X(pow, powl, 2) X(atan2, atan2l, 1) X(hypot, hypotl, 1) X(fmod, fmodl, 0) X(remainder, remainderl, 0) X(nextafter, reference_nextafter, 0)

#define ONE(X)                                                                                                   \
  X(exp, expl, 1) X(exp2, exp2l, 2) X(exp10, reference_exp10, 1) X(log, logl, 1) X(log2, log2l, 2) X(log10, log10l, 2) \
  X(sin, sinl, 1) X(cos, cosl, 1) X(tan, tanl, 1) X(sinpi, reference_sinpi, 1) X(cospi, reference_cospi, 1)               \
  X(asin, asinl, 1) X(acos, acosl, 1) X(atan, atanl, 1) X(sinh, sinhl, 1) X(cosh, coshl, 1) X(tanh, tanhl, 1)            \
  X(asinh, asinhl, 2) X(acosh, acoshl, 2) X(atanh, atanhl, 2) X(expm1, expm1l, 1) X(log1p, log1pl, 1) X(cbrt, cbrtl, 1)   \
  X(rcbrt, reference_rcbrt, 1) X(rsqrt, reference_rsqrt, 1) X(erf, erfl, 2) X(erfc, erfcl, 4) X(logb, logbl, 0)                                                              \
  X(sqrt, reference_sqrt, 0) X(floor, floorl, 0) X(ceil, ceill, 0) X(trunc, truncl, 0) X(rint, rintl, 0) X(round, roundl, 0)
#define KERNEL(f, reference, bound) \
  __global__ void k_##f(const double* x, double* r) { r[blockIdx.x * 128 + threadIdx.x] = f(x[blockIdx.x * 128 + threadIdx.x]); }
ONE(KERNEL)
#define KERNEL2(f, reference, bound)                                        \
  __global__ void k_##f(const double* x, const double* y, double* r) {      \
    const int k = blockIdx.x * 128 + threadIdx.x;                           \
    r[k] = f(x[k], y[k]);                                                   \
  }
TWO(KERNEL2)
__global__ void k_fused(const double* x, const double* y, double* r) {
  const int k = blockIdx.x * 128 + threadIdx.x;
  r[k] = fma(x[k], y[k], x[k] / y[k]);
}

__global__ void k_parts(const double* x, double* r) {
  const int k = blockIdx.x * 128 + threadIdx.x;
  double sine, cosine;
  sincos(x[k], &sine, &cosine);
  r[k] = ilogb(x[k]) + (sine == sin(x[k]) || sine != sine ? 0.25 : 0) + (cosine == cos(x[k]) || cosine != cosine ? 0.5 : 0);
}

__global__ void k_quotients(const double* x, const double* y, double* r, double* q) {
  const int k = blockIdx.x * 128 + threadIdx.x;
  int quotient;
  r[k] = remquo(x[k], y[k], &quotient);
  q[k] = quotient;
}

static const int kCount = 8192, kBytes = kCount * 8;
static unsigned long long state = 88172645463325252ull;
static unsigned long long next() {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static void fill(std::vector<double>& v, bool second) {
  const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 2.0, 0.5, -2.0, 3.0, 1e-310, 1e308, -1e308, 709.7, -740.0, 10.0, -3.0};
  const int count = sizeof special / sizeof special[0];
  for (int k = 0; k < kCount; ++k) {
    const unsigned long long bits = next();
    const double range = k % 4 == 1 ? 2.0 : k % 4 == 2 ? 30.0 : 700.0;
    memcpy(&v[k], &bits, 8);
    if (k % 4 != 0) v[k] = (long long)bits * (range / 9223372036854775808.0);
    if (k < count * count) v[k] = special[second ? k / count : k % count];
  }
}

static int failures = 0;
static void judge(const char* name, const std::vector<double>& got, const std::vector<long double>& want, double bound) {
  double worst = 0;
  int at = 0;
  for (int k = 0; k < kCount; ++k) {
    const double rounded = (double)want[k];
    double error = 0;
    if (std::isnan(rounded)) error = std::isnan(got[k]) ? 0 : INFINITY;
    else if (got[k] == rounded) error = 0;
    else if (std::isinf(rounded)) error = fabs(got[k]) == 1.7976931348623157e308 ? 0 : INFINITY;
    else if (fabs(rounded) < 2.3e-308) error = fabs(got[k] - rounded) <= 1e-323 ? 0 : INFINITY;  // denormals: two of their units
    else {
      int exponent;
      frexpl(want[k], &exponent);
      error = (double)fabsl((got[k] - want[k]) / ldexpl(1, exponent - 53));
    }
    if (!(error <= worst)) worst = error, at = k;
  }
  const bool good = worst <= (bound == 0 ? 0 : bound);
  if (!good) printf("%s: %g ulp, argument %d\n", name, worst, at);
  failures += !good;
}

int main() {
  std::vector<double> x(kCount), y(kCount), r(kCount);
  std::vector<long double> want(kCount);
  double *dx, *dy, *dr;
  cudaMalloc(&dx, kBytes), cudaMalloc(&dy, kBytes), cudaMalloc(&dr, kBytes);
  fill(x, false), fill(y, true);
  cudaMemcpy(dx, x.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), kBytes, cudaMemcpyHostToDevice);
#define RUN(f, reference, bound)                                     \
  k_##f<<<kCount / 128, 128>>>(dx, dr);                              \
  cudaMemcpy(r.data(), dr, kBytes, cudaMemcpyDeviceToHost);          \
  for (int k = 0; k < kCount; ++k) want[k] = reference((long double)x[k]); \
  judge(#f, r, want, bound);
  ONE(RUN)
#define RUN2(f, reference, bound)                                    \
  k_##f<<<kCount / 128, 128>>>(dx, dy, dr);                          \
  cudaMemcpy(r.data(), dr, kBytes, cudaMemcpyDeviceToHost);          \
  for (int k = 0; k < kCount; ++k) want[k] = reference(x[k], y[k]);  \
  judge(#f, r, want, bound);
  TWO(RUN2)
  k_fused<<<kCount / 128, 128>>>(dx, dy, dr);
  cudaMemcpy(r.data(), dr, kBytes, cudaMemcpyDeviceToHost);
  for (int k = 0; k < kCount; ++k) want[k] = std::fma(x[k], y[k], x[k] / y[k]);
  judge("fma and division", r, want, 0);
  std::vector<double> q(kCount);
  std::vector<long double> want_q(kCount);
  double* dq;
  cudaMalloc(&dq, kBytes);
  k_quotients<<<kCount / 128, 128>>>(dx, dy, dr, dq);
  cudaMemcpy(r.data(), dr, kBytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(q.data(), dq, kBytes, cudaMemcpyDeviceToHost);
  for (int k = 0; k < kCount; ++k) {
    int quotient = 0;
    want[k] = std::remquo(x[k], y[k], &quotient);
    want_q[k] = std::isnan((double)want[k]) ? 0 : quotient % 8;
  }
  judge("remquo", r, want, 0);
  judge("remquo's quotient", q, want_q, 0);
  k_parts<<<kCount / 128, 128>>>(dx, dr);
  cudaMemcpy(r.data(), dr, kBytes, cudaMemcpyDeviceToHost);
  for (int k = 0; k < kCount; ++k) want[k] = std::ilogb(x[k]) + 0.75;
  judge("ilogb and sincos", r, want, 0);
  if (cudaGetLastError() != cudaSuccess) ++failures;
  printf(failures == 0 ? "PASSED\n" : "%d FAILED\n", failures);
  return failures != 0;
}
