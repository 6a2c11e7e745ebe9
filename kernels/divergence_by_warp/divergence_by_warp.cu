// A decision on warp boundaries: no warp runs both sides.
#include "../cuda_program.h"

#define WARP_SIZE 32

__host__ __device__ inline bool other_side(int thread) { return thread / WARP_SIZE > 2; }

__global__ void sides(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (other_side(threadIdx.x)) {
    out[i] = in[i] * 3 + 1;
  } else {
    out[i] = (in[i] >> 1) - 7;
  }
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int blocks = program.argument("blocks", 2), threads = program.argument("threads", 256);
  RandomNumbers random(24);
  std::vector<int> in(blocks * threads), want(blocks * threads);
  for (int i = 0; i < blocks * threads; ++i) {
    in[i] = static_cast<int>(random.next() % 2000000) - 1000000;
    want[i] = other_side(i % threads) ? in[i] * 3 + 1 : (in[i] >> 1) - 7;
  }
  DeviceArray<int> device_in(in), out(in.size());
  sides<<<blocks, threads>>>(device_in.get(), out.get());
  CHECK_LAUNCH();
  program.result("out", out.read(), want);
  return program.finish();
}
