// The course of the SDK's simpleStreams: a kernel and a copy to the host, first one after the other, then in four streams, a
// quarter of the data in each. Prints microseconds: copy, kernel, both in turn, both in streams; then a copy of other data to
// the device, a kernel beside it, and by how much the kernel ends before the copy, which was called after it.
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

__global__ void add_factor(int* data, const int* factor, int iterations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < iterations; ++k) data[i] += *factor;
}

static const int kStreams = 4, kThreads = 256, kRepetitions = 1, kIterations = 2, kElements = 32 * 1024;

int main() {
  const size_t bytes = kElements * sizeof(int);
  int *host, *data, *other, *factor;
  const int five = 5;
  cudaEvent_t start, stop, kernel_end, copy_end;
  cudaStream_t stream[kStreams];
  float copy_ms, kernel_ms, turn_ms, streams_ms, other_ms, beside_ms, between_ms;
  OK(cudaMallocHost((void**)&host, bytes));
  OK(cudaMalloc((void**)&data, bytes));
  OK(cudaMalloc((void**)&other, bytes));
  OK(cudaMalloc((void**)&factor, sizeof(int)));
  OK(cudaMemcpy(factor, &five, sizeof five, cudaMemcpyHostToDevice));
  for (int i = 0; i < kStreams; ++i) OK(cudaStreamCreate(&stream[i]));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&stop));
  OK(cudaEventCreate(&kernel_end));
  OK(cudaEventCreate(&copy_end));

  OK(cudaEventRecord(start, stream[0]));
  OK(cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, stream[0]));
  OK(cudaEventRecord(stop, stream[0]));
  OK(cudaEventSynchronize(stop));
  OK(cudaEventElapsedTime(&copy_ms, start, stop));

  add_factor<<<kElements / kThreads, kThreads>>>(data, factor, kIterations);  // loads code and page tables
  OK(cudaEventRecord(start, stream[0]));
  add_factor<<<kElements / kThreads, kThreads, 0, stream[0]>>>(data, factor, kIterations);
  OK(cudaEventRecord(stop, stream[0]));
  OK(cudaEventSynchronize(stop));
  OK(cudaEventElapsedTime(&kernel_ms, start, stop));

  OK(cudaMemset(data, 255, bytes));
  OK(cudaEventRecord(start, 0));
  for (int k = 0; k < kRepetitions; ++k) {
    add_factor<<<kElements / kThreads, kThreads>>>(data, factor, kIterations);
    OK(cudaMemcpy(host, data, bytes, cudaMemcpyDeviceToHost));
  }
  OK(cudaEventRecord(stop, 0));
  OK(cudaEventSynchronize(stop));
  OK(cudaEventElapsedTime(&turn_ms, start, stop));

  OK(cudaMemset(data, 255, bytes));
  for (int i = 0; i < kElements; ++i) host[i] = 0;
  OK(cudaEventRecord(start, 0));
  const int part = kElements / kStreams;
  for (int k = 0; k < kRepetitions; ++k) {
    for (int i = 0; i < kStreams; ++i)
      add_factor<<<part / kThreads, kThreads, 0, stream[i]>>>(data + i * part, factor, kIterations);
    for (int i = 0; i < kStreams; ++i)
      OK(cudaMemcpyAsync(host + i * part, data + i * part, bytes / kStreams, cudaMemcpyDeviceToHost, stream[i]));
  }
  OK(cudaEventRecord(stop, 0));
  OK(cudaEventSynchronize(stop));
  OK(cudaEventElapsedTime(&streams_ms, start, stop));

  for (int i = 0; i < kElements; ++i) {
    const int expected = -1 + kRepetitions * kIterations * five;
    if (host[i] != expected) return printf("element %d is %d, expected %d\n", i, host[i], expected), 1;
  }

  OK(cudaEventRecord(start, stream[1]));
  OK(cudaMemcpyAsync(other, host, bytes, cudaMemcpyHostToDevice, stream[1]));
  OK(cudaEventRecord(stop, stream[1]));
  OK(cudaEventSynchronize(stop));
  OK(cudaEventElapsedTime(&other_ms, start, stop));

  OK(cudaEventRecord(start, 0));
  add_factor<<<kElements / kThreads, kThreads, 0, stream[0]>>>(data, factor, kIterations);
  OK(cudaEventRecord(kernel_end, stream[0]));
  OK(cudaMemcpyAsync(other, host, bytes, cudaMemcpyHostToDevice, stream[1]));
  OK(cudaEventRecord(copy_end, stream[1]));
  OK(cudaEventRecord(stop, 0));
  OK(cudaEventSynchronize(stop));
  OK(cudaEventElapsedTime(&beside_ms, start, stop));
  OK(cudaEventElapsedTime(&between_ms, kernel_end, copy_end));

  printf("%.2f %.2f %.2f %.2f %.2f %.2f %.2f\n", copy_ms * 1000, kernel_ms * 1000, turn_ms / kRepetitions * 1000,
         streams_ms / kRepetitions * 1000, other_ms * 1000, beside_ms * 1000, between_ms * 1000);
  for (int i = 0; i < kStreams; ++i) OK(cudaStreamDestroy(stream[i]));
  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(stop));
  OK(cudaFreeHost(host));
  return 0;
}
