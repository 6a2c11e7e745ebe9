#include <math.h>
#include <stdio.h>

extern "C" double norm_of(const float* values, int n);

__global__ void squares(float* sum, const float* values) {
  __shared__ float part[128];
  const unsigned t = threadIdx.x;
  part[t] = values[t] * values[t];
  for (unsigned half = 64; half != 0; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half];
  }
  if (t == 0) *sum = sqrtf(part[0]);
}

int main() {
  float values[128], *device, *sum, result;
  for (int i = 0; i < 128; ++i) values[i] = i % 5;
  cudaMalloc((void**)&device, sizeof values);
  cudaMalloc((void**)&sum, sizeof(float));
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  squares<<<1, 128>>>(sum, device);
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  const double wanted = norm_of(values, 128);
  printf("%s\n", fabs(result - wanted) < 1e-5 * wanted ? "norm agrees" : "norm differs");
}
