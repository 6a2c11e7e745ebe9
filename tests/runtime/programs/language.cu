// What CUDA C has beyond C++, in one program that checks itself.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "cutil_inline.h"

__constant__ float weights[4];
__device__ int total;
__device__ unsigned int table[3] = {5, 6, 7};
texture<float, 2, cudaReadModeElementType> image;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<int, 1, cudaReadModeElementType> numbers;

// Variables that the host writes although no other file can name them.
__constant__ struct { int first; float second; } unnamed;
__device__ struct { int values[2]; } initialised = {{3, 4}};
static __constant__ int by_name[2];
namespace {
struct Local { int value; };
__constant__ int inner_constant;
__device__ Local inner_variable;
}  // namespace

struct Box {
  float3 corner;
  short tag;
  double size;
};

static int failures = 0;
static void expect(bool condition, const char* what) {
  if (condition) return;
  printf("FAILED: %s\n", what);
  ++failures;
}

__global__ void structures(Box box, float* out, char flag, float2 pair) {
  out[0] = box.corner.x + box.corner.y * 10 + box.corner.z * 100;
  out[1] = box.tag;
  out[2] = flag;
  out[3] = pair.x - pair.y;
}

__global__ void constants(float* out) {
  out[threadIdx.x] = weights[threadIdx.x] * table[threadIdx.x % 3];
  if (threadIdx.x == 0) total = blockDim.x + warpSize;
}

__global__ void hidden_variables(float* out) {
  out[0] = unnamed.first;
  out[1] = unnamed.second;
  out[2] = initialised.values[0] + 10 * initialised.values[1];
  out[3] = by_name[1];
  out[4] = inner_constant;
  out[5] = inner_variable.value;
}

template <class T, int n>
__device__ T folded(const T* data) {
  T sum = 0;
  for (int k = 0; k < n; ++k) sum += data[k];
  return sum;
}
template <class T>
__global__ void shared_sums(const T* in, T* out) {
  extern __shared__ char bytes[];
  T* line = (T*)bytes;
  __shared__ T fixed[8];
  line[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 8) fixed[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x] + folded<T, 8>(fixed);
}

