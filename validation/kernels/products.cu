// The products of Ryoo et al., PPoPP 2008, with tiles in shared memory: one element of C a thread, blocks of 16 x 16. All
// matrices are stored by rows of `pitch` elements; `steps` is the length of the inner product.

#define TILE 16

// The inner loop is unrolled `kUnroll` times.
template <int kUnroll>
__device__ __forceinline__ void product_of_tiles(float* c, const float* a, const float* b, int pitch, int steps) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < steps; start += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * pitch + start + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * pitch + column];
    __syncthreads();
#pragma unroll kUnroll
    for (int k = 0; k < TILE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * pitch + column] = sum;
}

extern "C" __global__ void tiled(float* c, const float* a, const float* b, int pitch, int steps) {
  product_of_tiles<1>(c, a, b, pitch, steps);
}

extern "C" __global__ void unrolled(float* c, const float* a, const float* b, int pitch, int steps) {
  product_of_tiles<TILE>(c, a, b, pitch, steps);
}

extern "C" __global__ void prefetched(float* c, const float* a, const float* b, int pitch, int steps) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  float next_a = a[row * pitch + threadIdx.x], next_b = b[threadIdx.y * pitch + column];
  for (int start = TILE; start <= steps; start += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = next_a;
    tile_b[threadIdx.y][threadIdx.x] = next_b;
    __syncthreads();
    if (start < steps) {
      next_a = a[row * pitch + start + threadIdx.x];
      next_b = b[(start + threadIdx.y) * pitch + column];
    }
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * pitch + column] = sum;
}
