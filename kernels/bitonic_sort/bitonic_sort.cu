// Sorts 256 keys a block in shared memory with a bitonic network; each block's keys end up in order.
#include <algorithm>

#include "../cuda_program.h"

#define KEYS 256

__global__ void bitonic_sort(int* keys) {
  __shared__ int shared[KEYS];
  const int t = threadIdx.x;
  int* block_keys = keys + blockIdx.x * KEYS;
  shared[t] = block_keys[t];
  __syncthreads();
  for (int size = 2; size <= KEYS; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const int partner = t ^ stride;
      if (partner > t) {
        const bool ascending = (t & size) == 0;
        const int mine = shared[t], other = shared[partner];
        if ((mine > other) == ascending) {
          shared[t] = other;
          shared[partner] = mine;
        }
      }
      __syncthreads();
    }
  }
  block_keys[t] = shared[t];
}

int main(int argc, char** argv) {
  Program program(argc, argv);
  const int blocks = program.argument("blocks", 4);
  RandomNumbers random(5);
  std::vector<int> keys(blocks * KEYS);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(random.next());
  DeviceArray<int> device_keys(keys);
  bitonic_sort<<<blocks, KEYS>>>(device_keys.get());
  CHECK_LAUNCH();
  for (int b = 0; b < blocks; ++b) std::sort(keys.begin() + b * KEYS, keys.begin() + (b + 1) * KEYS);
  program.result("keys", device_keys.read(), keys);
  return program.finish();
}
