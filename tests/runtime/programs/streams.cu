// Random work in three streams and in stream 0, drawn from a seed: copies to the device, kernels that combine two buffers, copies
// to the host. An event orders what two streams do to one buffer. The result must be that of the calls one after the
// other, and no event may be earlier than one that its stream had waited for.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call)                                                                  \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error != cudaSuccess) {                                                   \
      printf("seed %u, line %d: %s\n", seed, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

static const int kElements = 1088, kThreads = 64, kBuffers = 4, kStreams = 3, kSteps = 48;
static const size_t kBytes = kElements * sizeof(int);
static unsigned seed;

__global__ void combine(int* to, const int* from, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = to[i];
  for (int k = 0; k < rounds; ++k) value = value * 3 + from[i] + k;
  to[i] = value;
}

static unsigned draw(unsigned below) {
  static unsigned state = seed * 2654435761u + 1;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

struct Buffer {
  int* device;
  int expected[kElements];
  int last;               // the step that last used it; -1: none
};

int main(int, char** argv) {
  seed = atoi(argv[1]);
  Buffer buffer[kBuffers];
  cudaStream_t stream[kStreams + 1] = {0};
  cudaEvent_t after[kSteps];
  int stream_of[kSteps], *in, *out, waited[kSteps][2];
  static int expected[kSteps][kElements];
  bool is_output[kSteps];
  OK(cudaHostAlloc((void**)&in, kSteps * kBytes, cudaHostAllocDefault));
  OK(cudaHostAlloc((void**)&out, kSteps * kBytes, cudaHostAllocDefault));
  for (int i = 1; i <= kStreams; ++i) OK(cudaStreamCreate(&stream[i]));
  for (int b = 0; b < kBuffers; ++b) {
    OK(cudaMalloc((void**)&buffer[b].device, kBytes + 128));
    buffer[b].device += 1 + draw(31);  // pieces of copies end at blocks of the device and at pages of the host
    OK(cudaMemset(buffer[b].device, 0, kBytes));
    memset(buffer[b].expected, 0, kBytes);
    buffer[b].last = -1;
  }
  for (int s = 0; s < kSteps; ++s) {
    const int at = stream_of[s] = draw(8) == 0 ? 0 : 1 + draw(kStreams);
    Buffer& one = buffer[draw(kBuffers)];
    Buffer& two = buffer[draw(kBuffers)];
    const int what = draw(3);
    const Buffer* const used[2] = {&one, what == 1 ? &two : &one};
    for (int u = 0; u < 2; ++u) {
      const int last = waited[s][u] = used[u]->last;
      if (last >= 0 && at != 0 && stream_of[last] != 0 && stream_of[last] != at)
        OK(cudaStreamWaitEvent(stream[at], after[last], 0));
    }
    is_output[s] = false;
    if (what == 0) {
      int* const from = in + s * kElements;
      for (int i = 0; i < kElements; ++i) from[i] = one.expected[i] = draw(1 << 20);
      OK(cudaMemcpyAsync(one.device, from, kBytes, cudaMemcpyHostToDevice, stream[at]));
    } else if (what == 1) {
      const int rounds = 1 + draw(20);
      combine<<<kElements / kThreads, kThreads, 0, stream[at]>>>(one.device, two.device, rounds);
      for (int i = 0; i < kElements; ++i) {
        const int from = two.expected[i];
        for (int k = 0; k < rounds; ++k) one.expected[i] = one.expected[i] * 3 + from + k;
      }
    } else {
      int* const to = out + s * kElements;
      OK(cudaMemcpyAsync(to, one.device, kBytes, cudaMemcpyDeviceToHost, stream[at]));
      memcpy(expected[s], one.expected, kBytes);
      is_output[s] = true;
    }
    one.last = s;
    if (what == 1) two.last = s;
    OK(cudaEventCreate(&after[s]));
    OK(cudaEventRecord(after[s], stream[at]));
    switch (draw(12)) {
      case 0: OK(cudaStreamSynchronize(stream[at])); break;
      case 1: OK(cudaEventSynchronize(after[s])); break;
      case 2:
        while (cudaEventQuery(after[s]) == cudaErrorNotReady) {
        }
        break;
      default: continue;
    }
    if (is_output[s] && memcmp(out + s * kElements, expected[s], kBytes) != 0)
      return printf("seed %u: step %d is not there when its stream is\n", seed, s), 1;
  }
  OK(cudaThreadSynchronize());
  OK(cudaGetLastError());
  for (int s = 0; s < kSteps; ++s) {
    if (is_output[s] && memcmp(out + s * kElements, expected[s], kBytes) != 0)
      return printf("seed %u: step %d copied another result\n", seed, s), 1;
    for (int u = 0; u < 2; ++u) {
      float ms = 0;
      if (waited[s][u] < 0) continue;
      OK(cudaEventElapsedTime(&ms, after[waited[s][u]], after[s]));
      if (ms < 0) return printf("seed %u: step %d ends before step %d\n", seed, s, waited[s][u]), 1;
    }
  }
  for (int b = 0; b < kBuffers; ++b) {
    int last[kElements];
    OK(cudaMemcpy(last, buffer[b].device, kBytes, cudaMemcpyDeviceToHost));
    if (memcmp(last, buffer[b].expected, kBytes) != 0) return printf("seed %u: buffer %d differs\n", seed, b), 1;
  }
  float all_ms;
  OK(cudaEventElapsedTime(&all_ms, after[0], after[kSteps - 1]));
  printf("PASSED %.3f us\n", all_ms * 1000);
  return 0;
}
