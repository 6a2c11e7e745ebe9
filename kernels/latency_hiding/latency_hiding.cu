// Blocks that wait for their load at different instructions: while one warp waits, the others have something to do.
#include "../cuda_program.h"

#define MAX_STEPS 8

__host__ __device__ inline unsigned work(unsigned value, int steps) {
  for (int step = 0; step < MAX_STEPS; step++) {
    if (step < steps) value = value * 5 + 3;
  }
  return value;
}

__host__ __device__ inline int steps_before_use(int block) { return block % 3 == 0 ? 5 : block % 3 == 1 ? 1 : 7; }

__global__ void wait_for_load(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned loaded = in[i];                                         // asked for first,
  const unsigned own = work(threadIdx.x, steps_before_use(blockIdx.x));  // meanwhile something else,
  out[i] = loaded + own;                                                 // and here it must be there
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int blocks = program.argument("blocks", 3), threads = program.argument("threads", 64);
  RandomNumbers random(38);
  std::vector<unsigned> in(blocks * threads), want(blocks * threads);
  for (int i = 0; i < blocks * threads; ++i) {
    in[i] = random.next();
    want[i] = in[i] + work(i % threads, steps_before_use(i / threads));
  }
  DeviceArray<unsigned> device_in(in), out(in.size());
  wait_for_load<<<blocks, threads>>>(device_in.get(), out.get());
  CHECK_LAUNCH();
  program.result("out", out.read(), want);
  return program.finish();
}
