// Programs whose times were published, as their authors printed them; validation/published_rows.cpp launches them.

// Copies and transposes of Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009: blocks of 32 x 8.
#define TILE_DIM 32
#define BLOCK_ROWS 8
extern "C" __global__ void copy_tiles(float* odata, float* idata, int width) {
  int index = blockIdx.x * TILE_DIM + threadIdx.x + width * (blockIdx.y * TILE_DIM + threadIdx.y);
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) odata[index + i * width] = idata[index + i * width];
}

__device__ void through_tile(float* odata, float* idata, int width, int x, int y, bool transposed) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int index_in = x * TILE_DIM + threadIdx.x + (y * TILE_DIM + threadIdx.y) * width;
  int index_out = transposed ? y * TILE_DIM + threadIdx.x + (x * TILE_DIM + threadIdx.y) * width : index_in;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
  __syncthreads();
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
    odata[index_out + i * width] = transposed ? tile[threadIdx.x][threadIdx.y + i] : tile[threadIdx.y + i][threadIdx.x];
}
extern "C" __global__ void copy_shared(float* odata, float* idata, int width) {
  through_tile(odata, idata, width, blockIdx.x, blockIdx.y, false);
}
extern "C" __global__ void transpose_rows(float* odata, float* idata, int width) {
  through_tile(odata, idata, width, blockIdx.x, blockIdx.y, true);
}
extern "C" __global__ void transpose_diagonal(float* odata, float* idata, int width) {
  through_tile(odata, idata, width, (blockIdx.x + blockIdx.y) % gridDim.x, blockIdx.x, true);
}

// Of NVIDIA's tutorials of 2007 and 2008: blocks of 16 x 16, and 256 float3.
extern "C" __global__ void transpose_naive(float* odata, float* idata, unsigned width, unsigned height) {
  unsigned x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x < width && y < height) odata[y + height * x] = idata[x + width * y];
}
extern "C" __global__ void transpose_padded(float* odata, float* idata, unsigned width, unsigned height) {
  __shared__ float block[16][17];
  unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) block[threadIdx.y][threadIdx.x] = idata[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) odata[y * height + x] = block[threadIdx.x][threadIdx.y];
}
extern "C" __global__ void float3_shared(float* g_out, float* g_in) {
  int index = 3 * blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float s_data[256 * 3];
  for (int i = 0; i < 768; i += 256) s_data[threadIdx.x + i] = g_in[index + i];
  __syncthreads();
  float3 a = ((float3*)s_data)[threadIdx.x];
  a.x += 2, a.y += 2, a.z += 2;
  ((float3*)s_data)[threadIdx.x] = a;
  __syncthreads();
  for (int i = 0; i < 768; i += 256) g_out[index + i] = s_data[threadIdx.x + i];
}

// C = AB of the CUDA Best Practices Guide: A has 16 columns, B 16 rows of n elements.
extern "C" __global__ void rows_by_columns(float* c, float* a, float* b, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < 16; i++) sum += a[row * 16 + i] * b[i * n + col];
  c[row * n + col] = sum;
}
extern "C" __global__ void tile_by_columns(float* c, float* a, float* b, int n) {
  __shared__ float aTile[16][16];
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  aTile[threadIdx.y][threadIdx.x] = a[row * 16 + threadIdx.x];
  for (int i = 0; i < 16; i++) sum += aTile[threadIdx.y][i] * b[i * n + col];
  c[row * n + col] = sum;
}

// sgemmNN of Volkov and Demmel, SC 2008; in double precision too.
template <class F>
__device__ void gemm(F* C, const F* A, const F* B, int lda, int ldb, int k) {
  const int inx = threadIdx.x, iny = threadIdx.y, ibx = blockIdx.x * 64, iby = blockIdx.y * 16, id = inx + iny * 16;
  A += ibx + id;
  B += inx + __mul24(iby + iny, ldb);
  C += ibx + id + __mul24(iby, lda);
  const F* Blast = B + k;
  F c[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  do {
    F a[4] = {A[0 * lda], A[1 * lda], A[2 * lda], A[3 * lda]};
    __shared__ F bs[16][17];
    for (int i = 0; i < 16; i += 4) bs[inx][iny + i] = B[i * ldb];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      if (i % 4 == 0) A += 4 * lda;
      for (int j = 0; j < 16; ++j) c[j] += a[i % 4] * bs[i][j];
      if (i < 12) a[i % 4] = A[i % 4 * lda];
    }
    B += 16;
    __syncthreads();
  } while (B < Blast);
  for (int i = 0; i < 16; i++, C += lda) C[0] = c[i];
}
extern "C" __global__ void sgemm(float* C, const float* A, const float* B, int lda, int ldb, int k) {
  gemm(C, A, B, lda, ldb, k);
}
extern "C" __global__ void dgemm(double* C, const double* A, const double* B, int lda, int ldb, int k) {
  gemm(C, A, B, lda, ldb, k);
}

