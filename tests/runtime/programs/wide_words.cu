// 64-bit operations on 32-bit words that are extended, and conversions from integers with every rounding, against the
// host. Below sm_13 what needs no double precision, below sm_12 no atomic operations.
#include <cfenv>
#include <cstdio>
#include <cstring>

static int wrong = 0;
static void expect(const char* what, unsigned long long expected, unsigned long long actual) {
  if (expected == actual) return;
  ++wrong;
  std::printf("%s: %llx instead of %llx\n", what, actual, expected);
}
template <class To, class From>
static To bits(From x) {
  To to;
  std::memcpy(&to, &x, sizeof to);
  return to;
}

#if ARCH >= 120
__global__ void atomics(unsigned long long* sums, const unsigned* a, const int* b) {
  const int t = threadIdx.x;
  atomicAdd(sums, (unsigned long long)a[t]);
  atomicAdd(sums + 1, (unsigned long long)(long long)b[t]);
  atomicAdd(sums + 2, 1ull);
  atomicCAS(sums + 3, 0ull, (unsigned long long)a[0]);
  if (t == 0) sums[5] = atomicExch(sums + 4, (unsigned long long)a[1]);
}
#endif

__global__ void extended(float* f, unsigned long long* w, const unsigned* a, const int* b) {
  const int t = threadIdx.x;
  f[4 * t] = __ull2float_rn((unsigned long long)a[t]);
  f[4 * t + 1] = __ll2float_rn((long long)a[t]);
  f[4 * t + 2] = __ll2float_rn((long long)b[t]);
  f[4 * t + 3] = __ull2float_rz((unsigned long long)a[t] << 8);
  w[t] = __umul64hi(a[t], 12345678901234567ull) + __mul64hi(b[t], a[t]);
}

#define ROUNDED(X) X(rn, FE_TONEAREST) X(rz, FE_TOWARDZERO) X(ru, FE_UPWARD) X(rd, FE_DOWNWARD)
#define SINGLE(mode, unused)                                     \
  __global__ void single_##mode(float* f, const long long* x) {  \
    const int t = threadIdx.x;                                   \
    f[4 * t] = __int2float_##mode((int)x[t]);                    \
    f[4 * t + 1] = __uint2float_##mode((unsigned)x[t]);          \
    f[4 * t + 2] = __ll2float_##mode(x[t]);                      \
    f[4 * t + 3] = __ull2float_##mode((unsigned long long)x[t]); \
  }
ROUNDED(SINGLE)
#if ARCH >= 130
#define DOUBLE(mode, unused)                                      \
  __global__ void double_##mode(double* d, const long long* x) {  \
    const int t = threadIdx.x;                                    \
    d[2 * t] = __ll2double_##mode(x[t]);                          \
    d[2 * t + 1] = __ull2double_##mode((unsigned long long)x[t]); \
  }
ROUNDED(DOUBLE)
__global__ void extended_double(double* d, unsigned long long* w, const unsigned* a, const int* b) {
  const int t = threadIdx.x;
  d[3 * t] = __ull2double_rn((unsigned long long)a[t]);
  d[3 * t + 1] = __ll2double_rn((long long)a[t]);
  d[3 * t + 2] = __ll2double_rn((long long)b[t]);
  w[t] = __double2ull_rz((double)(unsigned long long)a[t]);
}
/// A float made a double is no longer one: denormal numbers count.
__global__ void widened(double* d, const float* f) {
  const double x = f[threadIdx.x];
  double* const out = d + 4 * threadIdx.x;
  out[0] = ceil(x);
  out[1] = floor(x);
  out[2] = x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
  out[3] = (float)(x + x);
}
#endif

constexpr int kThreads = 16;
static const long long kNumbers[kThreads] = {0,
                                             1,
                                             -1,
                                             0x1000001,
                                             -0x1000001,
                                             0x1000003,
                                             0x7fffffff,
                                             0x80000001ll,
                                             0xffffffffll,
                                             0x123456789abcdefll,
                                             -0x123456789abcdefll,
                                             0x7fffffffffffffffll,
                                             -0x7fffffffffffffffll,
                                             0x20000000000001ll,
                                             0x20000000000003ll,
                                             0x80000180000001ll};

