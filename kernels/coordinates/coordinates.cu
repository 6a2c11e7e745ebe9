// Every thread writes the coordinates it was given: 2 x 2 blocks of 4 x 2 x 2 threads, 64 different tuples.
#include "../cuda_program.h"

#define FIELDS 5

__global__ void coordinates(int* out) {
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  int* mine = out + FIELDS * (block * (blockDim.x * blockDim.y * blockDim.z) + thread);
  mine[0] = blockIdx.x;
  mine[1] = blockIdx.y;
  mine[2] = threadIdx.x;
  mine[3] = threadIdx.y;
  mine[4] = threadIdx.z;
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const dim3 grid(2, 2), block(4, 2, 2);
  const int count = grid.x * grid.y * block.x * block.y * block.z;
  DeviceArray<int> out(FIELDS * count);
  coordinates<<<grid, block>>>(out.get());
  CHECK_LAUNCH();
  std::vector<int> want;
  for (unsigned by = 0; by < grid.y; ++by)
    for (unsigned bx = 0; bx < grid.x; ++bx)
      for (unsigned z = 0; z < block.z; ++z)
        for (unsigned y = 0; y < block.y; ++y)
          for (unsigned x = 0; x < block.x; ++x) {
            const unsigned tuple[FIELDS] = {bx, by, x, y, z};
            want.insert(want.end(), tuple, tuple + FIELDS);
          }
  program.result("coordinates", out.read(), want);
  return program.finish();
}
