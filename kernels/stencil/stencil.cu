// Heat in a plate: repeated five-point averages, each block with its tile and margin in shared memory.
#include "../cuda_program.h"

#define TILE 16

__global__ void step(float* out, const float* in, int width, int height) {
  __shared__ float tile[TILE + 2][TILE + 2];
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int left = x > 0 ? x - 1 : 0, right = x < width - 1 ? x + 1 : width - 1;
  const int above = y > 0 ? y - 1 : 0, below = y < height - 1 ? y + 1 : height - 1;
  tile[ty][tx] = in[y * width + x];
  if (threadIdx.x == 0) tile[ty][0] = in[y * width + left];
  if (threadIdx.x == TILE - 1) tile[ty][TILE + 1] = in[y * width + right];
  if (threadIdx.y == 0) tile[0][tx] = in[above * width + x];
  if (threadIdx.y == TILE - 1) tile[TILE + 1][tx] = in[below * width + x];
  __syncthreads();
  const float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
  out[y * width + x] = 0.5f * tile[ty][tx] + 0.125f * around;
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int width = TILE * program.argument("tiles_x", 3), height = TILE * program.argument("tiles_y", 2);
  const int steps = program.argument("steps", 5);
  RandomNumbers random(9);
  std::vector<float> plate(width * height);
  for (std::size_t i = 0; i < plate.size(); ++i) plate[i] = random.uniform(0, 100);
  DeviceArray<float> a(plate), b(plate.size());
  for (int s = 0; s < steps; ++s) {
    step<<<dim3(width / TILE, height / TILE), dim3(TILE, TILE)>>>(s % 2 == 0 ? b.get() : a.get(), s % 2 == 0 ? a.get() : b.get(), width, height);
  }
  CHECK_LAUNCH();
  std::vector<float> next(plate.size());
  for (int s = 0; s < steps; ++s) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const int left = x > 0 ? x - 1 : 0, right = x < width - 1 ? x + 1 : width - 1;
        const int above = y > 0 ? y - 1 : 0, below = y < height - 1 ? y + 1 : height - 1;
        const float around = plate[y * width + left] + plate[y * width + right] + plate[above * width + x] + plate[below * width + x];
        const float mine = 0.5f * plate[y * width + x], theirs = 0.125f * around;
        next[y * width + x] = mine + theirs;
      }
    }
    plate.swap(next);
  }
  program.result("plate", steps % 2 == 0 ? a.read() : b.read(), plate);
  return program.finish();
}