template <class T>
static T* upload(const T* values, int count) {
  T* device;
  cudaMalloc((void**)&device, count * sizeof(T));
  cudaMemcpy(device, values, count * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T>
struct Results {
  explicit Results(int count) : bytes(count * sizeof(T)), host(new T[count]) {
    cudaMalloc((void**)&device, bytes);
    cudaMemset(device, 0, bytes);
  }
  const T* get() {
    cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    return host;
  }
  size_t bytes;
  T *host, *device;
};
/// The host converts in the mode that fesetround has set, where its compiler does not do so before.
template <class To, class From>
__attribute__((noinline)) To converted(volatile From x) {
  return (To)x;
}

int main() {
  unsigned a[kThreads];
  int b[kThreads];
  for (int t = 0; t < kThreads; ++t) a[t] = (unsigned)kNumbers[t], b[t] = (int)kNumbers[t];
  const unsigned* const da = upload(a, kThreads);
  const int* const db = upload(b, kThreads);
  const long long* const numbers = upload(kNumbers, kThreads);
#if ARCH >= 120
  Results<unsigned long long> sums(6);
  atomics<<<1, kThreads>>>(sums.device, da, db);
  unsigned long long words = 0, integers = 0;
  for (int t = 0; t < kThreads; ++t) words += a[t], integers += (long long)b[t];
  const unsigned long long* const s = sums.get();
  expect("sum of words", words, s[0]);
  expect("sum of integers", integers, s[1]);
  expect("count", kThreads, s[2]);
  expect("compare and swap", a[0], s[3]);
  expect("exchange", a[1], s[4]);
  expect("exchanged", 0, s[5]);
#endif
  Results<float> f(4 * kThreads);
  Results<unsigned long long> w(kThreads);
  extended<<<1, kThreads>>>(f.device, w.device, da, db);
  for (int t = 0; t < kThreads; ++t) {
    const float* const r = f.get() + 4 * t;
    expect("float of a word", bits<unsigned>((float)a[t]), bits<unsigned>(r[0]));
    expect("float of a word as long long", bits<unsigned>((float)a[t]), bits<unsigned>(r[1]));
    expect("float of an integer", bits<unsigned>((float)b[t]), bits<unsigned>(r[2]));
    fesetround(FE_TOWARDZERO);
    expect("float of a shifted word", bits<unsigned>(converted<float>((unsigned long long)a[t] << 8)),
           bits<unsigned>(r[3]));
    fesetround(FE_TONEAREST);
    const unsigned __int128 product = (unsigned __int128)a[t] * 12345678901234567ull;
    expect("high product", (unsigned long long)(product >> 64) + (unsigned long long)(((__int128)b[t] * a[t]) >> 64),
           w.get()[t]);
  }
#define CHECK_SINGLE(mode, round)                                                                                  \
  single_##mode<<<1, kThreads>>>(f.device, numbers);                                                               \
  f.get();                                                                                                         \
  fesetround(round);                                                                                               \
  for (int t = 0; t < kThreads; ++t) {                                                                             \
    const long long x = kNumbers[t];                                                                               \
    expect("int2float_" #mode, bits<unsigned>(converted<float>((int)x)), bits<unsigned>(f.host[4 * t]));           \
    expect("uint2float_" #mode, bits<unsigned>(converted<float>((unsigned)x)), bits<unsigned>(f.host[4 * t + 1])); \
    expect("ll2float_" #mode, bits<unsigned>(converted<float>(x)), bits<unsigned>(f.host[4 * t + 2]));             \
    expect("ull2float_" #mode, bits<unsigned>(converted<float>((unsigned long long)x)),                            \
           bits<unsigned>(f.host[4 * t + 3]));                                                                     \
  }                                                                                                                \
  fesetround(FE_TONEAREST);
  ROUNDED(CHECK_SINGLE)
#if ARCH >= 130
  Results<double> d(4 * kThreads);
#define CHECK_DOUBLE(mode, round)                                                                                \
  double_##mode<<<1, kThreads>>>(d.device, numbers);                                                             \
  d.get();                                                                                                       \
  fesetround(round);                                                                                             \
  for (int t = 0; t < kThreads; ++t) {                                                                           \
    const long long x = kNumbers[t];                                                                             \
    expect("ll2double_" #mode, bits<unsigned long long>(converted<double>(x)),                                   \
           bits<unsigned long long>(d.host[2 * t]));                                                             \
    expect("ull2double_" #mode, bits<unsigned long long>(converted<double>((long double)(unsigned long long)x)), \
           bits<unsigned long long>(d.host[2 * t + 1]));                                                         \
  }                                                                                                              \
  fesetround(FE_TONEAREST);
  ROUNDED(CHECK_DOUBLE)
  extended_double<<<1, kThreads>>>(d.device, w.device, da, db);
  d.get(), w.get();
  for (int t = 0; t < kThreads; ++t) {
    expect("double of a word", bits<unsigned long long>((double)a[t]), bits<unsigned long long>(d.host[3 * t]));
    expect("double of a word as long long", bits<unsigned long long>((double)a[t]),
           bits<unsigned long long>(d.host[3 * t + 1]));
    expect("double of an integer", bits<unsigned long long>((double)b[t]), bits<unsigned long long>(d.host[3 * t + 2]));
    expect("word of its double", a[t], w.host[t]);
  }
  const float small[] = {1e-40f, -1e-40f, 0.5f, -0.0f};
  widened<<<1, 4>>>(d.device, upload(small, 4));
  d.get();
  const double expected[] = {1,    0, 1,   2 * (double)1e-40f, -0.0, -1, -1, -2 * (double)1e-40f, 1, 0, 1, 1, -0.0,
                             -0.0, 0, -0.0};
  for (int k = 0; k < 16; ++k)
    expect("ceil, floor, sign and double of a float", bits<unsigned long long>(expected[k]),
           bits<unsigned long long>(d.host[k]));
#endif
  if (cudaThreadSynchronize() != cudaSuccess || wrong != 0) return 1;
  std::printf("PASSED\n");
  return 0;
}
