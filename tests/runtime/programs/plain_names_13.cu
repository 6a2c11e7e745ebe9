// Names without underscores that need compute capability 1.2 and 1.3.
#include <cstdio>

static unsigned failures = 0;
#define EXPECT(condition) \
  do {                    \
    if (!(condition)) ++failures, std::printf("%d: %s does not hold\n", __LINE__, #condition); \
  } while (0)

__global__ void votes(int* out) {
  out[threadIdx.x] = any(threadIdx.x == 35) + 2 * all(threadIdx.x < 64) + 4 * all(threadIdx.x < 63);
}

__global__ void doubles(double* out, double x, long long n) {
  const cudaRoundMode modes[] = {cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    out[k] = double2int(x, modes[k]), out[4 + k] = double2uint(-x, modes[k]);
    out[8 + k] = double2ll(x, modes[k]), out[12 + k] = double2ull(-x, modes[k]);
    out[16 + k] = ll2double(n, modes[k]), out[20 + k] = ull2double(n, modes[k]);
    // 1 + 2^-60 is between two doubles.
    out[24 + k] = dadd(1.0, 1.0 / (1ll << 60), modes[k]) - 1.0;
    out[28 + k] = dmul(1.0 + 1.0 / (1ll << 40), 1.0 + 1.0 / (1ll << 40), modes[k]) - (1.0 + 1.0 / (1ll << 39));
    out[32 + k] = fma(1.0, 1.0, 1.0 / (1ll << 60), modes[k]) - 1.0;
  }
  out[36] = double2int(x), out[37] = dadd(x, 1.0), out[38] = dmul(x, 2.0);
  out[39] = int2double(-3) + uint2double(4u) + float2double(0.5f);
}

int main() {
  void* device = 0;
  EXPECT(cudaMalloc(&device, 512) == cudaSuccess);
  int v[64];
  votes<<<1, 64>>>((int*)device);
  EXPECT(cudaMemcpy(v, device, sizeof v, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int k = 0; k < 64; ++k) EXPECT(v[k] == (k < 32 ? 2 + 4 : 1 + 2));

  double f[40];
  const double step = 1.0 / (1ll << 52), two54 = (double)(1ll << 54);
  doubles<<<1, 1>>>((double*)device, -2.75, (1ll << 54) + 1);
  EXPECT(cudaMemcpy(f, device, sizeof f, cudaMemcpyDeviceToHost) == cudaSuccess);
  const double expected[] = {-3, -2, -2, -3, 3, 2, 3, 2, -3, -2, -2, -3, 3, 2, 3, 2, two54, two54, two54 + 4, two54,
                             two54, two54, two54 + 4, two54, 0, 0, step, 0, 0, 0, step, 0, 0, 0, step, 0,
                             -2, -1.75, -5.5, 1.5};
  for (int k = 0; k < 40; ++k) {
    if (f[k] != expected[k]) ++failures, std::printf("%d is %.17g instead of %.17g\n", k, f[k], expected[k]);
  }
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
