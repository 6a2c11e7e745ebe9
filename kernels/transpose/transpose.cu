// Transposes a matrix four ways: straight (one side uncoalesced), through a tile of shared memory (bank conflicts), with
// a padded tile (none), and with blocks taken along diagonals (spread over the memory partitions).
#include "../cuda_program.h"

#define TILE 16

__global__ void transpose_naive(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  out[x * height + y] = in[y * width + x];
}

__global__ void transpose_tiled(float* out, const float* in, int width, int height) {
  __shared__ float tile[TILE][TILE];
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int out_x = blockIdx.y * TILE + threadIdx.x, out_y = blockIdx.x * TILE + threadIdx.y;
  out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_padded(float* out, const float* in, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int out_x = blockIdx.y * TILE + threadIdx.x, out_y = blockIdx.x * TILE + threadIdx.y;
  out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_diagonal(float* out, const float* in, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  const int number = blockIdx.x + gridDim.x * blockIdx.y;
  const int block_y = number % gridDim.y;
  const int block_x = (number / gridDim.y + block_y) % gridDim.x;
  const int x = block_x * TILE + threadIdx.x, y = block_y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int out_x = block_y * TILE + threadIdx.x, out_y = block_x * TILE + threadIdx.y;
  out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int width = TILE * program.argument("tiles_x", 4), height = TILE * program.argument("tiles_y", 3);
  std::vector<float> in(width * height), want(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) want[x * height + y] = in[y * width + x] = static_cast<float>(y * width + x);
  typedef void (*Kernel)(float*, const float*, int, int);
  const struct {
    const char* name;
    Kernel kernel;
  } variants[] = {{"naive", transpose_naive}, {"tiled", transpose_tiled}, {"padded", transpose_padded}, {"diagonal", transpose_diagonal}};
  DeviceArray<float> device_in(in), device_out(in.size());
  for (int v = 0; v < 4; ++v) {
    device_out.clear();
    variants[v].kernel<<<dim3(width / TILE, height / TILE), dim3(TILE, TILE)>>>(device_out.get(), device_in.get(), width, height);
    CHECK_LAUNCH();
    program.result(variants[v].name, device_out.read(), want);
  }
  return program.finish();
}
