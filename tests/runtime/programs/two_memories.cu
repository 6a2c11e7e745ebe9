// Values that come from one memory or another, as stencils read them: inside from shared memory, beyond from global or
// constant memory. clang makes one load of the two, which the chip does not have.
#include <cstdio>
#include <vector>

#define THREADS 64

__constant__ float edge[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__constant__ const float* sources[2];

__global__ void halo(float* out, const float* in, int n) {
  __shared__ float tile[THREADS];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = (t > 0) ? tile[t - 1] : in[n];
}

__global__ void branches(float* out, const float* in, int n) {
  __shared__ float tile[THREADS];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  float x;
  if (t > n) x = tile[t - 1]; else x = in[n];
  out[t] = x;
}

__global__ void border(float* out, const float* in, int n) {
  int t = threadIdx.x;
  out[t] = (t > 0) ? in[t - 1] : edge[n & 3];
}

__global__ void local_array(unsigned* out, const unsigned* in, unsigned n) {
  unsigned a[8];
  for (unsigned i = 0; i < 8; ++i) a[i] = i * n;
  a[in[0] & 7] += 3;
  unsigned t = threadIdx.x;
  unsigned x = (in[t] & 1) ? a[t & 7] : in[t + 1];
  out[t] = x;
}

/// Both neighbours of a row of several blocks, in several steps; beyond the row is the edge.
__global__ void steps(float* out, const float* in, int n, int count) {
  __shared__ float tile[2][THREADS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  tile[0][t] = in[i];
  __syncthreads();
  for (int step = 0; step < count; ++step) {
    const float* row = tile[step & 1];
    float left = t > 0 ? row[t - 1] : i > 0 ? in[i - 1] : edge[0];
    float right = t < THREADS - 1 ? row[t + 1] : i < n - 1 ? in[i + 1] : edge[3];
    tile[~step & 1][t] = left + right - row[t];
    __syncthreads();
  }
  out[i] = tile[count & 1][t];
}

/// The address of a pointer in constant memory is known to the host only; it is one in global memory.
__global__ void tables(float* out, int which) {
  __shared__ float tile[THREADS];
  int t = threadIdx.x;
  tile[t] = 2 * t;
  __syncthreads();
  out[t] = t & 1 ? tile[t] : sources[which][t];
}

/// Stores and a pointer that goes from one memory to the other.
__global__ void scatter(float* out, const float* in) {
  __shared__ float tile[THREADS];
  int t = threadIdx.x;
  tile[t] = 0;
  const float* from = in + t;
  float* to = t & 1 ? &tile[t] : &out[t];
  for (int turn = 0; turn < 3; ++turn) {
    *to = *from + 1;
    from = to;
    to = to == &tile[t] ? &out[t] : &tile[t];
  }
  if (t & 1) out[t] = tile[t] * 100 + out[t];
}

static int failures = 0;
template <class T>
static void expect(const char* what, int k, T seen, T want) {
  if (seen == want) return;
  if (failures++ < 10) std::printf("%s: element %d is %g, expected %g\n", what, k, (double)seen, (double)want);
}

int main() {
  const int blocks = 3, n = blocks * THREADS, m = 7;
  std::vector<float> in(n), out(n);
  for (int k = 0; k < n; ++k) in[k] = (float)((k * 37) % 101);
  std::vector<unsigned> words(n), seen(n);
  for (int k = 0; k < n; ++k) words[k] = k * 2654435761u >> 7;
  float *din, *dout;
  unsigned *dwords, *dseen;
  cudaMalloc((void**)&din, n * sizeof(float));
  cudaMalloc((void**)&dout, n * sizeof(float));
  cudaMalloc((void**)&dwords, n * sizeof(unsigned));
  cudaMalloc((void**)&dseen, n * sizeof(unsigned));
  cudaMemcpy(din, &in[0], n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dwords, &words[0], n * sizeof(unsigned), cudaMemcpyHostToDevice);
  const float* const pointers[2] = {din, din + THREADS};
  cudaMemcpyToSymbol(sources, pointers, sizeof pointers);
  const float edges[4] = {0.5f, 1.5f, 2.5f, 3.5f};

  const auto results = [&] { cudaMemcpy(&out[0], dout, n * sizeof(float), cudaMemcpyDeviceToHost); };
  halo<<<1, THREADS>>>(dout, din, m);
  results();
  for (int t = 0; t < THREADS; ++t) expect("halo", t, out[t], t > 0 ? in[t - 1] : in[m]);
  branches<<<1, THREADS>>>(dout, din, m);
  results();
  for (int t = 0; t < THREADS; ++t) expect("branches", t, out[t], t > m ? in[t - 1] : in[m]);
  border<<<1, THREADS>>>(dout, din, m);
  results();
  for (int t = 0; t < THREADS; ++t) expect("border", t, out[t], t > 0 ? in[t - 1] : edges[m & 3]);

  local_array<<<1, THREADS>>>(dseen, dwords, 5u);
  cudaMemcpy(&seen[0], dseen, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (unsigned t = 0; t < THREADS; ++t) {
    const unsigned k = t & 7;
    expect("local_array", t, seen[t], words[t] & 1 ? k * 5 + (k == (words[0] & 7) ? 3 : 0) : words[t + 1]);
  }

  const int count = 3;
  steps<<<blocks, THREADS>>>(dout, din, n, count);
  results();
  for (int b = 0; b < blocks; ++b) {
    std::vector<float> row(in.begin() + b * THREADS, in.begin() + (b + 1) * THREADS);
    for (int step = 0; step < count; ++step) {
      std::vector<float> next(THREADS);
      for (int t = 0; t < THREADS; ++t) {
        const int i = b * THREADS + t;
        const float left = t > 0 ? row[t - 1] : i > 0 ? in[i - 1] : edges[0];
        const float right = t < THREADS - 1 ? row[t + 1] : i < n - 1 ? in[i + 1] : edges[3];
        next[t] = left + right - row[t];
      }
      row = next;
    }
    for (int t = 0; t < THREADS; ++t) expect("steps", b * THREADS + t, out[b * THREADS + t], row[t]);
  }

  tables<<<1, THREADS>>>(dout, 1);
  results();
  for (int t = 0; t < THREADS; ++t) expect("tables", t, out[t], t & 1 ? 2.0f * t : in[THREADS + t]);
  scatter<<<1, THREADS>>>(dout, din);
  results();
  for (int t = 0; t < THREADS; ++t) expect("scatter", t, out[t], t & 1 ? (in[t] + 3) * 100 + in[t] + 2 : in[t] + 3);
  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
