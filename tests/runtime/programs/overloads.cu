// Which function a name means, for every mixture of argument types: unmodified programs rely on it.
#include <cmath>
#include <cstdio>

__global__ void k(const float* f, const int* n, float* r) {
  r[0] = pow(f[0], 2);
  r[1] = pow(f[0], 0.5);
  r[2] = std::pow(n[0], f[0]);
  r[3] = sqrt(n[1]);
  r[4] = std::sqrt(f[1]) + sqrtf(f[1]);
  r[5] = fabs(f[2]) + std::fabs(f[2]) + abs(f[2]) + abs(n[2]);
  r[6] = max(n[0], 7) + min(3u, 4u) + max(f[0], 1.0) + fmaxf(f[2], 0);
  r[7] = atan2(f[0], n[0]) * 1.0e3 / 1000;
  r[8] = floor(f[3]) + std::ceil(f[3]) + round(f[3]) + rint(f[3]);
  r[9] = fmod(f[3], 2) + std::fmod(f[3], 2.0f);
  r[10] = exp(n[3]) + log(n[4]) + std::exp(0.0f);
  double d = f[0];
  d = d * 0.5 + pow(d, 2.0);
  r[11] = d;
  int e;
  r[12] = frexp(f[3], &e) + e + ldexp(f[0], 2);
  r[14] = tgamma(n[0] + 3) + std::tgamma(f[0]) + lgamma(n[4]) + std::lgamma(2.0);
  r[15] = j0(n[3]) + j1(f[0] - 4) + jn(n[0], 0.0) + jn(0, f[2] + 3) + erfinv(n[3]) + erfcinv(1.0f) + 4 * (yn(n[0], f[0]) > 0.2) + 8 * (y0(f[1]) + y1(d) < 1);
  int q;
  r[16] = std::scalbln(f[0], 2L) + scalbln(2.0, -1L) + std::remquo(f[1], f[0], &q) + q + remquo(7.0, 4.0, &q) + q + 8 * isnan(nan("") + nanf("1"));
  r[13] = isnan(f[0]) + 2 * std::isinf(f[0]) + 4 * signbit(f[2]);
}

int main() {
  const float f[4] = {4, 9, -3, 5.5f};
  const int n[5] = {2, 16, -5, 0, 1};
  float *df, *dr, r[17];
  int* dn;
  cudaMalloc(&df, sizeof f), cudaMalloc(&dn, sizeof n), cudaMalloc(&dr, sizeof r);
  cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice);
  cudaMemcpy(dn, n, sizeof n, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(df, dn, dr);
  cudaMemcpy(r, dr, sizeof r, cudaMemcpyDeviceToHost);
  const double want[17] = {16, 2, 16, 4, 6, 14, 14, atan2(4.0, 2.0), 5 + 6 + 6 + 6, 3, 2, 18, 0.6875 + 3 + 16, 4, 24 + 6, 2 + 4 + 8, 16 + 1 + 1 + 2 - 1 + 2 + 8};
  int failures = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < 17; ++i) {
    if (std::fabs(r[i] - want[i]) <= 4e-7 * std::fabs(want[i])) continue;
    printf("%d: %.9g, expected %.9g\n", i, r[i], want[i]);
    ++failures;
  }
  printf(failures == 0 ? "PASSED\n" : "FAILED\n");
  return failures != 0;
}
