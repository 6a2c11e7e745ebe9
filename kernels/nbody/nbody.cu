// Gravity of all bodies on each, with the bodies' positions passing through shared memory a block at a time.
#include "../cuda_program.h"

#define BLOCK 64
#define SOFTENING 0.01f

__global__ void accelerations(float4* acceleration, const float4* position, int n) {
  __shared__ float4 others[BLOCK];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const float4 me = position[i];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += BLOCK) {
    others[threadIdx.x] = position[start + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < BLOCK; ++j) {
      const float dx = others[j].x - me.x, dy = others[j].y - me.y, dz = others[j].z - me.z;
      const float squared = dx * dx + dy * dy + dz * dz + SOFTENING;
      const float inverse = rsqrtf(squared);
      const float force = others[j].w * inverse * inverse * inverse;
      ax += force * dx;
      ay += force * dy;
      az += force * dz;
    }
    __syncthreads();
  }
  acceleration[i] = make_float4(ax, ay, az, 0);
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int n = BLOCK * program.argument("blocks", 2);
  RandomNumbers random(7);
  std::vector<float4> position(n);
  for (int i = 0; i < n; ++i) {
    position[i].x = random.uniform(-1, 1);
    position[i].y = random.uniform(-1, 1);
    position[i].z = random.uniform(-1, 1);
    position[i].w = random.uniform(0.5f, 1);
  }
  DeviceArray<float4> device_position(position), device_acceleration(n);
  accelerations<<<n / BLOCK, BLOCK>>>(device_acceleration.get(), device_position.get(), n);
  CHECK_LAUNCH();
  const std::vector<float4> got = device_acceleration.read();

  // Sums cancel, so the error is measured against the sum of the forces' sizes, not of the result.
  std::vector<float> scaled_got(3 * n), scaled_want(3 * n);
  for (int i = 0; i < n; ++i) {
    double sum[3] = {0, 0, 0}, size = 0;
    for (int j = 0; j < n; ++j) {
      const double d[3] = {double(position[j].x) - position[i].x, double(position[j].y) - position[i].y, double(position[j].z) - position[i].z};
      const double squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + double(SOFTENING);
      const double force = position[j].w / (squared * std::sqrt(squared));
      for (int k = 0; k < 3; ++k) sum[k] += force * d[k];
      size += force * std::sqrt(squared);
    }
    const float values[3] = {got[i].x, got[i].y, got[i].z};
    for (int k = 0; k < 3; ++k) {
      scaled_got[3 * i + k] = static_cast<float>(1 + values[k] / size);
      scaled_want[3 * i + k] = static_cast<float>(1 + sum[k] / size);
    }
  }
  program.result("accelerations", scaled_got, scaled_want, 24);
  return program.finish();
}
