// The course of the SDK's simpleZeroCopy: a kernel adds two vectors in host memory into a third one. Prints microseconds
// of the sum in host memory, in device memory, and of one read of a lone thread in host and in device memory.
#include <cuda_runtime.h>
#include <stdio.h>

#define OK(call)                                                   \
  do {                                                             \
    const cudaError_t error = (call);                              \
    if (error != cudaSuccess) {                                    \
      printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      return 1;                                                    \
    }                                                              \
  } while (0)

__global__ void add(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

// Each read gives the place of the next one.
__global__ void follow(int* chain, int steps) {
  int at = 0;
  for (int i = 0; i < steps; ++i) at = chain[at];
  chain[1] = at;
}

static const int kElements = 16 * 1024, kThreads = 256, kSteps = 32;

template <class Launch>
static float microseconds(Launch launch) {
  cudaEvent_t start, stop;
  float ms = 0;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  launch();  // loads code and page tables
  cudaEventRecord(start, 0);
  launch();
  cudaEventRecord(stop, 0);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&ms, start, stop);
  return ms * 1000;
}

struct Add {
  const float *a, *b;
  float* c;
  void operator()() const { add<<<kElements / kThreads, kThreads>>>(a, b, c); }
};
struct Follow {
  int* chain;
  void operator()() const { follow<<<1, 1>>>(chain, kSteps); }
};

int main() {
  cudaDeviceProp prop;
  OK(cudaGetDeviceProperties(&prop, 0));
  const size_t bytes = kElements * sizeof(float);
  float *a, *b, *c, *dev_a, *dev_b, *dev_c;
  int *chain, *dev_chain, pinned;
  if (!prop.canMapHostMemory) {
    const bool refused = cudaSetDeviceFlags(cudaDeviceMapHost) == cudaErrorNotSupported &&
                         cudaHostAlloc((void**)&a, bytes, cudaHostAllocMapped) == cudaErrorNotSupported &&
                         cudaHostGetDevicePointer((void**)&dev_a, &pinned, 0) == cudaErrorNotSupported;
    return printf("%s\n", refused ? "refused" : "not refused"), 0;
  }
  OK(cudaSetDeviceFlags(cudaDeviceMapHost));
  OK(cudaHostAlloc((void**)&a, bytes, cudaHostAllocMapped));
  OK(cudaHostAlloc((void**)&b, bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  OK(cudaHostAlloc((void**)&c, bytes, cudaHostAllocMapped));
  OK(cudaHostAlloc((void**)&chain, 4096, cudaHostAllocMapped));
  OK(cudaHostGetDevicePointer((void**)&dev_a, a, 0));
  OK(cudaHostGetDevicePointer((void**)&dev_b, b, 0));
  OK(cudaHostGetDevicePointer((void**)&dev_c, c + 4, 0));
  OK(cudaHostGetDevicePointer((void**)&dev_chain, chain, 0));
  for (int i = 0; i < kElements; ++i) a[i] = i, b[i] = 3.0f * i, c[i] = -1;
  const float mapped = microseconds(Add{dev_a, dev_b, dev_c - 4});
  for (int i = 0; i < kElements; ++i) {
    if (c[i] != 4.0f * i) return printf("element %d is %f\n", i, c[i]), 1;
  }
  for (int i = 0; i < 1024; ++i) chain[i] = (i + 32) % 1024;
  const float far = microseconds(Follow{dev_chain}) / kSteps;
  if (chain[1] != kSteps * 32 % 1024) return printf("the chain ends at %d\n", chain[1]), 1;

  if (cudaHostGetDevicePointer((void**)&dev_a, &pinned, 0) != cudaErrorInvalidValue) return printf("not mapped\n"), 1;
  OK(cudaMalloc((void**)&dev_a, bytes));
  OK(cudaMalloc((void**)&dev_b, bytes));
  OK(cudaMalloc((void**)&dev_c, bytes));
  OK(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));
  const float local = microseconds(Add{dev_a, dev_b, dev_c});
  OK(cudaMemcpy(dev_chain = (int*)dev_a, chain, 4096, cudaMemcpyHostToDevice));
  const float near = microseconds(Follow{dev_chain}) / kSteps;
  printf("%.2f %.2f %.3f %.3f\n", mapped, local, far, near);
  OK(cudaFreeHost(b));
  OK(cudaFreeHost(a));
  OK(cudaFreeHost(c));
  OK(cudaFreeHost(chain));
  return 0;
}
