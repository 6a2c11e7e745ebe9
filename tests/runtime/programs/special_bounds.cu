// Gamma, Bessel and inverse error functions of kernels against MPFR, in units in the last place of the true value.
// Compiled with -DSINGLE for the functions of floats, else for those of doubles (sm_13). The argument is a seed, 1 if
// there is none.
#include <mpfr.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#ifdef SINGLE
typedef float real;
typedef unsigned word;
#define NAME(function) function##f
static const real kTgammaOverflows = 35.0400984f, kLgammaOverflows = 4.08500337e36f;
#else
typedef double real;
typedef unsigned long long word;
#define NAME(function) function
static const real kTgammaOverflows = 171.62437695630272, kLgammaOverflows = 2.559983327851638e305;
#endif
typedef std::numeric_limits<real> Limits;
static const int kBits = Limits::digits;

#define ONE(X) X(tgamma) X(lgamma) X(erfinv) X(erfcinv) X(j0) X(j1) X(y0) X(y1)
#define TWO(X) X(jn) X(yn)
#define KERNEL1(f)                                                                  \
  __global__ void k_##f(const int*, const real* x, real* r) {                       \
    r[blockIdx.x * 128 + threadIdx.x] = NAME(f)(x[blockIdx.x * 128 + threadIdx.x]); \
  }
#define KERNEL2(f)                                              \
  __global__ void k_##f(const int* n, const real* x, real* r) { \
    const int k = blockIdx.x * 128 + threadIdx.x;               \
    r[k] = NAME(f)(n[k], x[k]);                                 \
  }
ONE(KERNEL1)
TWO(KERNEL2)

struct Number {
  Number() { mpfr_init2(value, kBits == 24 ? 120 : 200); }
  explicit Number(double x) : Number() { mpfr_set_d(value, x, MPFR_RNDN); }
  Number(const Number&) = delete;
  ~Number() { mpfr_clear(value); }
  operator mpfr_ptr() { return value; }
  mpfr_t value;
};

