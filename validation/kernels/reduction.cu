// The seven kernels of a well-known talk about sums on the GeForce 8800 GTX, with the talk's bounds: in kernels 1 to 5 the
// loops' ends are known only at run time, the grid covers the input exactly, and nothing is checked. The program
// kernels/reduction_ladder/ has them for inputs of any length.
//
// Three things are written out as NVIDIA's compilers of that time made them, because their code is what was measured: a
// remainder is a call of a function for any 32-bit number, which estimates the quotient twice and corrects it once; the
// number of a thread is any 32-bit number too; and the last warp keeps its sum in a register between the stores.

__device__ __noinline__ unsigned remainder_of(unsigned number, unsigned divisor) {
  const float reciprocal = __int_as_float(__float_as_int(__fdividef(1.0f, __uint2float_rn(divisor))) - 2);  // too small
  unsigned quotient = __float2uint_rz(__fmul_rz(__uint2float_rz(number), reciprocal));
  const unsigned rest = number - quotient * divisor;
  quotient += __float2uint_rz(__fmul_rz(__uint2float_rz(rest), reciprocal));
  quotient += number - quotient * divisor >= divisor ? 1 : 0;
  return divisor == 0 ? ~0u : number - quotient * divisor;
}

extern "C" __global__ void reduce1(int* out, const int* in) {
  extern __shared__ int data[];
  const unsigned t = threadIdx.x;
  data[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (remainder_of(t, 2 * stride) == 0) data[t] += data[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

/// `first` is 0: the compiler shall not know how large t is, and so multiply words, in four instructions.
extern "C" __global__ void reduce2(int* out, const int* in, unsigned first) {
  extern __shared__ int data[];
  const unsigned t = threadIdx.x + first;
  data[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned index = 2 * stride * t;
    if (index < blockDim.x) data[index] += data[index + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduce3(int* out, const int* in) {
  extern __shared__ int data[];
  const unsigned t = threadIdx.x;
  data[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (t < stride) data[t] += data[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduce4(int* out, const int* in) {
  extern __shared__ int data[];
  const unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
  data[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (t < stride) data[t] += data[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

/// The last 64 elements: one warp, in step, needs no barrier on this chip.
__device__ void last_warp(volatile int* data, unsigned t) {
  int sum = data[t];
  data[t] = sum += data[t + 32];
  data[t] = sum += data[t + 16];
  data[t] = sum += data[t + 8];
  data[t] = sum += data[t + 4];
  data[t] = sum += data[t + 2];
  data[t] = sum += data[t + 1];
}

extern "C" __global__ void reduce5(int* out, const int* in) {
  extern __shared__ int data[];
  const unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
  data[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 32; stride >>= 1) {
    if (t < stride) data[t] += data[t + stride];
    __syncthreads();
  }
  if (t < 32) last_warp(data, t);
  if (t == 0) out[blockIdx.x] = data[0];
}

/// The tree for a number of threads that the compiler knows.
template <unsigned kThreads>
__device__ void unrolled_tree(volatile int* data, unsigned t) {
  if (kThreads >= 512) {
    if (t < 256) data[t] += data[t + 256];
    __syncthreads();
  }
  if (kThreads >= 256) {
    if (t < 128) data[t] += data[t + 128];
    __syncthreads();
  }
  if (kThreads >= 128) {
    if (t < 64) data[t] += data[t + 64];
    __syncthreads();
  }
  if (t < 32) last_warp(data, t);
}

extern "C" __global__ void reduce6(int* out, const int* in) {
  extern __shared__ int data[];
  const unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
  data[t] = in[i] + in[i + 128];
  __syncthreads();
  unrolled_tree<128>(data, t);
  if (t == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduce7(int* out, const int* in, unsigned n) {
  extern __shared__ int data[];
  const unsigned t = threadIdx.x, step = 256 * gridDim.x;
  data[t] = 0;
  for (unsigned i = blockIdx.x * 256 + t; i < n; i += step) data[t] += in[i] + in[i + 128];
  __syncthreads();
  unrolled_tree<128>(data, t);
  if (t == 0) out[blockIdx.x] = data[0];
}