__global__ void coordinates(int4* out) {
  const dim3 grid = gridDim;
  const int place = (blockIdx.y * grid.x + blockIdx.x) * blockDim.x * blockDim.y * blockDim.z +
                    (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[place] = make_int4(blockIdx.x + 10 * blockIdx.y, threadIdx.x, threadIdx.y, threadIdx.z + 100 * gridDim.z);
}

__global__ void textures(float* out, int* whole) {
  out[0] = tex2D(image, 1.5f, 0.5f);
  out[1] = tex2D(image, 1.0f, 1.0f);
  const float4 colour = tex2D(colours, 0.5f, 0.5f);
  out[2] = colour.x;
  out[3] = colour.w;
  whole[0] = tex1Dfetch(numbers, 2);
  whole[1] = tex1Dfetch(numbers, 99);
}

__global__ void integers(const int* in, int* out) {
  out[0] = __mul24(in[0], in[1]);
  out[1] = __popc(in[1]);
  out[2] = __clz(in[1]);
  out[3] = __ffs(in[1]);
  out[4] = __brev(in[1]);
  out[5] = __mulhi(in[2], in[3]);
  out[6] = __umulhi(in[2], in[3]);
  out[7] = __sad(in[0], in[1], 5u);
  out[8] = max(in[0], -in[1]) + min(in[2], in[3]);
  out[9] = __float_as_int(__int_as_float(in[3]));
  out[10] = __float2int_rn(2.5f * in[0]);
  out[11] = (int)((long long)in[2] * in[3] >> 20);
  out[12] = in[1] / 7 + in[2] % 1000;
  out[13] = abs(in[3]);
  out[14] = (int)(((long long)in[2] * in[3] >> 40 & 0xffffffffLL) * 3 >> 32);  // the mask reaches beyond the last bit
  out[15] = (int)(((long long)in[2] * in[1] >> 40 & 0xffffffffLL) * 3 >> 4);
  out[16] = (int)llmax(llmin(in[0], in[1]), (long long)in[3] << 9);
  out[17] = (int)ullmin(ullmax(in[1], in[2]), 1ull << 40);
}

/// Rotations by counts that are taken modulo the bits.
__host__ __device__ inline unsigned rotated(unsigned x, unsigned n) { return (x << (n & 31)) | (x >> (32 - (n & 31))); }
__host__ __device__ inline unsigned rotated_back(unsigned x, unsigned n) { return (x >> (n & 31)) | (x << (-n & 31)); }
__host__ __device__ inline unsigned long long rotated(unsigned long long x, unsigned n) {
  return (x << (n & 63)) | (x >> (-n & 63));
}
__global__ void rotations(const int* in, unsigned* out, unsigned long long* wide) {
  const unsigned t = threadIdx.x, x = in[t], n = in[t + 4];
  out[t] = rotated(x, n);
  out[t + 4] = rotated_back(x, n);
  wide[t] = rotated((unsigned long long)x << 20, n);
}

/// The bits of floats through a pointer to integers.
__global__ void bits_of_floats(const float* in, int* out) {
  float row[4];
  for (int k = 0; k < 4; ++k) row[k] = in[k];
  int* bits = (int*)row;
  const int t = threadIdx.x, before = bits[t & 3];
  row[(t + 1) & 3] = 2;
  bits[(t + 2) & 3] ^= 1 << 31;
  out[t] = before;
  out[t + 4] = bits[(t + 1) & 3];
  out[t + 8] = row[(t + 2) & 3] < 0;
}

/// The negative of a comparison on each side of a branch is -1 for true.
__global__ void signed_truths(const int* in, float* out) {
  const int t = threadIdx.x, a = in[t], b = in[t + 1];
  out[t] = -(float)(a < 2 ? in[b] == 1 : in[b + 1] < 4);
  out[t + 8] = (float)-(a < 2 ? in[b] == 1 : in[b + 1] < 4);
  out[t + 16] = (double)-(a < 2 ? in[b] != 0 : in[b + 1] > 2);
}

/// A minimum of a NaN and a number is the number, also where both together saturate.
__global__ void clamped(const float* in, float* out) { out[threadIdx.x] = fminf(fmaxf(in[threadIdx.x], 0.0f), 1.0f); }

__global__ void histogram(unsigned int* bins, int* order) {
  atomicAdd(&bins[threadIdx.x % 4], 1u);
  atomicMax(&order[0], (int)threadIdx.x);
  atomicCAS(&order[1], 0, 77);
}

int main(int argc, char** argv) {
  cutilDeviceInit(argc, argv);
  float* out;
  int* whole;
  float h[64];
  int w[64];
  cutilSafeCall(cudaMalloc(&out, sizeof h));
  cutilSafeCall(cudaMalloc(&whole, sizeof w));

  Box box = {{1, 2, 3}, -7, 2.5};
  structures<<<1, 1>>>(box, out, 'A', make_float2(5, 3));
  cutilSafeCall(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  expect(h[0] == 321 && h[1] == -7 && h[2] == 65 && h[3] == 2, "structures and small types as arguments");

  const float values[4] = {1, 2, 3, 4};
  cutilSafeCall(cudaMemcpyToSymbol(weights, values, sizeof values));
  constants<<<1, 4>>>(out);
  cutilSafeCall(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  expect(h[0] == 5 && h[1] == 12 && h[2] == 21 && h[3] == 20, "__constant__ and initialised __device__ variables");
  const int numbers_of[2] = {5, 6};
  const float fraction = 2.5f;
  cutilSafeCall(cudaMemcpyToSymbol(unnamed, numbers_of, sizeof(int)));
  cutilSafeCall(cudaMemcpyToSymbol(unnamed, &fraction, sizeof fraction, sizeof(int)));
  cutilSafeCall(cudaMemcpyToSymbol(initialised, numbers_of, sizeof(int)));
  cutilSafeCall(cudaMemcpyToSymbol("by_name", numbers_of, sizeof numbers_of));
  cutilSafeCall(cudaMemcpyToSymbol(inner_constant, numbers_of, sizeof(int)));
  cutilSafeCall(cudaMemcpyToSymbol(inner_variable, numbers_of + 1, sizeof(int)));
  hidden_variables<<<1, 1>>>(out);
  cutilSafeCall(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  expect(h[0] == 5 && h[1] == 2.5f, "a variable of an unnamed type");
  expect(h[2] == 45, "a variable of an unnamed type with an initial value");
  expect(h[3] == 6, "a static variable whose name is a string");
  expect(h[4] == 5 && h[5] == 6, "variables of an unnamed namespace");
  int sum = 0;
  cutilSafeCall(cudaMemcpyFromSymbol(&sum, "total", sizeof sum));
  expect(sum == 36, "a __device__ variable that a kernel writes, by its name");

  for (int k = 0; k < 64; ++k) w[k] = k * k;
  cutilSafeCall(cudaMemcpy(whole, w, sizeof w, cudaMemcpyHostToDevice));
  shared_sums<int><<<1, 64, 64 * sizeof(int)>>>(whole, whole);
  cutilSafeCall(cudaMemcpy(w, whole, sizeof w, cudaMemcpyDeviceToHost));
  expect(w[0] == 63 * 63 + 28 && w[63] == 28, "dynamic and static shared memory, a template");

  int4 *places, p[48];
  cutilSafeCall(cudaMalloc(&places, sizeof p));
  coordinates<<<dim3(2, 2), dim3(3, 2, 2)>>>(places);
  cutilSafeCall(cudaMemcpy(p, places, sizeof p, cudaMemcpyDeviceToHost));
  expect(p[47].x == 11 && p[47].y == 2 && p[47].z == 1 && p[47].w == 101 && p[13].y == 1, "coordinates");

  cudaArray *texels, *pixels;
  cutilSafeCall(cudaMallocArray(&texels, &image.channelDesc, 4, 2));
  const float rows[8] = {0, 1, 2, 3, 10, 11, 12, 13};
  cutilSafeCall(cudaMemcpyToArray(texels, 0, 0, rows, sizeof rows, cudaMemcpyHostToDevice));
  image.filterMode = cudaFilterModeLinear;
  cutilSafeCall(cudaBindTextureToArray(image, texels));
  cutilSafeCall(cudaMallocArray(&pixels, &colours.channelDesc, 2, 2));
  const unsigned char bytes[16] = {255, 0, 0, 51};
  cutilSafeCall(cudaMemcpyToArray(pixels, 0, 0, bytes, sizeof bytes, cudaMemcpyHostToDevice));
  cutilSafeCall(cudaBindTextureToArray(colours, pixels));
  int* list;
  cutilSafeCall(cudaMalloc(&list, 16));
  const int four[4] = {3, 4, 5, 6};
  cutilSafeCall(cudaMemcpy(list, four, 16, cudaMemcpyHostToDevice));
  cutilSafeCall(cudaBindTexture(0, numbers, list, 16));
  textures<<<1, 1>>>(out, whole);
  cutilSafeCall(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  cutilSafeCall(cudaMemcpy(w, whole, sizeof w, cudaMemcpyDeviceToHost));
  expect(h[0] == 1 && h[1] == 5.5f, "a filtered texture");
  expect(h[2] == 1 && h[3] == 0.2f, "a texture read as normalised floats");
  expect(w[0] == 5 && w[1] == 0, "a texture over linear memory");

  const int turned[8] = {0x12345678, -2, 3, 0x40000001, 33, 0x7fffff25, 64, 63};
  cutilSafeCall(cudaMemcpy(whole, turned, sizeof turned, cudaMemcpyHostToDevice));
  rotations<<<1, 4>>>(whole, (unsigned*)whole + 16, (unsigned long long*)(whole + 32));
  cutilSafeCall(cudaMemcpy(w, whole, sizeof w, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 4; ++t) {
    const unsigned x = turned[t], n = turned[t + 4];
    const unsigned long long wide = rotated((unsigned long long)x << 20, n);
    expect((unsigned)w[16 + t] == (n % 32 == 0 ? x : rotated(x, n)), "a rotation to the left");
    expect((unsigned)w[20 + t] == rotated_back(x, n), "a rotation to the right");
    expect(memcmp(w + 32 + 2 * t, &wide, sizeof wide) == 0, "a rotation of 64 bits");
  }

  const float row[4] = {1, 3, 5, 7};
  cutilSafeCall(cudaMemcpy(out, row, sizeof row, cudaMemcpyHostToDevice));
  bits_of_floats<<<1, 4>>>(out, whole);
  cutilSafeCall(cudaMemcpy(w, whole, sizeof w, cudaMemcpyDeviceToHost));
  expect(memcmp(w, row, sizeof row) == 0 && w[4] == 0x40000000 && w[7] == 0x40000000 && w[8] == 1 && w[11] == 1,
         "bits of floats through a pointer to integers");

  const float unclamped[4] = {NAN, -2, 0.25f, 3};
  cutilSafeCall(cudaMemcpy(out, unclamped, sizeof unclamped, cudaMemcpyHostToDevice));
  clamped<<<1, 4>>>(out, out);
  cutilSafeCall(cudaMemcpy(h, out, sizeof unclamped, cudaMemcpyDeviceToHost));
  expect(h[0] == 0 && h[1] == 0 && h[2] == 0.25f && h[3] == 1, "NaN in a range");

  const int few[16] = {1, 0, 3, 4, 2, 0, 4, 1, 3, 0, 1, 4, 2, 2, 0, 3};
  cutilSafeCall(cudaMemcpy(whole, few, sizeof few, cudaMemcpyHostToDevice));
  signed_truths<<<1, 8>>>(whole, out);
  cutilSafeCall(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 8; ++t) {
    const int a = few[t], b = few[t + 1];
    const int truth = a < 2 ? few[b] == 1 : few[b + 1] < 4, other = a < 2 ? few[b] != 0 : few[b + 1] > 2;
    expect(h[t] == -truth && h[t + 8] == -truth && h[t + 16] == -other, "the negative of a comparison as a number");
  }

  const int in[4] = {-1234, 0x00f0a000, 0x12345678, -0x7654321};
  cutilSafeCall(cudaMemcpy(whole, in, sizeof in, cudaMemcpyHostToDevice));
  integers<<<1, 1>>>(whole, whole + 16);
  cutilSafeCall(cudaMemcpy(w, whole + 16, 18 * sizeof(int), cudaMemcpyDeviceToHost));
  const long long wide = (long long)in[2] * in[3];
  const int low24 = (int)((unsigned)in[1] << 8) >> 8;  // operands are 24 bits wide
  expect(w[0] == in[0] * low24, "24-bit product");
  expect(w[1] == 6 && w[2] == 8 && w[3] == 14 && (unsigned)w[4] == 0x00050f00u, "bits");
  expect(w[5] == (int)(wide >> 32) && (unsigned)w[6] == (unsigned)(((unsigned long long)(unsigned)in[2] * (unsigned)in[3]) >> 32), "high products");
  expect(w[7] == 0x00f0a000 + 1234 + 5 && w[8] == -1234 + in[3], "sad, min, max");
  expect(w[9] == in[3] && w[10] == -3085 && w[11] == (int)(wide >> 20), "bits of floats, conversion, 64-bit product");
  expect(w[12] == in[1] / 7 + in[2] % 1000 && w[13] == -in[3], "division, abs");
  expect(w[14] == (int)((wide >> 40 & 0xffffffffLL) * 3 >> 32) && w[15] == (int)(((long long)in[2] * in[1] >> 40 & 0xffffffffLL) * 3 >> 4),
         "bits of signed 64-bit numbers");
  expect(w[16] == in[0] && w[17] == in[2], "minima and maxima of 64 bits");

  cutilSafeCall(cudaMemset(whole, 0, sizeof w));
  histogram<<<2, 64>>>((unsigned int*)whole, whole + 8);
  cutilSafeCall(cudaMemcpy(w, whole, sizeof w, cudaMemcpyDeviceToHost));
  expect(w[0] == 32 && w[3] == 32 && w[8] == 63 && w[9] == 77, "atomic operations");

  cutilCheckMsg("at the end");
  printf(failures == 0 ? "PASSED\n" : "%d FAILED\n", failures);
  cutilExit(argc, argv);
}
