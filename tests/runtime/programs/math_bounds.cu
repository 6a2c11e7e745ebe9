// The mathematics library of kernels against the host's double precision: the error of every function in units in the last
// place, on random and special arguments. The bounds are those of the CUDA Programming Guide 3.2, appendix C.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static double cube_root_reciprocal(double x) { return 1 / cbrt(x); }
static double root_reciprocal(double x) { return 1 / sqrt(x); }
static double reciprocal(double x) { return 1 / x; }
/// Denormals are zero on the chip: zero's neighbours are the least normal numbers, and theirs is zero.
static double reference_nextafter(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return NAN;
  const float least = 1.17549435e-38f, next = std::nextafterf((float)x, (float)y);
  if (x == 0 && y != 0) return copysign(least, y);
  return fabsf(next) < least && x != y ? copysign(0.0, x) : next;
}
static double quotient(double x, double y) { return x / y; }
__device__ float reciprocal_device(float x) { return 1.0f / x; }
__device__ float quotient_device(float x, float y) { return x / y; }

// function, reference, largest error
#define ONE(X)                                                                                                            \
  X(sinf, sin, 2) X(cosf, cos, 2) X(tanf, tan, 4) X(expf, exp, 2) X(exp2f, exp2, 2) X(exp10f, exp10, 2) X(expm1f, expm1, 1) \
  X(logf, log, 1) X(log2f, log2, 3) X(log10f, log10, 3) X(log1pf, log1p, 2) X(asinf, asin, 4) X(acosf, acos, 3)           \
  X(atanf, atan, 2) X(sinhf, sinh, 3) X(coshf, cosh, 2) X(tanhf, tanh, 2) X(asinhf, asinh, 3) X(acoshf, acosh, 4)         \
  X(atanhf, atanh, 3) X(sqrtf, sqrt, 3) X(rsqrtf, root_reciprocal, 2) X(cbrtf, cbrt, 1)                                   \
  X(rcbrtf, cube_root_reciprocal, 2) X(erff, erf, 3) X(erfcf, erfc, 6) X(reciprocal_device, reciprocal, 1)                \
  X(roundf, round, 0) X(rintf, rint, 0) X(truncf, trunc, 0) X(floorf, floor, 0) X(ceilf, ceil, 0) X(logbf, logb, 0)
#define TWO(X)                                                                                                            \
  X(powf, pow, 8) X(atan2f, atan2, 3) X(hypotf, hypot, 3) X(fmodf, fmod, 0) X(remainderf, remainder, 0) X(fminf, fmin, 0) \
  X(fmaxf, fmax, 0) X(copysignf, copysign, 0) X(nextafterf, reference_nextafter, 0) X(fdimf, fdim, 0) X(quotient_device, quotient, 2) X(__fdiv_rn, quotient, 0)

#define KERNEL1(f, reference, bound) \
  __global__ void k1_##f(const float* x, float* r) { r[blockIdx.x * 256 + threadIdx.x] = f(x[blockIdx.x * 256 + threadIdx.x]); }
#define KERNEL2(f, reference, bound)                                          \
  __global__ void k2_##f(const float* x, const float* y, float* r) {          \
    r[blockIdx.x * 256 + threadIdx.x] = f(x[blockIdx.x * 256 + threadIdx.x], y[blockIdx.x * 256 + threadIdx.x]); \
  }
ONE(KERNEL1)
TWO(KERNEL2)
__global__ void fused(const float* x, const float* y, const float* z, float* r) {
  const int k = blockIdx.x * 256 + threadIdx.x;
  r[k] = fmaf(x[k], y[k], z[k]);
}

__global__ void parts(const float* x, float* r) {
  const int k = blockIdx.x * 256 + threadIdx.x;
  float sine, cosine;
  sincosf(x[k], &sine, &cosine);
  r[k] = ilogbf(x[k]) % 1024 + (sine == sinf(x[k]) || sine != sine ? 0.25f : 0) + (cosine == cosf(x[k]) || cosine != cosine ? 0.5f : 0);
}

__global__ void quotients(const float* x, const float* y, float* r, int* q) {
  const int k = blockIdx.x * 256 + threadIdx.x;
  r[k] = remquof(x[k], y[k], &q[k]);
}

