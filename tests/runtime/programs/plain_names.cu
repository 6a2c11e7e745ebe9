// The names without underscores that the toolkit's device functions have had since CUDA 1.0. Results are those of the names
// with underscores, or of arithmetic on the host.
#include <cstdio>

static unsigned failures = 0;
#define EXPECT(condition) \
  do {                    \
    if (!(condition)) ++failures, std::printf("%d: %s does not hold\n", __LINE__, #condition); \
  } while (0)

__global__ void integers(long long* out, int a, unsigned b, long long x, unsigned long long y) {
  out[0] = mulhi(a, a), out[1] = mulhi(b, b), out[2] = mulhi(a, b), out[3] = mulhi(b, a);
  out[4] = mul64hi(x, x), out[5] = (long long)mul64hi(y, y);
  out[6] = (long long)mul64hi(x, y), out[7] = (long long)mul64hi(y, x);
  out[8] = float_as_int(int_as_float(a)), out[9] = mul24(a, 3), out[10] = umul24(b, 3);
}

__global__ void roundings(float* out, float x, int n, unsigned u) {
  const cudaRoundMode modes[] = {cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    out[k] = float2int(x, modes[k]);
    out[4 + k] = float2uint(-x, modes[k]);
    out[8 + k] = int2float(n, modes[k]);
    out[12 + k] = uint2float(u, modes[k]);
  }
  out[16] = float2int(x), out[17] = float2uint(-x), out[18] = int2float(n), out[19] = uint2float(u);
  out[20] = saturate(x), out[21] = fdividef(x, 4.0f), out[22] = fdivide(x, 4.0f);
  // 2^126 < |y|: a division gives the quotient, __fdividef gives 0
  out[23] = fdividef(x * 1e38f, 1e38f);
}

__global__ void barriers(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  threadfence();
  threadfence(false);
  syncthreads();
  prof_trigger(2);
  out[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void ends(int* out) {
  if (threadIdx.x == 0) trap();
  if (threadIdx.x == 1) brkpt();
  out[threadIdx.x] = 1;
}

template <class T>
static void fetch(T* host, T* device, int count) {
  EXPECT(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
}

int main() {
  void* device = 0;
  EXPECT(cudaMalloc(&device, 512) == cudaSuccess);

  const int a = -123456789;
  const unsigned b = 0xf0000001u;
  const long long x = -0x123456789abcdefll;
  const unsigned long long y = 0xfedcba9876543210ull;
  long long n[11];
  integers<<<1, 1>>>((long long*)device, a, b, x, y);
  fetch(n, (long long*)device, 11);
  EXPECT(n[0] == (int)((long long)a * a >> 32) && n[1] == (long long)((unsigned long long)b * b >> 32));
  EXPECT(n[2] == (long long)((unsigned long long)(unsigned)a * b >> 32) && n[3] == n[2]);
  const unsigned __int128 product = (unsigned __int128)(unsigned long long)x * y;
  EXPECT(n[4] == (long long)((__int128)x * x >> 64) && (unsigned long long)n[5] == (unsigned long long)((unsigned __int128)y * y >> 64));
  EXPECT((unsigned long long)n[6] == (unsigned long long)(product >> 64) && n[7] == n[6]);
  EXPECT(n[8] == a && n[9] == (((a & 0xffffff) ^ 0x800000) - 0x800000) * 3 && n[10] == (long long)((b & 0xffffffu) * 3));

  // 2^24 + 1 and 2^32 - 1 are between two floats.
  float f[24];
  roundings<<<1, 1>>>((float*)device, -2.75f, 16777217, 0xffffffffu);
  fetch(f, (float*)device, 24);
  const float expected[] = {-3, -2, -2, -3, 3, 2, 3, 2, 16777216, 16777216, 16777218, 16777216,
                            4294967296.0f, 4294967040.0f, 4294967296.0f, 4294967040.0f,
                            -2, 2, 16777216, 4294967296.0f, 0, -0.6875f, -0.6875f};
  for (int k = 0; k < 23; ++k) {
    if (f[k] != expected[k]) ++failures, std::printf("rounding %d is %.9g instead of %.9g\n", k, f[k], expected[k]);
  }
  EXPECT(f[23] < -2.749f && f[23] > -2.751f);

  int t[64];
  barriers<<<1, 64>>>((int*)device);
  fetch(t, (int*)device, 64);
  for (int k = 0; k < 64; ++k) EXPECT(t[k] == 63 - k);

  ends<<<1, 32>>>((int*)device);
  EXPECT(cudaThreadSynchronize() == cudaErrorLaunchFailure);
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
