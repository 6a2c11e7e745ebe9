// Transposes a matrix whose rows are 2 KB, a whole round of 8 partitions of 256 bytes: blocks in the order of rows write columns
// that lie in one partition, blocks along diagonals spread over all. Prints how many times longer the first takes.
#include <cstdio>
#include <vector>

#define TILE 32
#define ROWS 8
#define WIDTH 512

template <bool kDiagonal>
__device__ void transpose(float* out, const float* in) {
  __shared__ float tile[TILE][TILE + 1];
  const int block_y = kDiagonal ? blockIdx.x : blockIdx.y;
  const int block_x = kDiagonal ? (blockIdx.x + blockIdx.y) % gridDim.x : blockIdx.x;
  int x = block_x * TILE + threadIdx.x, y = block_y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * WIDTH + x];
  __syncthreads();
  x = block_y * TILE + threadIdx.x, y = block_x * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) out[(y + i) * WIDTH + x] = tile[threadIdx.x][threadIdx.y + i];
}
__global__ void by_rows(float* out, const float* in) { transpose<false>(out, in); }
__global__ void by_diagonals(float* out, const float* in) { transpose<true>(out, in); }

int main() {
  std::vector<float> in(WIDTH * WIDTH), seen(WIDTH * WIDTH);
  for (int i = 0; i < WIDTH * WIDTH; ++i) in[i] = static_cast<float>(i);
  const size_t bytes = in.size() * sizeof(float);
  float *device_in, *device_out, ms[2];
  cudaMalloc((void**)&device_in, bytes);
  cudaMalloc((void**)&device_out, bytes);
  cudaMemcpy(device_in, in.data(), bytes, cudaMemcpyHostToDevice);
  for (int diagonal = 0; diagonal < 2; ++diagonal) {
    cudaEvent_t start, end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaMemset(device_out, 0, bytes);
    const dim3 grid(WIDTH / TILE, WIDTH / TILE), block(TILE, ROWS);
    cudaEventRecord(start, 0);
    if (diagonal) {
      by_diagonals<<<grid, block>>>(device_out, device_in);
    } else {
      by_rows<<<grid, block>>>(device_out, device_in);
    }
    cudaEventRecord(end, 0);
    if (cudaEventSynchronize(end) != cudaSuccess) return 1;
    cudaEventElapsedTime(&ms[diagonal], start, end);
    cudaMemcpy(seen.data(), device_out, bytes, cudaMemcpyDeviceToHost);
    for (int y = 0; y < WIDTH; ++y) {
      for (int x = 0; x < WIDTH; ++x) {
        if (seen[x * WIDTH + y] != in[y * WIDTH + x]) return 2;
      }
    }
  }
  std::printf("%.3f\n", ms[0] / ms[1]);
  return 0;
}