static const int kCount = 16384, kBytes = kCount * 4;
static const float kLeast = 1.17549435e-38f;  // denormals are zero on this chip
static unsigned state = 1;
static unsigned next() {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}
static float from_bits(unsigned bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

/// A quarter each: any bits, |x| < 1.2, |x| < 10, |x| < 100; special numbers first, all pairs of them.
static void fill(std::vector<float>& v, bool second) {
  const float special[] = {0.0f,    -0.0f,  1.0f,  -1.0f,  INFINITY, -INFINITY, NAN,    2.0f,   0.5f,   -0.5f,  kLeast, 3.40282347e38f,
                           -3.40282347e38f, 1.5f, 2.5f, -1.5f, 88.7f, 89.0f, -87.5f, -104.0f, 3.0f, -3.0f, 16777216.0f, 8388609.0f,
                           127.99f, 128.0f, -126.0f, -127.0f, 38.5f, 38.6f, 0.95f, 4000.0f};
  const int count = sizeof special / sizeof special[0];
  for (int k = 0; k < kCount; ++k) {
    const unsigned bits = next();
    const float range = k % 4 == 1 ? 1.2f : k % 4 == 2 ? 10.0f : 100.0f;
    float f = k % 4 == 0 ? from_bits(bits) : (int)bits * (range / 2147483648.0f);
    if (k < count * count) f = special[second ? k / count : k % count];
    v[k] = fabsf(f) < kLeast ? copysignf(0.0f, f) : f;
  }
}

static double error_of(float got, double want, double exact_bound) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  if (std::isnan(got)) return INFINITY;
  const float rounded = (float)want;
  if (exact_bound == 0 && got == rounded) return 0;
  if (std::isinf(rounded)) return got == rounded || fabs(got) == 3.40282347e38f ? 0 : INFINITY;
  if (fabs(want) < kLeast) return fabs(got) <= kLeast ? 0 : INFINITY;
  int exponent;
  frexp(want, &exponent);
  return fabs(got - want) / ldexp(1.0, exponent - 24);
}

static int failures = 0;
static void judge(const char* name, double worst, double bound, float x, float y) {
  // A bound of n ulps was measured against correctly rounded results, which are half a unit off themselves.
  const bool good = worst <= (bound == 0 ? 0 : bound + 0.5);
  if (!good) printf("%s: %g ulp at %.9g, %.9g; allowed are %g\n", name, worst, x, y, bound);
  failures += !good;
}

int main() {
  std::vector<float> x(kCount), y(kCount), z(kCount), r(kCount);
  float *dx, *dy, *dz, *dr;
  cudaMalloc(&dx, kBytes), cudaMalloc(&dy, kBytes), cudaMalloc(&dz, kBytes), cudaMalloc(&dr, kBytes);
  fill(x, false), fill(y, true), fill(z, false);
  for (int k = 0; k < kCount; ++k) {
    if (k % 2 != 0) z[k] = -x[k] * y[k] * (1.0f + (int)(k % 7) * 1e-7f);  // cancels
    if (fabsf(z[k]) < kLeast) z[k] = 0;
  }
  cudaMemcpy(dx, x.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dz, z.data(), kBytes, cudaMemcpyHostToDevice);
#define RUN(f, bound, launch, want)                                   \
  {                                                                   \
    launch;                                                           \
    cudaMemcpy(r.data(), dr, kBytes, cudaMemcpyDeviceToHost);         \
    double worst = 0;                                                 \
    int at = 0;                                                       \
    for (int k = 0; k < kCount; ++k) {                                \
      const double error = error_of(r[k], want, bound);               \
      if (error > worst) worst = error, at = k;                       \
    }                                                                 \
    judge(#f, worst, bound, x[at], y[at]);                            \
  }
#define RUN1(f, reference, bound) RUN(f, bound, (k1_##f<<<kCount / 256, 256>>>(dx, dr)), reference((double)x[k]))
#define RUN2(f, reference, bound) RUN(f, bound, (k2_##f<<<kCount / 256, 256>>>(dx, dy, dr)), reference((double)x[k], (double)y[k]))
  ONE(RUN1)
  TWO(RUN2)

  fused<<<kCount / 256, 256>>>(dx, dy, dz, dr);
  cudaMemcpy(r.data(), dr, kBytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int k = 0; k < kCount; ++k) {
    const float want = std::fma(x[k], y[k], z[k]);
    const double product = fabs((double)x[k] * y[k]);
    const bool regular = product == 0 || (product > 1e-37 && product < 1e38);  // no denormal in between
    if (regular && fabsf(want) >= 1e-37f && want != r[k]) ++wrong;
  }
  judge("fmaf", wrong, 0, 0, 0);

  std::vector<int> q(kCount);
  quotients<<<kCount / 256, 256>>>(dx, dy, dr, (int*)dz);
  cudaMemcpy(r.data(), dr, kBytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(q.data(), dz, kBytes, cudaMemcpyDeviceToHost);
  wrong = 0;
  for (int k = 0; k < kCount; ++k) {
    int quotient = 0;
    const float want = std::remquo(x[k], y[k], &quotient);
    if (want != 0 && fabsf(want) < kLeast) continue;  // zero on the chip, before the quotient is rounded
    if (std::isnan(want) ? !std::isnan(r[k]) : r[k] != want || q[k] != quotient % 8) ++wrong;
  }
  judge("remquof", wrong, 0, 0, 0);

  parts<<<kCount / 256, 256>>>(dx, dr);
  cudaMemcpy(r.data(), dr, kBytes, cudaMemcpyDeviceToHost);
  wrong = 0;
  for (int k = 0; k < kCount; ++k) wrong += r[k] != std::ilogb(x[k]) % 1024 + 0.75f;
  judge("ilogbf and sincosf", wrong, 0, 0, 0);

  if (cudaGetLastError() != cudaSuccess) ++failures;
  printf(failures == 0 ? "PASSED\n" : "%d functions FAILED\n", failures);
  return failures != 0;
}