// 512 points by 64 threads: Volkov and Kazian, Fitting FFT onto the G80 Architecture, 2008.
inline __device__ float2 operator*(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
inline __device__ float2 operator*(float2 a, float b) { return make_float2(b * a.x, b * a.y); }
inline __device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
inline __device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
inline __device__ int rev(int bits) { return (bits & 1) << 2 | (bits & 2) | (bits & 4) >> 2; }
inline __device__ void FFT2(float2& a0, float2& a1) {
  float2 c0 = a0;
  a0 = c0 + a1, a1 = c0 - a1;
}
inline __device__ void FFT4(float2* a) {
  FFT2(a[0], a[2]), FFT2(a[1], a[3]);
  a[3] = a[3] * make_float2(0, -1);
  FFT2(a[0], a[1]), FFT2(a[2], a[3]);
}
inline __device__ void FFT8(float2* a) {
  for (int i = 0; i < 4; i++) FFT2(a[i], a[i + 4]);
  a[5] = (a[5] * make_float2(1, -1)) * 0.70710678f;
  a[6] = a[6] * make_float2(0, -1);
  a[7] = (a[7] * make_float2(-1, -1)) * 0.70710678f;
  FFT4(a), FFT4(a + 4);
}
inline __device__ void twiddle(float2* a, int i, int n) {
  for (int j = 1; j < 8; j++) {
    float phi = -2 * 3.14159265f * rev(j) / n * i;
    a[j] = a[j] * make_float2(__cosf(phi), __sinf(phi));
  }
}
inline __device__ void exchange(float2* a, float* s, int ds, float* l, int dl) {
  for (int i = 0; i < 8; i++) s[i * ds] = a[rev(i)].x;
  __syncthreads();
  for (int i = 0; i < 8; i++) a[i].x = l[i * dl];
  __syncthreads();
  for (int i = 0; i < 8; i++) s[i * ds] = a[rev(i)].y;
  __syncthreads();
  for (int i = 0; i < 8; i++) a[i].y = l[i * dl];
}
extern "C" __global__ void fft512(float2* work) {
  int tid = threadIdx.x, hi = tid >> 3, lo = tid & 7;
  work += blockIdx.x * 512 + tid;
  float2 a[8];
  __shared__ float smem[8 * 8 * 9];
  for (int i = 0; i < 8; i++) a[i] = work[i * 64];
  FFT8(a);
  twiddle(a, tid, 512);
  exchange(a, &smem[hi * 8 + lo], 66, &smem[lo * 66 + hi], 8);
  __syncthreads();
  FFT8(a);
  twiddle(a, hi, 64);
  exchange(a, &smem[hi * 8 + lo], 72, &smem[hi * 72 + lo], 8);
  FFT8(a);
  for (int i = 0; i < 8; i++) work[i * 64] = a[rev(i)];
}

// BlackScholes of the SDK.
__device__ inline float cndGPU(float d) {
  float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float cnd = 0.39894228f * __expf(-0.5f * d * d) *
              (K * (0.31938153f + K * (-0.356563782f + K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f)))));
  return d > 0 ? 1.0f - cnd : cnd;
}
extern "C" __global__ void black_scholes(float* call, float* put, float* price, float* strike, float* years, float R,
                                         float V, int n) {
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float S = price[i], X = strike[i], T = years[i], sqrtT = sqrtf(T);
    float d1 = (__logf(S / X) + (R + 0.5f * V * V) * T) / (V * sqrtT), d2 = d1 - V * sqrtT;
    float CNDD1 = cndGPU(d1), CNDD2 = cndGPU(d2), expRT = __expf(-R * T);
    call[i] = S * CNDD1 - X * expRT * CNDD2;
    put[i] = X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1);
  }
}

// Cyclic reduction of 512 equations by 256 threads: Zhang, Cohen and Owens, Fast Tridiagonal Solvers, PPoPP 2010.
extern "C" __global__ void cyclic_reduction(float* d_x, float* d_a, float* d_b, float* d_c, float* d_d) {
  __shared__ float a[512], b[512], c[512], d[512], x[512];
  int thid = threadIdx.x, stride = 1, numThreads = 256;
  for (int i = thid; i < 512; i += 256) {
    a[i] = d_a[i + blockIdx.x * 512], b[i] = d_b[i + blockIdx.x * 512];
    c[i] = d_c[i + blockIdx.x * 512], d[i] = d_d[i + blockIdx.x * 512];
  }
  for (int j = 0; j < 8; j++, numThreads /= 2) {
    __syncthreads();
    stride *= 2;
    int delta = stride / 2;
    if (thid < numThreads) {
      int i = stride * thid + stride - 1, iLeft = i - delta, iRight = i + delta;
      if (iRight >= 512) iRight = 511;
      float tmp1 = a[i] / b[iLeft], tmp2 = c[i] / b[iRight];
      b[i] = b[i] - c[iLeft] * tmp1 - a[iRight] * tmp2;
      d[i] = d[i] - d[iLeft] * tmp1 - d[iRight] * tmp2;
      a[i] = -a[iLeft] * tmp1;
      c[i] = -c[iRight] * tmp2;
    }
  }
  if (thid < 2) {
    int p = stride - 1, q = 2 * stride - 1;
    float det = b[q] * b[p] - c[p] * a[q];
    x[p] = (b[q] * d[p] - c[p] * d[q]) / det;
    x[q] = (d[q] * b[p] - d[p] * a[q]) / det;
  }
  numThreads = 2;
  for (int j = 0; j < 8; j++, numThreads *= 2) {
    int delta = stride / 2;
    __syncthreads();
    if (thid < numThreads) {
      int i = stride * thid + stride / 2 - 1;
      x[i] = i == delta - 1 ? (d[i] - c[i] * x[i + delta]) / b[i]
                            : (d[i] - a[i] * x[i - delta] - c[i] * x[i + delta]) / b[i];
    }
    stride /= 2;
  }
  __syncthreads();
  for (int i = thid; i < 512; i += 256) d_x[i + blockIdx.x * 512] = x[i];
}

// Chains of two divisions, as Wong et al., ISPASS 2010, timed them: 512 threads of one block.
extern "C" __global__ void divisions(unsigned* io, int n) {
  unsigned a = io[threadIdx.x] + 7, b = io[threadIdx.x] + 3;
  for (int i = 0; i < n; ++i) {
#pragma unroll
    for (int k = 0; k < 16; ++k) a = a / b, b = b / a;
  }
  io[threadIdx.x] = a + b;
}