// The references
static void ref_tgamma(Number& r, int, double x) { mpfr_gamma(r, Number(x), MPFR_RNDN); }
static void ref_lgamma(Number& r, int, double x) {
  int sign;
  mpfr_lgamma(r, &sign, Number(x), MPFR_RNDN);
}
static void ref_j0(Number& r, int, double x) { mpfr_j0(r, Number(x), MPFR_RNDN); }
static void ref_j1(Number& r, int, double x) { mpfr_j1(r, Number(x), MPFR_RNDN); }
static void ref_y0(Number& r, int, double x) { mpfr_y0(r, Number(x), MPFR_RNDN); }
static void ref_y1(Number& r, int, double x) { mpfr_y1(r, Number(x), MPFR_RNDN); }
static void ref_jn(Number& r, int n, double x) { n < 0 ? mpfr_set_nan(r) : (void)mpfr_jn(r, n, Number(x), MPFR_RNDN); }
static void ref_yn(Number& r, int n, double x) { n < 0 ? mpfr_set_nan(r) : (void)mpfr_yn(r, n, Number(x), MPFR_RNDN); }
static void ref_rcbrt(Number& r, int, double x) {
  mpfr_cbrt(r, Number(x), MPFR_RNDN);
  mpfr_ui_div(r, 1, r, MPFR_RNDN);
}
static void half_turns(Number& r, double x, bool cosine) {
  Number pi;
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_mul(r, Number(std::fmod(x, 2)), pi, MPFR_RNDN);
  cosine ? mpfr_cos(r, r, MPFR_RNDN) : mpfr_sin(r, r, MPFR_RNDN);
  if (std::fmod(2 * x, cosine ? 2 : 4) == (cosine ? 1 : 0) || (!cosine && std::isfinite(x) && std::trunc(x) == x))
    mpfr_set_d(r, 0, MPFR_RNDN);
}
static void ref_sinpi(Number& r, int, double x) { half_turns(r, x, false); }
static void ref_cospi(Number& r, int, double x) { half_turns(r, std::fabs(x), true); }
/// Halley's method on erf(r) = x, or on erfc(r) = x, from Winitzki's formula; q = (1 - erf) (1 + erf).
static void inverse(Number& r, bool complement, double x, double q) {
  const double l = std::log(q), t = 2 / (M_PI * 0.147) + l / 2;
  mpfr_set_d(r, std::copysign(std::sqrt(std::sqrt(t * t - l / 0.147) - t), complement ? 1 - x : x), MPFR_RNDN);
  Number want(x), f, e, scale;
  mpfr_const_pi(scale, MPFR_RNDN);
  mpfr_sqrt(scale, scale, MPFR_RNDN);
  mpfr_div_2ui(scale, scale, 1, MPFR_RNDN);
  for (int step = 0; step < 20; ++step) {
    complement ? mpfr_erfc(f, r, MPFR_RNDN) : mpfr_erf(f, r, MPFR_RNDN);
    complement ? mpfr_sub(f, want, f, MPFR_RNDN) : mpfr_sub(f, f, want, MPFR_RNDN);
    mpfr_sqr(e, r, MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    mpfr_mul(f, f, e, MPFR_RNDN);
    mpfr_mul(f, f, scale, MPFR_RNDN);
    mpfr_mul(e, f, r, MPFR_RNDN);
    mpfr_add_ui(e, e, 1, MPFR_RNDN);
    mpfr_div(f, f, e, MPFR_RNDN);
    mpfr_sub(r, r, f, MPFR_RNDN);
    if (mpfr_zero_p(f.value) || mpfr_get_exp(f) < mpfr_get_exp(r) - 90) return;
  }
}
static void ref_erfinv(Number& r, int, double x) {
  if (!(std::fabs(x) < 1)) return std::fabs(x) == 1 ? mpfr_set_inf(r, x > 0 ? 1 : -1) : mpfr_set_nan(r);
  inverse(r, false, x, (1 - x) * (1 + x));
}
static void ref_erfcinv(Number& r, int, double x) {
  if (!(x > 0 && x < 2)) return x == 0 || x == 2 ? mpfr_set_inf(r, x == 0 ? 1 : -1) : mpfr_set_nan(r);
  x == 1 ? (void)mpfr_set_d(r, 0, MPFR_RNDN) : inverse(r, true, x, x * (2 - x));
}

/// What is allowed of a function at (n, x): so many units in the last place of a correctly rounded result, or so large
/// an error. Denormal floats are zero on the chip. The bounds of docs/cuda.md; those of the programming guide are
/// wider.
struct Allowed {
  double ulp, absolute;
};
// function, units for floats and for doubles
#define BOUNDS(X) \
  X(tgamma, 4, 4) X(lgamma, 4, 3) X(erfinv, 3, 2) X(erfcinv, 3, 2) X(j0, 5, 4) X(j1, 4, 4) X(y0, 6, 5) X(y1, 4, 4)
// Errors of Bessel functions from 8, and of orders from 2
static const double kWave = kBits == 24 ? 1e-7 : 2e-16, kOrders = kBits == 24 ? 4e-7 : 1e-15;
static Allowed allowed_of(const char* name, int n, double x) {
  double ulp = 0;
#define BOUND(f, single, twice) \
  if (strcmp(name, #f) == 0) ulp = kBits == 24 ? single : twice;
  BOUNDS(BOUND)
  const bool has_zeros = strcmp(name, "lgamma") == 0 && x > -10.0011 && x < -2.2637;  // of negative arguments
  if (has_zeros) return {ulp, std::ldexp(1.0, -kBits)};
  if (name[0] == 'j' || name[0] == 'y') {
    if (name[1] == 'n' && n > 1) return std::fabs(x) < n ? Allowed{std::ceil(2 + 2.5 * n), 0} : Allowed{0, kOrders};
    if (name[1] == 'n') return allowed_of(name[0] == 'j' ? n == 0 ? "j0" : "j1" : n == 0 ? "y0" : "y1", n, x);
    return std::fabs(x) < 8 ? Allowed{ulp, 0} : Allowed{0, kWave};
  }
  return {ulp, 0};
}

static word state = 1;
static word next() {
  state ^= state << 13;
  state ^= state >> (kBits == 24 ? 17 : 7);
  return state ^= state << (kBits == 24 ? 5 : 17);
}
static real from_word(word bits) {
  real x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static real up_to(real range) {
  return (real)(next() >> (sizeof(word) * 8 - kBits)) * (range / std::ldexp((real)1, kBits));
}

/// First the neighbours of poles, of zeros and of what is special, then random numbers of many ranges.
static std::vector<real> arguments(int count, bool positive) {
  std::vector<real> points = {kTgammaOverflows,    kLgammaOverflows, Limits::infinity(),
                              Limits::quiet_NaN(), Limits::max(),    Limits::min()};
  const double limits[] = {0,      0.0253, 0.5, 0.95, 0.9999, 1,
                           1.9747, 2,      2.5, 3,    5,      8};  // of the polynomials, for the most part
  const double zeros[] = {2.404825557695773,  5.520078110286311,  8.653727912911013,  3.8317059702075125,
                          7.015586669815619,  0.8935769662791675, 3.957678419314858,  7.086051060301773,
                          2.197141326031017,  5.429681040794135,  -2.457024738220801, -2.747682646727413,
                          -3.143580888349980, -3.955294284858598};
  for (double limit : limits) points.push_back((real)limit);
  for (double zero : zeros) points.push_back((real)zero);
  for (int k = 1; k < (kBits == 24 ? 40 : 190); k += k < 30 ? 1 : 9) points.push_back(-k);
  std::vector<real> x;
  for (real point : points) {
    x.push_back(point);
    x.push_back(-point);
    real above = point, below = point;
    for (int k = 0; k < 4; ++k) {
      x.push_back(above = std::nextafter(above, Limits::infinity()));
      x.push_back(below = std::nextafter(below, -Limits::infinity()));
    }
  }
  const real ranges[] = {1, 3, 8, 40, 200};
  for (int k = 0; (int)x.size() < count; ++k) {
    const real tiny = std::ldexp(1 + up_to(1), -(int)(next() % (Limits::max_exponent + kBits)));
    const real choices[] = {
        from_word(next()),         tiny,     1 - tiny, 2 - tiny, up_to(ranges[k / 8 % 5]), up_to(ranges[k / 8 % 5]),
        -up_to(ranges[k / 8 % 5]), -up_to(1)};
    x.push_back(choices[k % 8]);
  }
  x.resize(count);
  for (real& v : x) {
    if (positive && v < 0) v = -v;
    if (kBits == 24 && std::fabs(v) < Limits::min()) v = std::copysign((real)0, v);
  }
  return x;
}

static int failures = 0;
static const char* kSuffix = kBits == 24 ? "f" : "";
static void judge(const char* name, const std::vector<int>& n, const std::vector<real>& x, const std::vector<real>& got,
                  void (*reference)(Number&, int, double)) {
  double worst_ulp = 0, worst_absolute = 0;
  int wrong = 0;
  for (unsigned k = 0; k < x.size(); ++k) {
    Number want, error;
    reference(want, n[k], x[k]);
    const Allowed bound = strncmp(name, "host", 4) == 0 ? Allowed{0.5, 0} : allowed_of(name, n[k], x[k]);
    const double value = mpfr_get_d(want, MPFR_RNDN);
    const real rounded = kBits == 24 ? (real)mpfr_get_flt(want, MPFR_RNDN) : (real)value;
    bool good;
    if (std::isnan(rounded) || std::isnan(got[k]))
      good = std::isnan(rounded) && std::isnan(got[k]);
    else if (std::isinf(rounded) || std::isinf(got[k]))
      good = got[k] == rounded || std::nextafter(got[k], 0) == rounded || std::nextafter(rounded, 0) == got[k];
    else {
      mpfr_sub_d(error, want, got[k], MPFR_RNDN);
      const double absolute = std::fabs(mpfr_get_d(error, MPFR_RNDN));
      const int exponent = std::max(value == 0 ? -5000 : std::ilogb(value) + 1, Limits::min_exponent);
      const double ulp = absolute / std::ldexp(1.0, std::max(exponent - kBits, -1074));
      const bool flushed = kBits == 24 && std::fabs(value) < Limits::min() && std::fabs(got[k]) <= Limits::min();
      good = flushed || ulp <= bound.ulp + 0.5 || absolute <= bound.absolute;
      if (!flushed && bound.ulp > 0 && absolute > bound.absolute)
        worst_ulp = std::max(worst_ulp, n[k] > 1 ? ulp / bound.ulp : ulp);
      if (!flushed && bound.absolute > 0) worst_absolute = std::max(worst_absolute, absolute);
    }
    if (!good && wrong++ < 5)
      printf("%s%s(%d, %.17g) is %.17g, not %.17g\n", name, kSuffix, n[k], (double)x[k], (double)got[k], value);
  }
  failures += wrong != 0;
  printf("%s%s: %.2f ulp, %.2g absolute\n", name, kSuffix, worst_ulp, worst_absolute);
}

/// Results that are exact, with the signs of their zeros.
struct Exact {
  const char* name;
  real x, want;
};
static const real kInfinity = Limits::infinity();
static const Exact kExact[] = {{"tgamma", 0, kInfinity},
                               {"tgamma", -(real)0, -kInfinity},
                               {"tgamma", 1, 1},
                               {"tgamma", 2, 1},
                               {"tgamma", (real)-200.5, -(real)0},
                               {"tgamma", (real)-201.5, 0},
                               {"lgamma", 1, 0},
                               {"lgamma", 2, 0},
                               {"lgamma", 0, kInfinity},
                               {"lgamma", -kInfinity, kInfinity},
                               {"lgamma", -7, kInfinity},
                               {"erfinv", 0, 0},
                               {"erfinv", -(real)0, -(real)0},
                               {"erfinv", 1, kInfinity},
                               {"erfinv", -1, -kInfinity},
                               {"erfcinv", 1, 0},
                               {"erfcinv", 0, kInfinity},
                               {"erfcinv", -(real)0, kInfinity},
                               {"erfcinv", 2, -kInfinity},
                               {"j0", 0, 1},
                               {"j0", kInfinity, 0},
                               {"j0", -kInfinity, 0},
                               {"j1", 0, 0},
                               {"j1", -(real)0, -(real)0},
                               {"j1", kInfinity, 0},
                               {"j1", -kInfinity, -(real)0},
                               {"y0", 0, -kInfinity},
                               {"y0", -(real)0, -kInfinity},
                               {"y0", kInfinity, 0},
                               {"y1", 0, -kInfinity},
                               {"y1", kInfinity, 0}};

int main(int count, char** values) {
  const word seed = count > 1 ? strtoull(values[1], nullptr, 0) : 1;
  state = seed * 2654435769u | 1;
  printf("seed %llu\n", (unsigned long long)seed);
  int* dn;
  real *dx, *dr;
  const int kMost = kBits == 24 ? 4096 : 3072, kFew = 1024;
  cudaMalloc(&dn, kMost * sizeof(int)), cudaMalloc(&dx, kMost * sizeof(real)), cudaMalloc(&dr, kMost * sizeof(real));
  const auto run = [&](void (*kernel)(const int*, const real*, real*), const std::vector<int>& n,
                       const std::vector<real>& x) {
    std::vector<real> r(x.size());
    cudaMemcpy(dn, n.data(), n.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), x.size() * sizeof(real), cudaMemcpyHostToDevice);
    kernel<<<x.size() / 128, 128>>>(dn, dx, dr);
    cudaMemcpy(r.data(), dr, r.size() * sizeof(real), cudaMemcpyDeviceToHost);
    return r;
  };
  std::vector<int> none(kMost);
#define RUN1(f)                                                                                    \
  {                                                                                                \
    const std::vector<real> x = arguments(kMost, false);                                           \
    judge(#f, none, x, run(k_##f, none, x), ref_##f);                                              \
    std::vector<real> exact(128);                                                                  \
    int used = 0;                                                                                  \
    for (const Exact& e : kExact)                                                                  \
      if (strcmp(e.name, #f) == 0) exact[used++] = e.x;                                            \
    const std::vector<real> got = run(k_##f, none, exact);                                         \
    used = 0;                                                                                      \
    for (const Exact& e : kExact) {                                                                \
      if (strcmp(e.name, #f) != 0) continue;                                                       \
      const real r = got[used++];                                                                  \
      if (r == e.want && std::signbit(r) == std::signbit(e.want)) continue;                        \
      printf("%s%s(%g) is %g, not %g\n", e.name, kSuffix, (double)e.x, (double)r, (double)e.want); \
      ++failures;                                                                                  \
    }                                                                                              \
  }
  ONE(RUN1)
#define RUN2(f)                                                                   \
  {                                                                               \
    std::vector<real> x = arguments(kMost, #f[0] == 'y');                         \
    std::vector<int> n(kFew);                                                     \
    const int orders[] = {-1, 0, 1, 2, 3, 5, 10, 128};                            \
    for (int k = 0; k < kFew; ++k) {                                              \
      x[k] = x[(long long)k * kMost / kFew + k % 3];                              \
      n[k] = k % 16 < 8 ? orders[k % 8] : k % 16 < 12 ? 128 : (int)(next() % 64); \
    }                                                                             \
    x.resize(kFew);                                                               \
    judge(#f, n, x, run(k_##f, n, x), ref_##f);                                   \
  }
  TWO(RUN2)
  // The host's own
  const std::vector<real> x = arguments(kMost, false);
  std::vector<real> r(kMost);
#define RUN_HOST(f)                                     \
  for (int k = 0; k < kMost; ++k) r[k] = NAME(f)(x[k]); \
  judge("host " #f, none, x, r, ref_##f);
  RUN_HOST(erfinv)
  RUN_HOST(erfcinv)
  RUN_HOST(rcbrt)
  RUN_HOST(sinpi)
  RUN_HOST(cospi)
  if (cudaGetLastError() != cudaSuccess) ++failures;
  printf(failures == 0 ? "PASSED\n" : "%d FAILED\n", failures);
  return failures != 0;
}
